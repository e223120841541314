"""A Notion export may come from a stranger, so archives that unpack without bound are refused."""

import struct
import zipfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from orgctx.importers import ImportRejected, Report
from orgctx.importers import archive as archives
from tests.importers.conftest import imported, markdown
from tests.importers.office import archive

ID = "0123456789abcdef" * 2
MIB = 1024 * 1024


def titles_of(path: Path) -> tuple[list[str], Report]:
    """The titles that are imported, and the report."""
    items, report = imported(markdown, path)
    return [data["title"] for data in items], report


def export(folder: Path, members: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    """Write an export with these members besides a good page; all are archives or none is."""
    path = folder / "Export.zip"
    good: dict[str, bytes] = {f"Good {ID}.md": b"# Good"}
    are_parts = all(name.endswith(".zip") for name in members)
    path.write_bytes(archive({"Good.zip": archive(good)} if are_parts else good))
    with zipfile.ZipFile(path, "a", method) as target:
        for name, content in members.items():
            target.writestr(name, content)
    return path


def test_wide_database_is_bounded(tmp_path: Path) -> None:
    wide = b"," * 10_000 + b"\n" * 10_000
    items, report = imported(markdown, export(tmp_path, {"Wide.csv": wide}))
    assert items[1]["content"] == "# Wide\n"
    assert report.refused == []


def test_inner_archive_of_a_method_without_a_bound_is_refused(tmp_path: Path) -> None:
    """Python unpacks some methods without a limit of the output; test_documents.py has a page."""
    with pytest.raises(ImportRejected, match="a compression other"):
        titles_of(export(tmp_path, {"Part.zip": archive({})}, zipfile.ZIP_LZMA))


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
    parts = {"Pages.zip": archive(pages), "Rest.zip": archive({"Last.md": b"# Last"})}
    assert "Last" in titles_of(export(tmp_path, parts))[0]


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


def directory(count: int, *, stated: int | None = None, with_zip64: bool = False) -> bytes:
    """An archive that lists this many files; none of them is in it. stated: the count it states."""
    name = b"Page.md"
    entry = struct.pack("<4s6H3L5H2L", b"PK\1\2", *[20] * 6, 0, 0, 0, len(name), *[0] * 6) + name
    size, count_field = len(entry) * count, min(count if stated is None else stated, 0xFFFF)
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, count_field, count_field, size, 0, 0)
    if with_zip64:
        end = (
            struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, 1, 1, size, 0)
            + struct.pack("<4sLQL", b"PK\6\7", 0, size, 1)
            + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, *[0xFFFFFFFF] * 2, 0)
        )
    return entry * count + end


@pytest.mark.thorough
@pytest.mark.parametrize("options", [{}, {"stated": 0}, {"with_zip64": True}])
def test_directory_is_bounded_before_it_is_read(options: dict[str, Any]) -> None:
    most = directory(archives.MOST_ENTRIES // 2, **options)
    assert len(archives.opened(BytesIO(most)).infolist()) == archives.MOST_ENTRIES // 2
    with pytest.raises(ValueError, match="lists more than 200,000 files and folders"):
        archives.opened(BytesIO(directory(archives.MOST_ENTRIES + 1, **options)))


def test_directory_has_a_maximum_size() -> None:
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as target:
        for number in range(520):
            info = zipfile.ZipInfo(f"{number}.md")
            info.comment = bytes(65_535)
            target.writestr(info, b"")
    with pytest.raises(ValueError, match="needs more than 32 MiB to list its files"):
        archives.opened(file)


@pytest.mark.thorough
def test_inner_archives_share_the_maximum_of_entries(tmp_path: Path) -> None:
    part = directory(archives.MOST_MEMBERS)
    with pytest.raises(ImportRejected, match=r"[23]\.zip: .* lists more than 200,000"):
        titles_of(export(tmp_path, {"1.zip": part, "2.zip": part, "3.zip": part}))
