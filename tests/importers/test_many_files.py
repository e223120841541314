"""Folders of many small files are imported with memory and time in proportion to their number."""

import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from orgctx.importers import assets
from orgctx.importers.records import Existing, Target
from orgctx.importers.report import Report
from tests.importers.conftest import folders
from tests.support import factories as make

FEW, MANY = 300, 1_500
# A million files took 650 to 820 MB.
MOST_BYTES = 2_500


# pathlib interns names: while the paths are kept, an import does not enlarge the table of strings.
INTERNED: list[Path] = []


def peak_bytes(importer: Any, folder: Path, count: int) -> int:
    """Import a folder of new files, keep no record, and return the peak of the memory.

    Half of the files are in folders of their own.
    """
    for number in range(count):
        file = folder / (f"folder {number}" if number % 2 else "") / f"note {number}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"# Note {number}\n")
        INTERNED.append(file)
    target, report = Target(make.ACME, "docs:main", Existing()), Report()
    tracemalloc.start()
    found = importer.records(folder, target=target, report=report)
    loaded = sum(
        record["data"].get("kind") == "file" or record["type"] == "knowledge" for record in found
    )
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert loaded == count
    return peak


@pytest.mark.thorough
@pytest.mark.parametrize("importer", [assets, folders], ids=["assets", "markdown"])
def test_memory_grows_with_the_number_of_files(importer: Any, tmp_path: Path) -> None:
    few, many = (peak_bytes(importer, tmp_path / str(count), count) for count in (FEW, MANY))
    each = (many - few) / (MANY - FEW)
    print(f"{each:,.0f} bytes for each file")
    assert each < MOST_BYTES
