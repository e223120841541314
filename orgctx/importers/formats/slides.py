"""Convert PowerPoint presentations: the slides that an audience sees."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

from lxml.etree import XPath
from pptx import Presentation
from pptx.shapes.group import GroupShape

from orgctx.importers.folder.conversion import FAINT, FAINT_REASON, ConversionError, Converted
from orgctx.importers.formats.package import count, office_package, properties
from orgctx.importers.formats.tables import markdown_table

# Booleans of XML.
TRUE, FALSE = ("1", "true"), ("0", "false")
# Names of the usual color of slides.
WHITE = dict.fromkeys(("bg1", "lt1", "white", "window"), "FFFFFF")
# Text without a color, with a transparent one, or of at most 1 pt.
INVISIBLE = XPath(
    ".//*[local-name()='txBody']//*[local-name()='r'][*[local-name()='rPr']["
    "*[local-name()='noFill'] or */*/*[local-name()='alpha'][@val='0' or @val='0%'] or @sz<=100]]"
)
# The color that fills an object, a slide or a run, if it is one color.
FILL = XPath("*[local-name()='solidFill']/*/@val")
FILLS = {"solidFill", "gradFill", "blipFill", "pattFill", "grpFill"}
RUNS = XPath("*[local-name()='txBody']//*[local-name()='r']")
# What may be behind a text besides the slide.
OBJECTS = XPath(
    "//*[local-name()='pic' or local-name()='graphicFrame' or local-name()='style']"
    " | //*[local-name()='spPr'][*[contains(local-name(), 'Fill') and local-name()!='noFill']]"
)


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
            _mark_faint(slide, skipped)
            view = _View(0, 0, deck.slide_width or 0, deck.slide_height or 0)
            texts.append("\n\n".join(_slide(slide, number, view, skipped)))
    skipped["comment"] += count(archive, "ppt/comments/", "cm")
    document.content = "\n\n".join(texts)
    return document


def _mark_faint(slide: Any, skipped: Counter[str]) -> None:
    """Mark text whose color is that of its shape, or of the slide if nothing else is behind it."""
    layout = slide.slide_layout
    parts = [_behind(part._element) for part in (slide, layout, layout.slide_master)]
    paper = next((color for color, _ in parts if color is not None), "bg1")
    is_bare = all(is_bare for _, is_bare in parts)
    for shape in slide._element.iter("{*}sp"):
        properties = shape.find("{*}spPr")
        fills = {part.tag.rpartition("}")[2] for part in properties.iterchildren("{*}*")} & FILLS
        fill = "".join(FILL(properties)) if fills else paper if is_bare else ""
        for run in RUNS(shape):
            color = run.find("{*}rPr")
            text = run.find("{*}t")
            colors = FILL(color) if color is not None and text is not None and text.text else ()
            if colors and fill and WHITE.get(colors[0], colors[0]) == WHITE.get(fill, fill):
                text.text = FAINT.format(text.text)
                skipped[FAINT_REASON] += 1


@cache  # of layouts and masters
def _behind(part: Any) -> tuple[str | None, bool]:
    """Return the color of the background that a part states, and whether it has nothing else."""
    back = part.find("{*}cSld/{*}bg/{*}bgPr")
    return None if back is None else "".join(FILL(back)), not OBJECTS(part)


class _View(NamedTuple):
    """The part of a plane that the audience sees, in the units of the shapes on it."""

    left: float
    top: float
    right: float
    bottom: float

    def shows(self, shape: Any) -> bool:
        left, top, width, height = shape.left, shape.top, shape.width, shape.height
        if None in (left, top, width, height):
            return True
        if shape.has_text_frame and not (width and height):
            return False
        is_beside = left >= self.right or left + width <= self.left
        return not (is_beside or top >= self.bottom or top + height <= self.top)

    def inside(self, group: Any) -> "_View":
        """Return the view in the units of the shapes of a group."""
        frame = group._element.grpSpPr.find("{*}xfrm")
        inner = {part.tag.rpartition("}")[2]: part for part in ([] if frame is None else frame)}
        if not {"off", "ext", "chOff", "chExt"} <= inner.keys():
            return self
        sides = []
        for axis, ends in (("x", (self.left, self.right)), ("y", (self.top, self.bottom))):
            size, inner_size = (int(inner[name].get(f"c{axis}")) for name in ("ext", "chExt"))
            start, inner_start = (int(inner[name].get(axis)) for name in ("off", "chOff"))
            sides += [inner_start + (end - start) * inner_size / (size or 1) for end in ends]
        return _View(sides[0], sides[2], sides[1], sides[3])


def _slide(slide: Any, number: int, view: _View, skipped: Counter[str]) -> Iterator[str]:
    shapes = list(_shapes(slide.shapes, view, skipped))
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


def _shapes(shapes: Iterable[Any], view: _View, skipped: Counter[str]) -> Iterator[Any]:
    """Yield the visible shapes, replacing each group by its shapes."""
    for shape in shapes:
        is_hidden = shape._element._nvXxPr.cNvPr.get("hidden") in TRUE
        if is_hidden or not view.shows(shape):
            skipped["hidden object of a slide"] += 1
        elif isinstance(shape, GroupShape):
            yield from _shapes(shape.shapes, view.inside(shape), skipped)
        else:
            for run in INVISIBLE(shape._element):
                skipped["transparent text of a slide"] += 1
                run.getparent().remove(run)
            yield shape
