"""Each exporter version, form and trap has a synthetic file, and beside it the expected outcome.

`python -m tests.importers.test_corpus` writes the expectations of files that have none.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from orgctx.importers import Existing, ImportRefused, Report
from orgctx.importers.telegram import importer as telegram
from orgctx.importers.x import importer as x
from tests.importers.test_fuzz import accepted
from tests.support import factories as f

CORPUS = Path(__file__).parent / "corpus"
END = ".expected.json"
FILES = [
    path
    for kind in ("telegram", "x")
    for path in sorted((CORPUS / kind).iterdir())
    if not path.name.endswith(END)
]


def outcome(path: Path) -> dict[str, Any]:
    """The records and the report of a file, or the reason why it is refused."""
    report = Report()
    where: dict[str, Any] = {"organization_id": f.ACME, "source_id": "main", "report": report}
    where["existing"] = Existing()
    try:
        if path.parent.name == "x":
            records = list(x.records([path], account="acme", **where))
        else:
            records = list(telegram.records(path, **where))
    except ImportRefused as error:
        return {"refused": str(error)}
    accepted(records)
    skipped = {reason: entry.count for reason, entry in report.skipped.items()}
    left_out = {"skipped": skipped, "repaired": report.repaired, "refused": report.refused}
    short = [{name: r.get(name) for name in ("type", "sourceId", "data")} for r in records]
    return {"read": report.read, **left_out, "records": short}


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_file_becomes_what_is_expected(path: Path) -> None:
    expected = json.loads(path.with_name(path.name + END).read_text("utf-8"))
    assert outcome(path) == expected


def test_both_vocabularies_are_one() -> None:
    before, since = (
        outcome(CORPUS / "x" / f"{name}-august-2026.json") for name in ("before", "since")
    )
    assert before == since


def test_nothing_private_is_in_any_expectation() -> None:
    for path in CORPUS.glob(f"*/*{END}"):
        text = path.read_text("utf-8")
        assert not any(word in text for word in ("private words", "private note", "+49", "192.0"))


if __name__ == "__main__":
    for one in FILES:
        target = one.with_name(one.name + END)
        if not target.exists():
            content = json.dumps(outcome(one), ensure_ascii=False, indent=1)
            target.write_text(content + "\n", "utf-8")
