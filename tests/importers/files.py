"""Small files of each format of documents, as programs write them."""

from datetime import UTC, datetime
from io import BytesIO
from typing import Any

from openpyxl import Workbook
from openpyxl.comments import Comment

CREATED = datetime(2024, 1, 2, tzinfo=UTC)
UPDATED = datetime(2024, 2, 3, tzinfo=UTC)


def workbook() -> bytes:
    """Two visible sheets, one of them empty, and a hidden one."""
    book = Workbook()
    sheet = book.active
    sheet.title = "Harbours"
    for row in (
        ["Name", "Depth", "Secret", "Since"],
        ["East | A", 7.5, "x", CREATED.replace(tzinfo=None)],
        ["hidden row"],
        [],
        ["West\nB", True, "y", "=SUM(B2:B3)"],
        [None, None, "z"],
    ):
        sheet.append(row)
    sheet.column_dimensions["C"].hidden = True
    sheet.row_dimensions[3].hidden = True
    sheet["A2"].comment = Comment("Only for us", "Bob")
    book.create_sheet("Empty")
    hidden = book.create_sheet("Plans")
    hidden.append(["secret"])
    hidden.sheet_state = "hidden"
    book.properties.title = "Ports"
    book.properties.created = CREATED.replace(tzinfo=None)
    book.properties.modified = UPDATED.replace(tzinfo=None)
    return _saved(book)


def _saved(document: Any) -> bytes:
    file = BytesIO()
    document.save(file)
    return file.getvalue()
