"""Each generator, exporter and trap has a small tree, and beside it the expected outcome.

`python -m tests.importers.test_trees` writes what the importers make of each now.
"""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from orgctx.importers import Existing, Report
from orgctx.importers.markdown import importer as markdown
from tests.support import factories as f

CORPUS = Path(__file__).parent / "corpus" / "trees"
CASES = sorted(path.name for path in CORPUS.iterdir())
SHOWN = ("title", "contentFormat", "visibility", "sourceStatus", "content")
DATED = {"createdAt", "updatedAt"}


def imported(case: str, **options: Any) -> dict[str, Any]:
    """The outcome of a case: documents by title, skipped and refused files."""
    report = Report()
    where: dict[str, Any] = {"organization_id": f.ACME, "source_id": "docs:x"}
    with TemporaryDirectory() as folder:
        path = CORPUS / case / "tree"
        if case.endswith(".zip"):
            path = packed(path, Path(folder, case))
        records = list(
            markdown.records(path, **where, report=report, existing=Existing(), **options)
        )
    documents = [record["data"] for record in records if record["type"] == "knowledge"]
    return {
        "documents": sorted(
            ({name: data[name] for name in SHOWN} | _dates(data) for data in documents),
            key=lambda data: str(data["title"]),
        ),
        "skipped": {reason: skipped.count for reason, skipped in sorted(report.skipped.items())},
        "refused": report.refused,
    }


def _dates(data: dict[str, Any]) -> dict[str, Any]:
    """Dates from front matter; those of files depend on the checkout."""
    return {name: data[name] for name in sorted(DATED) if data[name] < "2025"}


def packed(tree: Path, target: Path) -> Path:
    with zipfile.ZipFile(target, "w") as archive:
        for path in sorted(tree.rglob("*")):
            if path.is_file():
                member = zipfile.ZipInfo(str(path.relative_to(tree)), (2024, 5, 6, 7, 8, 10))
                archive.writestr(member, path.read_bytes())
    return target


@pytest.mark.parametrize("case", CASES)
def test_a_tree_becomes_what_is_expected(case: str) -> None:
    expected = json.loads((CORPUS / case / "expected.json").read_text("utf-8"))
    assert imported(case) == expected


@pytest.mark.parametrize("case", CASES)
def test_nothing_that_is_kept_back_is_loaded(case: str) -> None:
    """Every text of the corpus that a generator keeps back says so in its content."""
    assert not [d for d in imported(case)["documents"] if "ept back" in d["content"]]


@pytest.mark.parametrize("case", CASES)
def test_drafts_are_loaded_only_for_the_team(case: str) -> None:
    without = imported(case)["documents"]
    added = [d for d in imported(case, include_drafts=True)["documents"] if d not in without]
    assert {(d["visibility"], d["sourceStatus"]) for d in added} <= {("team", "draft")}


if __name__ == "__main__":
    for name in sys.argv[1:] or CASES:
        text = json.dumps(imported(name), indent=1, ensure_ascii=False)
        (CORPUS / name / "expected.json").write_text(text + "\n", "utf-8")
