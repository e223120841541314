"""Convert PDF files that contain text."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable
from unicodedata import normalize

import pypdfium2 as pdfium
from pypdfium2 import raw

from orgctx.importers.folder.conversion import ConversionError, Converted, seconds
from orgctx.schemas.text import utf16_length

DAMAGED = "is damaged or no PDF file"
# What programs add to the title of a document that they print.
PROGRAM = re.compile(r"^Microsoft \w+ - |\.(docx?|pptx?)$")
DATE = re.compile(r"(?:D:)?(\d{8})((?:\d\d){1,3})?(?:([+-]\d\d)'?(\d\d)?)?")
# PDFium puts U+0002 or, in other functions, U+FFFE for a hyphen and the end of its line.
HYPHEN, OTHER_HYPHEN = "\x02", "\ufffe"
# The same elsewhere, and glyphs without a known character.
UNKNOWN = re.compile(r"(?<!\w)\x02|\x02(?!\w)|[\0\x01\x03-\x08\x0a-\x1f\x7f-\x9f\ufffe\uffff]")
BREAK = re.compile(r"(?<=[^\W\d_])\x02(?=(\w))|\x02")
SECTION = re.compile(r"(?:[0-9]{1,4}|[A-Z])(?:\.[0-9]{1,4}){0,6}\.?\s{1,4}")
NOT_IN_KEY = re.compile(r"[\W_]+")
LINE_END = re.compile(r"[\r\n]+")


def convert(content: bytes) -> Converted:
    """Convert a file. Lines that its bookmarks name become headings."""
    try:
        document = pdfium.PdfDocument(content)
    except pdfium.PdfiumError as error:
        if error.err_code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY):
            raise ConversionError("is protected by a password; remove it") from None
        raise ConversionError(DAMAGED) from None
    title, created, updated = (
        _decoded(document.get_metadata_value, key) for key in ("Title", "CreationDate", "ModDate")
    )
    converted = Converted(
        title=PROGRAM.sub("", title), created=_seconds(created), updated=_seconds(updated)
    )
    bookmarks = _bookmarks(document)
    texts, page_count = [], len(document)
    for number in range(page_count):
        try:
            page = document[number]
            text_page = page.get_textpage()
        except pdfium.PdfiumError:
            converted.skipped["damaged page"] += 1
            continue
        lines = _lines(text_page, converted.skipped)
        converted.skipped["page without text"] += not lines
        texts.append(_text(lines, bookmarks[number]))
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


def _decoded(read: Callable[..., str], *arguments: str) -> str:
    """Return a text of the document, or an empty one if it is not UTF-16."""
    try:
        return read(*arguments)
    except UnicodeDecodeError:
        return ""


def _bookmarks(document: pdfium.PdfDocument) -> defaultdict[int, dict[str, int]]:
    """Return the levels of the bookmarks of each page, from 1, by the keys of their titles."""
    bookmarks: defaultdict[int, dict[str, int]] = defaultdict(dict)
    for bookmark in document.get_toc():
        if (target := bookmark.get_dest()) and (number := target.get_index()) is not None:
            for key in _keys(_decoded(bookmark.get_title)):
                bookmarks[number].setdefault(key, bookmark.level + 1)
    return bookmarks


def _lines(page: pdfium.PdfTextPage, skipped: Counter[str]) -> list[str]:
    """Return the lines of a page that have a text."""
    characters = page.get_text_range().replace(OTHER_HYPHEN, HYPHEN)
    unknown = max(page.count_chars() - utf16_length(characters), 0)
    lines = []
    for line in LINE_END.split(characters):
        text, count = UNKNOWN.subn("", line)
        unknown += count
        lines.append(text.strip())
    skipped["character that cannot be decoded"] += unknown
    return [line for line in lines if line]


def _text(lines: list[str], bookmarks: dict[str, int]) -> str:
    """Return the text of a page. The first line with the title of a bookmark is a heading."""
    parts, level = [], 0
    for line in lines:
        is_after_heading = level > 0
        keys = _keys(line) & bookmarks.keys() if bookmarks else ()
        level = min((bookmarks.pop(key) for key in keys), default=0)
        if level or is_after_heading:
            parts.append("")
        parts.append("#" * min(level, 6) + " " * (level > 0) + line)
    return "\n".join(parts)


def _keys(title: str) -> set[str]:
    """Return the letters and digits of a title, with and without the number of its section."""
    title = normalize("NFKC", title).strip()
    keys = {NOT_IN_KEY.sub("", each).casefold() for each in (title, SECTION.sub("", title, 1))}
    return keys - {""}


def _seconds(text: str) -> float | None:
    """Parse a date such as `D:20240131080000+01'00'`."""
    match = DATE.match(text)
    if not match:
        return None
    day, time, hours, minutes = match.groups()
    return seconds(f"{day}T{time or '00'}" + (f"{hours}{minutes or '00'}" if hours else "Z"))
