"""Convert PDF files that contain text."""

from __future__ import annotations

import re
from io import BytesIO
from itertools import count

from pdfminer import layout
from pdfminer.high_level import extract_text
from pdfminer.pdfdocument import PDFDocument, PDFNoOutlines, PDFPasswordIncorrect
from pdfminer.pdfpage import PDFPage
from pdfminer.pdfparser import PDFParser
from pdfminer.pdftypes import resolve1
from pdfminer.utils import decode_text

from orgctx.importers.documents.converted import ConversionError, Converted, seconds

# What programs add to the title of a document that they print.
PROGRAM = re.compile(r"^Microsoft \w+ - |\.(docx?|pptx?)$")
DATE = re.compile(r"(?:D:)?(\d{4})(\d\d)(\d\d)(\d\d)?(\d\d)?(\d\d)?(Z|[+-]\d\d)?'?(\d\d)?")
COMMENTS = ("Text", "FreeText", "Highlight", "Underline", "StrikeOut", "Caret", "Ink", "Stamp")

_serials = count()


def _serial(component: layout.LTComponent) -> int:
    """Return the number of a part of a page, in the order in which the parts are grouped."""
    number: int = vars(component).setdefault("serial", next(_serials))
    return number


# pdfminer orders parts at equal distances by id(), so each run would give another text.
layout.id = _serial  # type: ignore[attr-defined]


def convert(content: bytes) -> Converted:
    """Convert a file. Lines that its outline names become headings."""
    try:
        document = PDFDocument(PDFParser(BytesIO(content)))
        comment_count = sum(map(_comments, PDFPage.create_pages(document)))
        text = extract_text(BytesIO(content))
    except PDFPasswordIncorrect:
        raise ConversionError("is protected by a password; remove it") from None
    if not text.strip():
        raise ConversionError("contains no text; scanned pages need OCR first")
    try:
        outline = {" ".join(title.split()): level for level, title, *_ in document.get_outlines()}
    except PDFNoOutlines:
        outline = {}
    info = document.info[0] if document.info else {}
    properties = {
        name: decode_text(value) for name, value in info.items() if isinstance(value, bytes)
    }
    lines = [_heading(line.strip(), outline) for line in text.replace("\f", "\n\n").splitlines()]
    converted = Converted(
        title=PROGRAM.sub("", properties.get("Title", "")),
        created=_seconds(properties.get("CreationDate", "")),
        updated=_seconds(properties.get("ModDate", "")),
        content="\n".join(lines),
    )
    converted.skipped["comment"] += comment_count
    # A form feed ends each page.
    pages = text.split("\f")[:-1]
    converted.skipped["page without text"] += sum(not page.strip() for page in pages)
    return converted


def _comments(page: PDFPage) -> int:
    """Count the annotations of a page that somebody wrote."""
    annotations = resolve1(page.annots) or ()
    values = (resolve1(annotation) for annotation in annotations if annotation)
    names = (
        str(getattr(value.get("Subtype"), "name", ""))
        for value in values
        if isinstance(value, dict)
    )
    return sum(name in COMMENTS for name in names)


def _heading(line: str, outline: dict[str, int]) -> str:
    level = outline.get(" ".join(line.split())) if line else None
    return f"\n{'#' * min(level, 6)} {line}\n" if level else line


def _seconds(text: str) -> float | None:
    """Parse a date such as `D:20240131080000+01'00'`."""
    match = DATE.match(text)
    if not match:
        return None
    year, month, day, hour, minute, second, zone, minutes = match.groups()
    offset = "+00:00" if zone in (None, "Z") else f"{zone}:{minutes or '00'}"
    time = f"{hour or '00'}:{minute or '00'}:{second or '00'}"
    return seconds(f"{year}-{month}-{day}T{time}{offset}")
