"""Folders of documents and notes, through the command and back through the API."""

import os
import subprocess
from contextlib import chdir
from pathlib import Path

import pytest

from orgctx.importers import formats
from orgctx.importers.records import Existing
from orgctx.importers.report import Report
from tests.importers.conftest import (
    STAMPED_AT,
    Read,
    Run,
    convert,
    folders,
    imported,
    unchanged,
)

SOURCE = "docs:handbook"


def test_folder_reads_back(run: Run, read: Read, folder: Path) -> None:
    report = run("folder", folder, source=SOURCE).json()
    assert report["types"]["knowledge"]["created"] == 4
    assert report["skipped"]["not published: draft: true"]["count"] == 1
    assert report["skipped"]["unsupported type: .png"]["examples"] == ["logo.png"]
    assert report["skipped"]["symbolic link"]["examples"] == ["inside.md"]
    assert unchanged(run("folder", folder, source=SOURCE).json())
    items = {item["title"]: item for item in read("/knowledge")}
    assert items.keys() == {"From above", "Getting started", "notes", "bare"}
    assert items["From above"]["createdAt"] == "2024-03-01T00:00:00Z"
    assert items["From above"]["updatedAt"] == "2024-04-01T08:00:00Z"
    assert items["bare"]["createdAt"] == STAMPED_AT
    assert {
        (item["source"], item["visibility"], item["sourceLabel"]) for item in items.values()
    } == {("docs", "public", "handbook")}
    contents = {title: read(f"/knowledge/{item['id']}") for title, item in items.items()}
    assert contents["From above"]["content"] == "# Welcome\n\nSee [the guide](guide/start.md).\n"
    assert contents["notes"]["content"] == "---\nplain: text\n---\n# as it is"
    assert contents["notes"]["contentFormat"] == "plain_text"


@pytest.mark.parametrize(
    "name", ["n" * 252 + ".md", "é" * 120 + "n" * 12 + ".md", "n" * 248 + ".md"]
)
def test_file_with_a_long_name_is_loaded(tmp_path: Path, name: str) -> None:
    """Eleventy's file beside it would have a name that is too long."""
    (tmp_path / name).write_text("# Long")
    items, report = imported(folders, tmp_path)
    assert ([data["title"] for data in items], report.refused) == (["Long"], [])


def test_text_has_a_maximum_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "MAX_CONTENT_UNITS", 9)
    with pytest.raises(formats.ConversionError, match="more than 9 UTF-16 units of text; split it"):
        formats.convert((formats.FORMATS[0].function, True), b"12345678\xf0\x9f\x9a\xa2")


def test_folder_too_deep_to_read_deletes_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("A")
    ((item,), _) = imported(folders, tmp_path)
    deep, missing = tmp_path, "docs:00000000-0000-4000-8000-000000000000"
    name = "deep" * 50
    with chdir(tmp_path):
        for _ in range(30):
            os.mkdir(name)
            os.chdir(name)
    try:
        report = Report()
        existing = Existing(ids=frozenset({item["id"], missing}))
        records = convert(folders, deep, report, existing=existing)
        assert not [record for record in records if record["type"] == "delete"]
        assert "File name too long" in report.refused[0]
        assert "deletion skipped: a folder could not be read" in report.skipped
    finally:
        subprocess.run(["rm", "-rf", str(tmp_path / name)], check=True)
