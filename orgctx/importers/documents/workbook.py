"""Convert Excel workbooks: a heading and a table for each visible sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, time
from io import BytesIO
from typing import Any
from zipfile import ZipFile

from lxml import etree
from openpyxl import load_workbook

from orgctx.importers.documents.converted import Converted
from orgctx.importers.documents.package_file import count, open_package, properties
from orgctx.importers.documents.table import CUT, bounded, markdown_table

TRUE = ("1", "true")
MOST_COLUMNS = 16_384  # of Excel
# Of sheets, and of sheets in Strict Open XML. Anchors of drawings have rows and columns too.
NAMESPACES = (
    "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
    "http://purl.oclc.org/ooxml/spreadsheetml/main",
)
TAGS = tuple(f"{{{namespace}}}{name}" for namespace in NAMESPACES for name in ("row", "col"))


@dataclass(slots=True)
class _Layout:
    """What a sheet hides. rows, columns: numbers from 1."""

    rows: set[int] = field(default_factory=set)
    columns: set[int] = field(default_factory=set)
    row_count: int = 0
    uncomputed_count: int = 0


def convert(content: bytes) -> Converted:
    """Convert a workbook. Hidden sheets, rows and columns, comments and charts are counted."""
    archive = open_package(content)
    document = Converted(**properties(archive))
    skipped = document.skipped
    workbook = load_workbook(BytesIO(content), read_only=True, data_only=True)
    texts = []
    for sheet in workbook.worksheets:
        if sheet.sheet_state != "visible":
            skipped["hidden sheet"] += 1
        elif table := _table(sheet, archive, skipped):
            texts.append(f"## {' '.join(sheet.title.split())}\n\n{table}")
    skipped["comment"] += count(archive, "xl/comments", "comment")
    skipped["comment"] += count(archive, "xl/threadedComments", "threadedComment")
    skipped["picture, chart or other object"] += sum(
        name.startswith(("xl/charts/chart", "xl/media/")) for name in archive.namelist()
    )
    document.content = "\n\n".join(texts)
    return document


def _table(sheet: Any, archive: ZipFile, skipped: Counter[str]) -> str:
    layout = _layout(archive, sheet._worksheet_path)
    rows = list(bounded(_rows(sheet, layout)))
    skipped["hidden row of a table"] += len(layout.rows)
    skipped["hidden column of a table"] += len(layout.columns)
    skipped["formula without a stored result"] += layout.uncomputed_count
    skipped[CUT] += layout.row_count - len(rows)
    return markdown_table(rows)


def _layout(archive: ZipFile, path: str) -> _Layout:
    layout, number = _Layout(), 0
    with archive.open(path) as file:
        for _, element in etree.iterparse(file, tag=TAGS, resolve_entities=False, no_network=True):
            is_hidden = element.get("hidden") in TRUE
            if etree.QName(element).localname == "col":
                first, last = int(element.get("min")), int(element.get("max"))
                if is_hidden:
                    layout.columns.update(range(first, min(last, MOST_COLUMNS) + 1))
                continue
            number = int(element.get("r") or number + 1)
            is_filled = any(value.text for value in element.iter("{*}v", "{*}t"))
            formulas = (f.getparent() for f in element.iterfind("{*}c/{*}f"))
            layout.uncomputed_count += sum(not cell.findtext("{*}v") for cell in formulas)
            if is_hidden and is_filled:
                layout.rows.add(number)
            else:
                layout.row_count += is_filled
            element.clear()
    return layout


def _rows(sheet: Any, layout: _Layout) -> Iterator[list[str]]:
    """Yield the visible rows that have a value."""
    sheet.reset_dimensions()  # programs may state them wrongly
    for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
        cells = (
            []
            if number in layout.rows
            else [
                _text(value) for column, value in enumerate(row, 1) if column not in layout.columns
            ]
        )
        if any(cells):
            yield cells


def _text(value: Any) -> str:
    """Return a value as a reader of the sheet expects it, without its number format."""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float):
        return f"{value:.15g}"
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ")
    return "" if value is None else str(value)
