"""A Notion export may come from a stranger, so archives that unpack without bound are refused."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from orgctx.importers import ImportRejected, Report
from orgctx.importers import archive as archives
from orgctx.importers.markdown import importer as markdown
from orgctx.importers.markdown import notion
from tests.importers.conftest import imported
from tests.importers.office import archive

ID = "0123456789abcdef" * 2
MIB = 1024 * 1024


def titles_of(path: Path) -> tuple[list[str], Report]:
    """The titles that are imported, and the report."""
    items, report = imported(markdown, path)
    return [data["title"] for data in items], report


def export(folder: Path, members: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    """Write an export with these members besides a good page."""
    path = folder / "Export.zip"
    path.write_bytes(archive({f"Good {ID}.md": b"# Good"}))
    with zipfile.ZipFile(path, "a", method) as target:
        for name, content in members.items():
            target.writestr(name, content)
    return path


def test_database_has_a_maximum_of_cells(tmp_path: Path) -> None:
    path = export(tmp_path, {"Wide.csv": b"," * 10_000 + b"\n" * 10_000})
    titles, report = titles_of(path)
    assert titles == ["Good"]
    assert report.refused == [f"Wide.csv: exceeds {notion.MOST_CELLS:,} cells"]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_archive_method_without_a_bound_is_refused(tmp_path: Path, method: int) -> None:
    """Python unpacks these methods without a limit of the output."""
    path = export(tmp_path, {"Bomb.md": bytes(MIB)}, method)
    titles, report = titles_of(path)
    assert titles == ["Good"]
    assert report.refused == ["Bomb.md: uses a compression other than deflate; pack it again"]
    with pytest.raises(ImportRejected, match="a compression other"):
        titles_of(export(tmp_path, {"Part.zip": archive({})}, method))


def test_inner_archives_share_a_maximum_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "LONGEST_WHOLE", 2 * MIB)
    part = bytes(1 * MIB) + archive({"Page.md": b"# Page"})
    assert len(titles_of(export(tmp_path, {"1.zip": part}))[0]) == 2
    with pytest.raises(ImportRejected, match="archives that unpack"):
        titles_of(export(tmp_path, {"1.zip": part, "2.zip": part}))


def test_pages_do_not_count_as_archives(tmp_path: Path) -> None:
    pages = {f"{number}.md": b"# One" for number in range(2 * archives.MOST_PARTS)}
    titles, _ = titles_of(export(tmp_path, {**pages, "Rest.zip": archive({"Last.md": b"# Last"})}))
    assert "Last" in titles


@pytest.mark.parametrize("name", ["Torn.md", "Torn.zip"])
def test_torn_member_is_named(tmp_path: Path, name: str) -> None:
    path = export(tmp_path, {name: b"# Torn " + bytes(range(256)) * 9})
    with zipfile.ZipFile(path) as whole:
        start = whole.getinfo(name).header_offset + 30 + len(name)
    torn = bytearray(path.read_bytes())
    torn[start : start + 8] = b"\xff" * 8
    path.write_bytes(torn)
    if name.endswith(".zip"):
        with pytest.raises(ImportRejected, match=name):
            titles_of(path)
        return
    titles, report = titles_of(path)
    assert titles == ["Good"]
    assert report.refused[0].startswith(name)
