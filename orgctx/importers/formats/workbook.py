"""Convert Excel workbooks: a heading and a table for each visible sheet."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, time
from posixpath import normpath
from typing import Any
from zipfile import ZipFile

from lxml import etree
from openpyxl import load_workbook
from openpyxl.utils.cell import coordinate_to_tuple

from orgctx.importers.folder.conversion import FAINT, FAINT_REASON, Converted
from orgctx.importers.formats.package import SAFE, count, office_package, parse, properties
from orgctx.importers.formats.tables import CUT, bounded, markdown_table

TRUE, FALSE = ("1", "true"), ("0", "false")
OPTIONS = {"read_only": True, "data_only": True, "keep_links": False}
MOST_COLUMNS = 16_384  # of Excel
# Anchors of drawings have rows and columns of other namespaces.
NAMESPACE = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
COLORING = ("conditionalFormatting", "tablePart")
TAGS = tuple(f"{NAMESPACE}{name}" for name in ("row", "col", "sheetFormatPr", *COLORING))
TYPE_OF_STYLES = "spreadsheetml.styles+xml"
WHITE, SHOWN = "FFFFFF", "{}"
# What a format does not show of a value: colors and conditions, and padding as in `_(` and `* `.
PADDING = re.compile(r"\[[^\[\]]*\]|[_*].|\\?\s")
# Rows that are lower, in points, and columns that are narrower, in characters, show nothing.
SMALLEST = 0.5
# What to show of the numbers and of the text of a cell: all, nothing, or all of it as FAINT.
_Shows = tuple[str, ...]


@dataclass(slots=True)
class _Layout:
    """What a sheet hides. rows, columns: numbers from 1. cells: what pairs of them show instead.

    is_row_shown, is_column_shown: whether those are shown about which the sheet says nothing.
    """

    rows: set[int] = field(default_factory=set)
    columns: dict[int, bool] = field(default_factory=dict)
    cells: dict[tuple[int, int], str] = field(default_factory=dict)
    is_row_shown: bool = True
    is_column_shown: bool = True
    row_count: int = 0
    uncomputed_count: int = 0

    def has(self, column: int) -> bool:
        return self.columns.get(column, self.is_column_shown)


def convert(content: bytes) -> Converted:
    """Convert a workbook. Hidden sheets, rows and columns, comments and charts are counted."""
    archive = office_package(content)
    document = Converted(**properties(archive))
    skipped = document.skipped
    file: Any = archive.fp
    workbook = load_workbook(file, **OPTIONS)
    formats = _hiding_formats(archive)
    texts = []
    for sheet in workbook.worksheets:
        if sheet.sheet_state != "visible":
            skipped["hidden sheet"] += 1
            continue
        path = sheet._worksheet_path
        parts = (_table(sheet, _layout(archive, path, formats), skipped), _boxes(archive, path))
        if text := "\n\n".join(filter(None, parts)):
            texts.append(f"## {' '.join(sheet.title.split())}\n\n{text}")
    skipped["comment"] += count(archive, "xl/comments", "comment")
    skipped["comment"] += count(archive, "xl/threadedComments", "threadedComment")
    skipped["picture, chart or other object"] += sum(
        name.startswith(("xl/charts/chart", "xl/media/")) for name in archive.namelist()
    )
    document.content = "\n\n".join(texts)
    return document


def _table(sheet: Any, layout: _Layout, skipped: Counter[str]) -> str:
    rows = _rows(sheet, layout)
    table = list(bounded(rows))
    skipped["hidden row of a table"] += len(layout.rows)
    skipped["hidden column of a table"] += [*layout.columns.values()].count(False)
    skipped["cell that its format hides"] += [*layout.cells.values()].count("")
    skipped[FAINT_REASON] += [*layout.cells.values()].count(FAINT)
    skipped["formula without a stored result"] += layout.uncomputed_count
    if next(rows, None):
        skipped[CUT] += layout.row_count - len(table)
    return markdown_table(table)


def _hiding_formats(archive: ZipFile) -> dict[str, _Shows]:
    """Return the styles that do not show all, by their number."""
    types = parse(archive.read("[Content_Types].xml")).iter("{*}Override")
    names = [part.get("PartName") for part in types if TYPE_OF_STYLES in part.get("ContentType")]
    hiding = {}
    for name in names:
        styles = parse(archive.read(name.lstrip("/")))
        codes = {code.get("numFmtId"): code.get("formatCode") for code in styles.iter("{*}numFmt")}
        fonts = [_color(font.find("{*}color")) for font in styles.iterfind("{*}fonts/{*}font")]
        fills = [_fill(fill) for fill in styles.iterfind("{*}fills/{*}fill/*")]
        for number, style in enumerate(styles.iterfind("{*}cellXfs/{*}xf")):
            code = PADDING.sub("", codes.get(style.get("numFmtId")) or "").replace('""', "")
            color = fonts[int(style.get("fontId") or 0) :][:1]
            is_faint = any(color) and color == fills[int(style.get("fillId") or 0) :][:1]
            shown = FAINT if is_faint else SHOWN
            hides_numbers = code == ";;" or code.startswith(";;;")
            hides_text = code.count(";") == 3 and code.endswith(";")
            shows = tuple("" if hides else shown for hides in (hides_numbers, hides_text))
            if shows != (SHOWN, SHOWN):
                hiding[str(number)] = shows
    return hiding


def _fill(fill: Any) -> str:
    """Return the color behind a cell; nothing if it is not one."""
    if fill.get("patternType") == "solid":
        return _color(fill.find("{*}fgColor"))
    return "" if fill.tag.endswith("gradientFill") else WHITE


def _color(color: Any) -> str:
    """Return a color in a form that can be compared; nothing for that of the system."""
    if color is None or color.get("auto") or "indexed" in color.attrib:
        return WHITE if color is not None and color.get("indexed") in ("1", "9") else ""
    if rgb := color.get("rgb"):
        return str(rgb[-6:])
    return WHITE if color.attrib == {"theme": "0"} else str(sorted(color.items()))


def _layout(archive: ZipFile, path: str, formats: dict[str, _Shows]) -> _Layout:
    layout, number = _Layout(), 0
    with archive.open(path) as file:
        for _, element in etree.iterparse(file, tag=TAGS, **SAFE):
            is_hidden = element.get("hidden") in TRUE
            kind = etree.QName(element).localname
            if kind in COLORING:  # what is behind the cells is not known
                layout.cells = {place: "" for place, shown in layout.cells.items() if not shown}
                continue
            if kind == "sheetFormatPr":
                layout.is_row_shown = element.get("zeroHeight") not in TRUE
                layout.is_column_shown = float(element.get("defaultColWidth") or 1) >= SMALLEST
                continue
            if kind == "col":
                first, last = int(element.get("min")), min(int(element.get("max")), MOST_COLUMNS)
                is_shown = not is_hidden and float(element.get("width") or 1) >= SMALLEST
                if not (is_shown and layout.is_column_shown):
                    layout.columns |= dict.fromkeys(range(first, last + 1), is_shown)
                continue
            number = int(element.get("r") or number + 1)
            has_height = float(element.get("ht") or layout.is_row_shown) >= SMALLEST
            is_hidden |= not (has_height or element.get("hidden") in FALSE)
            is_filled = any(value.text for value in element.iter("{*}v", "{*}t"))
            formulas = (f.getparent() for f in element.iterfind("{*}c/{*}f"))
            layout.uncomputed_count += sum(not cell.findtext("{*}v") for cell in formulas)
            if is_hidden and is_filled:
                layout.rows.add(number)
            else:
                layout.row_count += is_filled
                layout.cells |= {(number, c): shown for c, shown in _hidden(element, formats)}
            element.clear()
    return layout


def _hidden(row: Any, formats: dict[str, _Shows]) -> Iterator[tuple[int, str]]:
    """Yield the columns of the cells that do not show all, and what they show."""
    column = 0
    for cell in row.iterfind("{*}c") if formats else ():
        place = cell.get("r")
        column = coordinate_to_tuple(place)[1] if place else column + 1
        is_text = cell.get("t", "n") not in ("n", "d", "b")
        shown = formats.get(cell.get("s"), (SHOWN, SHOWN))[is_text]
        if shown != SHOWN and len(cell):
            yield column, shown


def _rows(sheet: Any, layout: _Layout) -> Iterator[list[str]]:
    sheet.reset_dimensions()  # programs may state them wrongly
    for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
        columns = ((column, value) for column, value in enumerate(row, 1) if layout.has(column))
        cells = [layout.cells.get((number, c), SHOWN).format(_text(value)) for c, value in columns]
        if number not in layout.rows and any(cells):
            yield cells


def _boxes(archive: ZipFile, path: str) -> str:
    folder, _, name = path.rpartition("/")
    relations = f"{folder}/_rels/{name}.rels"
    names = set(archive.namelist())
    lines = []
    for relation in parse(archive.read(relations)) if relations in names else ():
        drawing = normpath(f"/{folder}/{relation.get('Target')}").lstrip("/")
        if not relation.get("Type", "").endswith("/drawing") or drawing not in names:
            continue
        for shape in parse(archive.read(drawing)).iter("{*}sp"):
            properties = shape.find(".//{*}cNvPr")
            if properties is not None and properties.get("hidden") not in TRUE:
                lines += ["".join(p.itertext("{*}t")) for p in shape.iter("{*}p")]
    return "\n".join(f"- {line.strip()}" for line in lines if line.strip())


def _text(value: Any) -> str:
    """Return a value as a reader of the sheet expects it, without its number format."""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float):
        return f"{value:.15g}"
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ")
    return "" if value is None else str(value)
