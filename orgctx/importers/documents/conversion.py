"""Convert one HTML, Word, PowerPoint, PDF or EPUB file to Markdown, inside the sandbox.

Scripts, styles, forms, frames, embedded data and hidden parts are removed first.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from orgctx.importers.archive import opened

LIBRARIES = ("bs4", "lxml.etree", "mammoth", "markdownify", "pdfminer.high_level", "pptx")
MAX_FILE_BYTES = 64 * 1024 * 1024
LONGEST_UNPACKED = 512 * 1024 * 1024
LONGEST_TEXT = 64 * 1024 * 1024
EMPTY_LINES = re.compile(r"\n{3,}")
# What programs add to the title of a document that they print.
PROGRAM = re.compile(r"^Microsoft \w+ - |\.(docx?|pptx?)$")
PDF_DATE = re.compile(r"(?:D:)?(\d{4})(\d\d)(\d\d)(\d\d)?(\d\d)?(\d\d)?(Z|[+-]\d\d)?'?(\d\d)?")

# {"title", "created", "updated", "content"}; dates in Unix seconds, None if unknown.
Converted = dict[str, Any]


class ConversionError(Exception):
    """The file cannot be converted; the message says why."""


def convert(request: dict[str, str]) -> Converted:
    """Convert a file. Raises ConversionError.

    request: `path` of the file, and its `suffix`, a key of CONVERTERS.
    """
    with Path(request["path"]).open("rb") as file:
        content = file.read(MAX_FILE_BYTES + 1)
    if len(content) > MAX_FILE_BYTES:
        raise ConversionError(f"exceeds {MAX_FILE_BYTES >> 20} MiB")
    converted = CONVERTERS[request["suffix"]](content)
    text = converted["content"].replace("\0", "")
    text = text.encode(errors="replace").decode()
    converted["content"] = EMPTY_LINES.sub("\n\n", text).strip() + "\n"
    if len(text) > LONGEST_TEXT:
        raise ConversionError(f"contains more than {LONGEST_TEXT >> 20} MiB of text")
    return converted


def _html(content: bytes) -> Converted:
    from orgctx.importers.documents.web_page import page

    return page(content)


def _word(content: bytes) -> Converted:
    import mammoth  # type: ignore[import-untyped]

    from orgctx.importers.documents.web_page import markdown_of

    archive = _archive(content)
    converted = mammoth.convert_to_html(
        _without_hidden(archive), convert_image=mammoth.images.img_element(lambda _: {"src": ""})
    )
    return {**_properties(archive), "content": markdown_of(converted.value)}


def _without_hidden(archive: ZipFile) -> BytesIO:
    """Copy the document without hidden runs."""
    from lxml import etree

    word = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
    copy = BytesIO()
    with ZipFile(copy, "w") as target:
        for member in archive.infolist():
            data = archive.read(member)
            if member.filename.startswith("word/") and member.filename.endswith(".xml"):
                tree = etree.fromstring(data, _parser())
                for mark in list(tree.iter(f"{word}vanish")):
                    run = mark.getparent().getparent() if mark.getparent() is not None else None
                    is_on = mark.get(f"{word}val") not in ("0", "false", "off")
                    if is_on and run is not None and run.tag == f"{word}r":
                        run.getparent().remove(run)
                data = etree.tostring(tree)
            target.writestr(member.filename, data)
    copy.seek(0)
    return copy


def _slides(content: bytes) -> Converted:
    from pptx import Presentation

    archive = _archive(content)
    deck = Presentation(BytesIO(content))
    texts = []
    for number, slide in enumerate(deck.slides, 1):
        # Speaker notes and hidden slides are not shown to an audience.
        if slide._element.get("show") != "0":
            texts.append("\n\n".join(_slide(slide, number)))
    return {**_properties(archive), "content": "\n\n".join(texts)}


def _slide(slide: Any, number: int) -> Iterator[str]:
    title = slide.shapes.title
    yield f"## {' '.join(title.text.split()) if title is not None else f'Slide {number}'}"
    for shape in slide.shapes:
        if title is not None and shape.shape_id == title.shape_id:
            continue
        if shape.has_text_frame:
            lines = [paragraph.text.strip() for paragraph in shape.text_frame.paragraphs]
            yield "\n".join(f"- {line}" for line in lines if line)
        elif shape.has_table:
            rows = [[cell.text for cell in row.cells] for row in shape.table.rows]
            yield "\n".join(f"| {' | '.join(' '.join(c.split()) for c in row)} |" for row in rows)


def _book(content: bytes) -> Converted:
    from lxml import etree

    from orgctx.importers.documents.web_page import page

    archive = _archive(content)
    container = etree.fromstring(archive.read("META-INF/container.xml"), _parser())
    root = container.xpath("string(//*[local-name()='rootfile']/@full-path)")
    package = etree.fromstring(archive.read(root), _parser())
    items = {item.get("id"): item.get("href") for item in package.iter("{*}item")}
    base = root.rpartition("/")[0]
    texts = []
    for reference in package.iter("{*}itemref"):
        href = items.get(reference.get("idref"))
        if href and reference.get("linear") != "no":
            name = f"{base}/{href}".lstrip("/").partition("#")[0]
            texts.append(page(archive.read(name))["content"])
    metadata = {
        "title": package.xpath("string(//*[local-name()='title'][1])"),
        "updated": _seconds(package.xpath("string(//*[@property='dcterms:modified'])")),
        "created": _seconds(package.xpath("string(//*[local-name()='date'][1])")),
    }
    return {**metadata, "content": "\n\n".join(texts)}


def _pdf(content: bytes) -> Converted:
    from pdfminer.high_level import extract_text
    from pdfminer.pdfdocument import PDFDocument, PDFNoOutlines, PDFPasswordIncorrect
    from pdfminer.pdfparser import PDFParser
    from pdfminer.utils import decode_text

    try:
        document = PDFDocument(PDFParser(BytesIO(content)))
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
    return {
        "title": PROGRAM.sub("", properties.get("Title", "")),
        "created": _pdf_seconds(properties.get("CreationDate", "")),
        "updated": _pdf_seconds(properties.get("ModDate", "")),
        "content": "\n".join(lines),
    }


def _heading(line: str, outline: dict[str, int]) -> str:
    level = outline.get(" ".join(line.split())) if line else None
    return f"\n{'#' * min(level, 6)} {line}\n" if level else line


def _archive(content: bytes) -> ZipFile:
    """Open an archive. Raises ConversionError if it is invalid or too large when unpacked."""
    try:
        archive = opened(BytesIO(content))
    except (BadZipFile, RuntimeError, struct.error):
        raise ConversionError("is damaged, protected by a password, or of another type") from None
    if sum(member.file_size for member in archive.infolist()) > LONGEST_UNPACKED:
        raise ConversionError(f"unpacks to more than {LONGEST_UNPACKED >> 20} MiB")
    return archive


def _properties(archive: ZipFile) -> Converted:
    """Read title and dates from the properties of a Word or PowerPoint file."""
    from lxml import etree

    try:
        core = etree.fromstring(archive.read("docProps/core.xml"), _parser())
    except (KeyError, etree.XMLSyntaxError):
        return {"title": "", "created": None, "updated": None}
    return {
        "title": core.findtext("{*}title") or "",
        "created": _seconds(core.findtext("{*}created") or ""),
        "updated": _seconds(core.findtext("{*}modified") or ""),
    }


def _parser() -> Any:
    from lxml import etree

    return etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)


def _seconds(text: str) -> float | None:
    try:
        time = datetime.fromisoformat(text.strip())
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def _pdf_seconds(text: str) -> float | None:
    """Parse a date such as `D:20240131080000+01'00'`."""
    match = PDF_DATE.match(text)
    if not match:
        return None
    year, month, day, hour, minute, second, zone, minutes = match.groups()
    offset = "+00:00" if zone in (None, "Z") else f"{zone}:{minutes or '00'}"
    time = f"{hour or '00'}:{minute or '00'}:{second or '00'}"
    return _seconds(f"{year}-{month}-{day}T{time}{offset}")


CONVERTERS: dict[str, Callable[[bytes], Converted]] = {
    **dict.fromkeys((".html", ".htm", ".xhtml"), _html),
    ".docx": _word,
    ".epub": _book,
    ".pdf": _pdf,
    ".pptx": _slides,
}
