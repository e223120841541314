"""Folders of many small files are imported with memory and time in proportion to their number."""

import tracemalloc
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from orgctx.importers import Existing, Report, assets
from orgctx.importers.records import Target
from tests.importers.conftest import markdown
from tests.support import factories as make

FEW, MANY = 300, 1_500
# A million files took 650 to 820 MB.
MOST_BYTES = 2_000


# pathlib interns names: while the paths are kept, an import does not enlarge the table of strings.
INTERNED: list[Path] = []


@pytest.fixture(scope="module", params=["one folder", "a folder for each file"])
def folders(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> list[Path]:
    """Two folders with FEW and MANY files."""
    folders = []
    for count in (FEW, MANY):
        folder = tmp_path_factory.mktemp("many")
        for number in range(count):
            place = folder if request.param == "one folder" else folder / f"folder {number}"
            place.mkdir(exist_ok=True)
            file = place / f"note {number}.md"
            file.write_text(f"# Note {number}\n")
            INTERNED.append(file)
        folders.append(folder)
    return folders


def peak_bytes(importer: Any, folder: Path, count: int) -> int:
    """Import a folder, keep no record, and return the peak of the memory."""
    target, report = Target(make.ACME, "docs:main", Existing()), Report()
    tracemalloc.start()
    types = Counter(
        record["data"].get("kind", record["type"])
        for record in importer.records(folder, target=target, report=report)
        if record["type"] != "source"
    )
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert max(types.values()) == count
    return peak


@pytest.mark.thorough
@pytest.mark.parametrize("importer", [assets, markdown], ids=["assets", "markdown"])
def test_memory_grows_with_the_number_of_files(importer: Any, folders: list[Path]) -> None:
    few, many = (
        peak_bytes(importer, folder, count)
        for folder, count in zip(folders, (FEW, MANY), strict=True)
    )
    each = (many - few) / (MANY - FEW)
    print(f"{each:,.0f} bytes for each file")
    assert each < MOST_BYTES
