"""Convert PowerPoint presentations: the slides that an audience sees."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from pptx import Presentation
from pptx.shapes.group import GroupShape

from orgctx.importers.folder.conversion import ConversionError, Converted
from orgctx.importers.formats.package import count, office_package, properties
from orgctx.importers.formats.tables import markdown_table

# Booleans of XML.
TRUE, FALSE = ("1", "true"), ("0", "false")


def convert(content: bytes) -> Converted:
    """Convert a presentation. Hidden slides, notes, comments and pictures are counted."""
    archive = office_package(content)
    document = Converted(**properties(archive))
    skipped = document.skipped
    texts = []
    try:
        file: Any = archive.fp
        deck = Presentation(file)
    except ValueError:  # such as a slide show; its text names an address
        raise ConversionError("is not a presentation; save it as .pptx") from None
    for number, slide in enumerate(deck.slides, 1):
        notes = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
        skipped["speaker notes"] += notes is not None and bool(notes.text.strip())
        if slide._element.get("show") in FALSE:
            skipped["hidden slide"] += 1
        else:
            texts.append("\n\n".join(_slide(slide, number, skipped)))
    skipped["comment"] += count(archive, "ppt/comments/", "cm")
    document.content = "\n\n".join(texts)
    return document


def _slide(slide: Any, number: int, skipped: Counter[str]) -> Iterator[str]:
    shapes = list(_shapes(slide.shapes, skipped))
    title = slide.shapes.title
    is_text = title is not None and title.has_text_frame  # or it is a picture in its place
    others = [each for each in shapes if not (is_text and each.shape_id == title.shape_id)]
    words = " ".join(title.text_frame.text.split()) if len(others) < len(shapes) else ""
    yield f"## {words or f'Slide {number}'}"
    for shape in others:
        if shape.has_text_frame:
            lines = [paragraph.text.strip() for paragraph in shape.text_frame.paragraphs]
            yield "\n".join(f"- {line}" for line in lines if line)
        elif shape.has_table:
            yield markdown_table([cell.text for cell in row.cells] for row in shape.table.rows)
        else:
            skipped["picture, chart or other object"] += 1


def _shapes(shapes: Iterable[Any], skipped: Counter[str]) -> Iterator[Any]:
    """Yield the shapes that are not hidden, replacing each group by its shapes."""
    for shape in shapes:
        if shape._element._nvXxPr.cNvPr.get("hidden") in TRUE:
            skipped["hidden object of a slide"] += 1
        elif isinstance(shape, GroupShape):
            yield from _shapes(shape.shapes, skipped)
        else:
            yield shape
