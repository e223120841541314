"""Convert PDF files that contain text."""

import re

import pypdfium2 as pdfium
from pypdfium2 import raw

from orgctx.importers.formats import ConversionError, Converted, seconds

DAMAGED = "is damaged or no PDF file"
# What programs add to the title of a document that they print.
PROGRAM = re.compile(r"^Microsoft \w+ - |\.(docx?|pptx?)$")
DATE = re.compile(r"(?:D:)?(\d{8})((?:\d\d){1,3})?(?:([+-]\d\d)'?(\d\d)?)?")
# PDFium puts U+0002 or, in other functions, U+FFFE for a hyphen and the end of its line.
HYPHEN, OTHER_HYPHEN = "\x02", "\ufffe"
# The same elsewhere, and glyphs without a known character.
UNKNOWN = re.compile(r"(?<!\w)\x02|\x02(?!\w)|[\0\x01\x03-\x08\x0a-\x1f\x7f-\x9f\ufffe\uffff]")
BREAK = re.compile(r"(?<=[^\W\d_])\x02(?=(\w))|\x02")
LINE_END = re.compile(r"[\r\n]+")


def convert(content: bytes) -> Converted:
    """Convert a file, whose text has no headings."""
    try:
        document = pdfium.PdfDocument(content)
    except pdfium.PdfiumError as error:
        if error.err_code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY):
            raise ConversionError("is protected by a password; remove it") from None
        raise ConversionError(DAMAGED) from None
    title, created, updated = (
        _property(document, name) for name in ("Title", "CreationDate", "ModDate")
    )
    converted = Converted(
        title=PROGRAM.sub("", title), created=_seconds(created), updated=_seconds(updated)
    )
    texts, page_count = [], len(document)
    for number in range(page_count):
        try:
            page = document[number]
            text_page = page.get_textpage()
        except pdfium.PdfiumError:
            converted.skipped["damaged page"] += 1
            continue
        texts.append(_text(text_page))
        converted.skipped["page without text"] += not texts[-1]
        page.close()
    document.close()
    if converted.skipped["damaged page"] == page_count:
        raise ConversionError(DAMAGED)
    # A hyphen at the end of a line stays where one could be meant.
    converted.content = BREAK.sub(
        lambda match: "" if match[1] and match[1].islower() else "-", "\n\n".join(texts)
    )
    if not converted.content.strip():
        raise ConversionError("contains no text; scanned pages need OCR first")
    return converted


def _property(document: pdfium.PdfDocument, name: str) -> str:
    """Return a property of the document, or an empty text if it is not UTF-16."""
    try:
        return str(document.get_metadata_value(name))
    except UnicodeDecodeError:
        return ""


def _text(page: pdfium.PdfTextPage) -> str:
    """Return the lines of a page that have a text."""
    lines = LINE_END.split(page.get_text_range().replace(OTHER_HYPHEN, HYPHEN))
    return "\n".join(filter(None, (UNKNOWN.sub("", line).strip() for line in lines)))


def _seconds(text: str) -> float | None:
    """Parse a date such as `D:20240131080000+01'00'`."""
    match = DATE.match(text)
    if not match:
        return None
    day, time, hours, minutes = match.groups()
    return seconds(f"{day}T{time or '00'}" + (f"{hours}{minutes or '00'}" if hours else "Z"))
