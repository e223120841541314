"""Folders of documents and notes, through the command and back through the API."""

import os
import subprocess
from contextlib import chdir
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orgctx.importers import Existing, Report
from orgctx.importers.folder.documents import parts
from orgctx.schemas.text import utf16_length
from tests.importers.conftest import (
    STAMPED_AT,
    Read,
    Run,
    convert,
    folders,
    imported,
    unchanged,
)
from tests.support.thorough import examples

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


@examples(100)
@given(text=st.text(st.sampled_from("# \n`~ab\U0001f6a2"), max_size=80), most=st.integers(2, 30))
def test_parts_join_to_their_text(text: str, most: int) -> None:
    split = parts(text, most)
    assert "".join(split) == text
    assert all(0 < utf16_length(part) <= most for part in split if text)


def test_long_document_is_split_between_lines(tmp_path: Path) -> None:
    chapter = "# Chapter\n\n" + "A line of text.\n" * 250_000
    (tmp_path / "book.md").write_text("---\ntitle: Book\n---\n" + chapter * 5)
    items, _ = imported(folders, tmp_path)
    assert [data["title"] for data in items] == [f"Book ({number} of 3)" for number in (1, 2, 3)]
    assert "".join(data["content"] for data in items) == chapter * 5
    assert all(data["content"].endswith("\n") for data in items)
    assert len({data["id"] for data in items}) == 3


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
