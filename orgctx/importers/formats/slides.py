"""Convert PowerPoint presentations: the slides that an audience sees."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from orgctx.importers.formats import ConversionError, Converted
from orgctx.importers.formats.package import count, open_package, parse, properties, relations
from orgctx.importers.formats.tables import markdown_table

SLIDES = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
ALTERNATIVES = "{http://schemas.openxmlformats.org/markup-compatibility/2006}AlternateContent"
ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
TITLES = ("title", "ctrTitle")
# Booleans of XML.
TRUE, FALSE = ("1", "true"), ("0", "false")


def convert(content: bytes) -> Converted:
    """Convert a presentation. Hidden slides, notes, comments and pictures are counted."""
    archive = open_package(content)
    document = Converted(**properties(archive))
    skipped = document.skipped
    (path,) = (path for kind, path in relations(archive, "").values() if kind == "officeDocument")
    deck = parse(archive.read(path))
    if deck.tag != f"{SLIDES}presentation":
        raise ConversionError("is not a presentation; save it as .pptx")
    parts, texts = relations(archive, path), []
    for number, entry in enumerate(deck.iterfind(f"{SLIDES}sldIdLst/{SLIDES}sldId"), 1):
        _, path = parts[entry.get(ID)]
        slide = parse(archive.read(path))
        notes = [each for kind, each in relations(archive, path).values() if kind == "notesSlide"]
        skipped["speaker notes"] += any(_has_notes(parse(archive.read(each))) for each in notes)
        if slide.get("show") in FALSE:
            skipped["hidden slide"] += 1
            continue
        text = "\n\n".join(_slide(slide, number, skipped))
        if any(_lines(slide)):
            texts.append(text)
    skipped["comment"] += count(archive, "ppt/comments/", "cm")
    document.content = "\n\n".join(texts)
    return document


def _has_notes(notes: Any) -> bool:
    bodies = (shape for shape in notes.iter(f"{SLIDES}sp") if _placeholder(shape) == "body")
    return any(any(_lines(shape)) for shape in bodies)


def _slide(slide: Any, number: int, skipped: Counter[str]) -> Iterator[str]:
    shapes = list(_shapes(slide.iterfind(f"{SLIDES}cSld/{SLIDES}spTree/*"), skipped))
    titles = [shape for shape in shapes if _placeholder(shape) in TITLES and any(_lines(shape))]
    words = " ".join(" ".join(_lines(titles[0])).split()) if titles else ""
    yield f"## {words or f'Slide {number}'}"
    for shape in shapes:
        if shape in titles[:1]:
            continue
        if shape.tag == f"{SLIDES}sp":
            yield "\n".join(f"- {line}" for line in _lines(shape) if line)
        elif (table := next(shape.iter(f"{DRAWING}tbl"), None)) is not None:
            rows = table.iterfind(f"{DRAWING}tr")
            yield markdown_table(
                [" ".join(_lines(cell)) for cell in row.iterfind(f"{DRAWING}tc")] for row in rows
            )
        else:
            skipped["picture, chart or other object"] += 1


def _shapes(shapes: Iterable[Any], skipped: Counter[str]) -> Iterator[Any]:
    """Yield the shapes that are not hidden, replacing each group by its shapes."""
    for shape in shapes:
        properties = shape.find("*/{*}cNvPr")
        if shape.tag == ALTERNATIVES:
            yield from _shapes(shape[0] if len(shape) else (), skipped)
        elif properties is None:
            continue  # of the group itself
        elif properties.get("hidden") in TRUE:
            skipped["hidden object of a slide"] += 1
        elif shape.tag == f"{SLIDES}grpSp":
            yield from _shapes(shape, skipped)
        else:
            yield shape


def _placeholder(shape: Any) -> str | None:
    """Return the type of the placeholder of a layout that a shape fills."""
    place = shape.find(f"*/*/{SLIDES}ph")
    return None if place is None else place.get("type")


def _lines(shape: Any) -> list[str]:
    """Return the paragraphs of a shape or cell."""
    return [
        "".join(
            " " if part.tag == f"{DRAWING}br" else part.text or ""
            for part in paragraph.iter(f"{DRAWING}t", f"{MATH}t", f"{DRAWING}br")
        ).strip()
        for paragraph in shape.iter(f"{DRAWING}p")
    ]
