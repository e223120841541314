"""A Notion export may come from a stranger, so archives that unpack without bound are refused."""

from __future__ import annotations

import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from orgctx.importers import Existing, ImportRefused, Report
from orgctx.importers import archive as archives
from orgctx.importers.markdown import importer as markdown
from orgctx.importers.markdown import notion
from tests.support import factories as f

ID = "0123456789abcdef" * 2
MIB = 1024 * 1024


def imported(path: Path) -> tuple[list[str], Report]:
    """The titles that came in, and the report."""
    report = Report()
    where: dict[str, Any] = {"organization_id": f.ACME, "source_id": "docs:x"}
    records = markdown.records(path, **where, report=report, existing=Existing())
    return [one["data"]["title"] for one in records if one["type"] == "knowledge"], report


def archive(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = BytesIO()
    with zipfile.ZipFile(file, "w", method) as target:
        for name, content in members.items():
            target.writestr(name, content)
    return file.getvalue()


def export(folder: Path, members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    path = folder / "Export.zip"
    path.write_bytes(archive({f"Good {ID}.md": b"# Good"}))
    with zipfile.ZipFile(path, "a", method) as target:
        for name, content in members.items():
            target.writestr(name, content)
    return path


def test_a_database_is_not_wider_than_it_is(tmp_path: Path) -> None:
    path = export(tmp_path, {"Wide.csv": b"," * 10_000 + b"\n" * 10_000})
    titles, report = imported(path)
    assert titles == ["Good"]
    assert report.refused == [f"Wide.csv: is a table of more than {notion.MOST_CELLS:,} cells"]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_python_unpacks_without_a_bound_is_not_unpacked(tmp_path: Path, method: int) -> None:
    path = export(tmp_path, {"Bomb.md": bytes(MIB)}, method)
    titles, report = imported(path)
    assert titles == ["Good"]
    assert report.refused == ["Bomb.md: is packed with another method than deflate"]
    with pytest.raises(ImportRefused, match="another method"):
        imported(export(tmp_path, {"Part.zip": archive({})}, method))


def test_archives_in_it_share_one_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "LONGEST_WHOLE", 2 * MIB)
    part = bytes(1 * MIB) + archive({"Page.md": b"# Page"})
    assert len(imported(export(tmp_path, {"1.zip": part}))[0]) == 2
    with pytest.raises(ImportRefused, match="archives that unpack"):
        imported(export(tmp_path, {"1.zip": part, "2.zip": part}))


def test_only_archives_are_counted_as_archives(tmp_path: Path) -> None:
    pages = {f"{number}.md": b"# One" for number in range(2 * archives.MOST_PARTS)}
    titles, _ = imported(export(tmp_path, {**pages, "Rest.zip": archive({"Last.md": b"# Last"})}))
    assert "Last" in titles


@pytest.mark.parametrize("name", ["Torn.md", "Torn.zip"])
def test_a_torn_member_is_named(tmp_path: Path, name: str) -> None:
    path = export(tmp_path, {name: b"# Torn " + bytes(range(256)) * 9})
    with zipfile.ZipFile(path) as whole:
        start = whole.getinfo(name).header_offset + 30 + len(name)
    torn = bytearray(path.read_bytes())
    torn[start : start + 8] = b"\xff" * 8
    path.write_bytes(torn)
    if name.endswith(".zip"):
        with pytest.raises(ImportRefused, match=name):
            imported(path)
        return
    titles, report = imported(path)
    assert titles == ["Good"]
    assert report.refused[0].startswith(name)
