"""Convert OpenDocument texts, without hidden text, deleted text and comments."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from typing import Any
from zipfile import ZipFile

from odfdo import Document

from orgctx.importers.documents.converted import ConversionError, Converted
from orgctx.importers.documents.package_file import open_package, parse

# Elements to remove, by the reason that counts them. The parts of a change count, not their list.
DROPPED = {
    "//office:annotation": "comment",
    "//text:deletion": "deleted text of a tracked change",
    "//text:tracked-changes": "",
    "//text:hidden-text|//text:hidden-paragraph": "hidden text",
    "//text:section[@text:display and @text:display!='true']": "hidden section",
    "//draw:image|//draw:object|//draw:object-ole": "picture or embedded object",
}


def convert(content: bytes) -> Converted:
    """Convert a text. What is left out is counted."""
    archive = open_package(content)
    if b"encryption-data" in archive.read("META-INF/manifest.xml"):
        raise ConversionError("is protected by a password; remove it")
    document = Document(BytesIO(content))
    converted = Converted(title=document.meta.title or "")
    converted.created = _seconds(document.meta.creation_date)
    converted.updated = _seconds(document.meta.date)
    hidden = {_styled(name): "hidden text" for name in _hidden_styles(archive)}
    for path, reason in {**DROPPED, **hidden}.items():
        for element in document.body.xpath(path):
            converted.skipped[reason] += 1
            _remove(element)
    converted.skipped["header or footer"] += _margin_count(archive)
    converted.content = str(document.to_markdown())
    return converted


def _seconds(time: datetime | None) -> float | None:
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp() if time else None


def _hidden_styles(archive: ZipFile) -> Iterator[str]:
    for name in {"content.xml", "styles.xml"} & set(archive.namelist()):
        for style in parse(archive.read(name)).iter("{*}style"):
            properties = style.find("{*}text-properties")
            display = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}display"
            if properties is not None and properties.get(display) == "none":
                yield next(value for key, value in style.items() if key.endswith("}name"))


def _margin_count(archive: ZipFile) -> int:
    """Count the headers and footers that have text."""
    styles = parse(archive.read("styles.xml")) if "styles.xml" in archive.namelist() else ()
    margins = (part for style in styles for part in style.iter("{*}header", "{*}footer"))
    return sum(any(text.strip() for text in part.itertext()) for part in margins)


def _styled(name: str) -> str:
    quote = "'" if '"' in name else '"'
    return f"//text:*[@text:style-name={quote}{name}{quote}]"


def _remove(element: Any) -> None:
    if element.parent is not None:
        element.delete()
