"""The files of the demo organization, and the records that the importers make of them."""

from __future__ import annotations

from orgctx.demo import organization, write_data
from orgctx.importers import Report
from tests.support.deployment import Deployment

MOST_BYTES = 400_000


def test_nothing_is_refused() -> None:
    report = Report()
    assert list(organization.records(report))
    assert (report.refused_count, report.repaired) == (0, {})
    assert set(report.skipped) == {"service message", "not published: draft: true"}


def test_loading_again_changes_nothing(deployment: Deployment) -> None:
    deployment.load(organization.records())
    for name, counts in deployment.load(organization.records()).items():
        assert (counts["created"], counts["updated"], counts["deleted"]) == (0, 0, 0), name


def test_written_files_are_those_of_the_scripts() -> None:
    for name, content in write_data.files():
        assert (organization.DATA / name).read_text("utf-8") == content, name


def test_files_are_small() -> None:
    sizes = [path.stat().st_size for path in organization.DATA.rglob("*") if path.is_file()]
    assert sum(sizes) < MOST_BYTES
