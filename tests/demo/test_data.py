"""The files of the demo organization, and the records that importers read from them."""

import pytest

from orgctx.demo import organization
from orgctx.importers import Report
from tests.support.deployment import Deployment

MAX_BYTES = 400_000


def test_importers_reject_no_demo_record() -> None:
    report = Report()
    assert list(organization.records(report))
    assert (report.refused_count, report.repaired) == (0, {})
    assert set(report.skipped) == {"service message", "not published: draft: true"}


@pytest.mark.thorough
def test_demo_data_loads_without_changes_again(deployment: Deployment) -> None:
    deployment.load(organization.records())
    for name, counts in deployment.load(organization.records()).items():
        assert (counts["created"], counts["updated"], counts["deleted"]) == (0, 0, 0), name


def test_demo_files_are_small() -> None:
    sizes = [path.stat().st_size for path in organization.DATA.rglob("*") if path.is_file()]
    assert sum(sizes) < MAX_BYTES
