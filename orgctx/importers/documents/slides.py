"""Convert PowerPoint presentations: the slides that an audience sees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Any

from pptx import Presentation
from pptx.shapes.group import GroupShape

from orgctx.importers.documents.converted import ConversionError, Converted
from orgctx.importers.documents.package_file import count, open_package, properties
from orgctx.importers.documents.table import markdown_table

# Booleans of XML.
TRUE, FALSE = ("1", "true"), ("0", "false")


def convert(content: bytes) -> Converted:
    """Convert a presentation. Hidden slides, notes, comments and pictures are counted."""
    archive = open_package(content)
    document = Converted(**properties(archive))
    skipped = document.skipped
    texts = []
    for number, slide in enumerate(_opened(content).slides, 1):
        if slide.has_notes_slide and _has_notes(slide):
            skipped["speaker notes"] += 1
        if slide._element.get("show") in FALSE:
            skipped["hidden slide"] += 1
        else:
            texts.append("\n\n".join(_slide(slide, number, skipped)))
    skipped["comment"] += count(archive, "ppt/comments/", "cm")
    document.content = "\n\n".join(texts)
    return document


def _opened(content: bytes) -> Any:
    try:
        return Presentation(BytesIO(content))
    except ValueError:  # such as a slide show; its text names an address
        raise ConversionError("is no presentation; save it as .pptx") from None


def _has_notes(slide: Any) -> bool:
    frame = slide.notes_slide.notes_text_frame
    return frame is not None and bool(frame.text.strip())


def _slide(slide: Any, number: int, skipped: Counter[str]) -> Iterator[str]:
    title = slide.shapes.title
    if title is not None and not title.has_text_frame:
        title = None  # a picture in its place
    yield f"## {' '.join(title.text.split()) if title is not None else f'Slide {number}'}"
    for shape in _shapes(slide.shapes, skipped):
        if title is not None and shape.shape_id == title.shape_id:
            continue
        if shape.has_text_frame:
            lines = [paragraph.text.strip() for paragraph in shape.text_frame.paragraphs]
            yield "\n".join(f"- {line}" for line in lines if line)
        elif shape.has_table:
            yield markdown_table([cell.text for cell in row.cells] for row in shape.table.rows)
        else:
            skipped["picture, chart or other object"] += 1


def _shapes(shapes: Iterable[Any], skipped: Counter[str]) -> Iterator[Any]:
    """Yield the visible shapes, replacing each group by its shapes."""
    pending = [*shapes][::-1]
    while pending:
        shape = pending.pop()
        if shape._element._nvXxPr.cNvPr.get("hidden") in TRUE:
            skipped["hidden object of a slide"] += 1
        elif isinstance(shape, GroupShape):
            pending += [*shape.shapes][::-1]
        else:
            yield shape
