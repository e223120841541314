"""Convert Excel workbooks: a heading and a table for each visible sheet."""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, time
from typing import Any
from zipfile import ZipFile

from lxml import etree
from openpyxl import load_workbook

from orgctx.importers.formats import Converted
from orgctx.importers.formats.package import SAFE, count, open_package, properties
from orgctx.importers.formats.tables import bounded, markdown_table

TRUE = ("1", "true")
OPTIONS = {"read_only": True, "data_only": True, "keep_links": False}
MOST_COLUMNS = 16_384  # of Excel
# A format of percent, of which the first section has no condition and no text of its own.
PERCENT = re.compile(r"[#0?,. ]*%\s*(?:;|$)")
# Anchors of drawings have rows and columns of other namespaces.
NAMESPACE = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
ROW, COLUMN = f"{NAMESPACE}row", f"{NAMESPACE}col"


def convert(content: bytes) -> Converted:
    """Convert a workbook. Hidden sheets, rows and columns, comments and charts are counted."""
    archive = open_package(content)
    document = Converted(**properties(archive))
    skipped = document.skipped
    file: Any = archive.fp
    workbook = load_workbook(file, **OPTIONS)
    texts = []
    for sheet in workbook.worksheets:
        if sheet.sheet_state != "visible":
            skipped["hidden sheet"] += 1
            continue
        path = sheet._worksheet_path
        rows = _rows(sheet, *_hidden(archive, path, skipped), skipped)
        if table := markdown_table(bounded(rows, skipped)):
            texts.append(f"## {' '.join(sheet.title.split())}\n\n{table}")
    skipped["comment"] += count(archive, "xl/comments", "comment")
    skipped["comment"] += count(archive, "xl/threadedComments", "threadedComment")
    skipped["picture, chart or other object"] += sum(
        name.startswith(("xl/charts/chart", "xl/media/")) for name in archive.namelist()
    )
    skipped["picture, chart or other object"] += count(archive, "xl/drawings/", "sp")
    document.content = "\n\n".join(texts)
    return document


def _hidden(archive: ZipFile, path: str, skipped: Counter[str]) -> tuple[set[int], set[int]]:
    """Return the numbers of the rows and columns that a sheet hides."""
    rows, columns, number = set[int](), set[int](), 0
    with archive.open(path) as file:
        for _, element in etree.iterparse(file, tag=(ROW, COLUMN), **SAFE):
            is_hidden = element.get("hidden") in TRUE or "0" in (
                element.get("ht"),
                element.get("width"),
            )
            if element.tag == COLUMN:
                first, last = int(element.get("min")), min(int(element.get("max")), MOST_COLUMNS)
                columns.update(range(first, last + 1) if is_hidden else ())
                continue
            number = int(element.get("r") or number + 1)
            rows.update([number] if is_hidden else ())
            formulas = (f.getparent() for f in element.iterfind("{*}c/{*}f"))
            uncomputed = [cell for cell in formulas if not cell.findtext("{*}v")]
            skipped["formula without a stored result"] += len(uncomputed)
            element.clear()
    skipped["hidden column of a table"] += len(columns)
    return rows, columns


def _rows(
    sheet: Any, hidden_rows: set[int], hidden_columns: set[int], skipped: Counter[str]
) -> Iterator[list[str]]:
    """Yield the rows with a text that a sheet shows."""
    sheet.reset_dimensions()  # programs may state them wrongly
    for number, row in enumerate(sheet.iter_rows(), 1):
        shown = (cell for column, cell in enumerate(row, 1) if column not in hidden_columns)
        cells = [_text(cell.value, cell) for cell in shown]
        if not any(cells):
            continue
        if number in hidden_rows:
            skipped["hidden row of a table"] += 1
        else:
            yield cells


def _text(value: Any, cell: Any) -> str:
    """Return a value in English, with ISO dates."""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int | float) and PERCENT.match(cell.number_format or ""):
        return f"{value * 100:.15g}%"
    if isinstance(value, float):
        return f"{value:.15g}"
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ")
    return "" if value is None else str(value)
