"""A file or folder that is replaced by a link during an import is not read."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from orgctx.importers import assets
from orgctx.importers.folder import files
from orgctx.importers.folder.files import walk
from orgctx.importers.records import Existing, Record, Target
from orgctx.importers.report import ImportRejected, Report
from orgctx.importers.telegram import importer as telegram
from tests.importers.conftest import Write, folders
from tests.support import factories as make

SECRET = "outside the folder"


@pytest.fixture
def outside(write: Write) -> Path:
    """A folder with the same names as the imported one."""
    for name in ("deep/page.md", "deep/page.html", "deep/more.md", "page.md", "page.html"):
        path = write(f"outside/{name}", f"<title>{SECRET}</title>\n\n# {SECRET}\n" * 50)
    return path.parent


@pytest.fixture
def folder(write: Write) -> Path:
    for name in ("deep/page.md", "deep/page.html", "page.md", "page.html"):
        path = write(f"wiki/{name}", "# Own\n")
    return path.parent


def replace(path: Path, target: Path) -> None:
    path.rename(path.with_name(f".{path.name}"))
    path.symlink_to(target)


def replace_all(folder: Path, outside: Path) -> None:
    for name in ("page.md", "page.html", "deep"):
        replace(folder / name, outside / name)


def imported(records: Any, folder: Path, replaced: Callable[[], None]) -> list[Record]:
    """Import a folder; `replaced` runs after the files were listed."""
    target = Target(make.ACME, "docs:main", Existing())
    found: Iterator[Record] = records(folder, target=target, report=Report())
    first = next(found)
    replaced()
    return [first, *found]


@pytest.mark.parametrize("records", [assets.records, folders.records])
def test_import_reads_no_file_that_became_a_link(records: Any, folder: Path, outside: Path) -> None:
    found = imported(records, folder, lambda: replace_all(folder, outside))
    assert SECRET not in str(found)


def test_export_in_a_folder_is_no_link(write: Write) -> None:
    """Otherwise, who fills the folder could read exports of others."""
    folder = write("mine/a.txt", "").parent
    (folder / "result.json").symlink_to(write("others/result.json", "{}"))
    target = Target(make.ACME, "telegram:main", Existing())
    with pytest.raises(ImportRejected, match="is a link"):
        list(telegram.records(folder, target=target, report=Report()))


def test_walk_lists_no_folder_that_became_a_link(folder: Path, outside: Path) -> None:
    report, names = Report(), []
    for entry in walk(folder, report):
        names.append(entry.path)
        if entry.path == "deep":
            replace(folder / "deep", outside / "deep")
    assert names == ["deep", "page.html", "page.md"]
    assert report.hides_files


def test_assets_have_no_size_of_a_file_that_became_a_link(
    folder: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list of the folder is already read when the files are replaced."""

    def replacing(*arguments: Any, **options: Any) -> Any:
        entries = list(walk(*arguments, **options))
        replace_all(folder, outside)
        return entries

    monkeypatch.setattr(assets, "walk", replacing)
    found = imported(assets.records, folder, lambda: None)
    sizes = {record["data"]["bytes"] for record in found if record["type"] == "asset"}
    assert all(size < 100 for size in sizes)


@pytest.mark.parametrize("kind", ["link", "pipe", "folder above", "missing"])
def test_opened_rejects_what_is_no_regular_file(folder: Path, outside: Path, kind: str) -> None:
    path = folder / "deep/page.md"
    with files.opened(folder, "deep/page.md") as file:
        assert file.read() == b"# Own\n"
    if kind == "folder above":
        replace(folder / "deep", outside / "deep")
    else:
        path.unlink()
    if kind == "link":
        path.symlink_to(outside / "page.md")
    elif kind == "pipe":
        os.mkfifo(path)
    with pytest.raises(OSError, match=r"deep|page"):
        files.opened(folder, "deep/page.md")
