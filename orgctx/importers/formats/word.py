"""Convert Word documents to Markdown: what a reader sees."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple
from zipfile import ZipFile

from lxml import etree

from orgctx.importers.formats import ConversionError, Converted
from orgctx.importers.formats.package import open_package, parse, properties, relations
from orgctx.importers.formats.tables import markdown_table
from orgctx.importers.html.writer import link_target

WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
VALUE = f"{WORD}val"
MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
PICTURE = "{http://schemas.openxmlformats.org/drawingml/2006/picture}"
VML = "{urn:schemas-microsoft-com:vml}"
ALTERNATIVES = "{http://schemas.openxmlformats.org/markup-compatibility/2006}AlternateContent"
# Elements without text for readers, and why those that have some are left out.
OMITTED = {
    f"{WORD}del": "deleted text of a tracked change",
    f"{WORD}moveFrom": "deleted text of a tracked change",
    f"{WORD}rt": "phonetic guide",
}
OBJECTS = (f"{PICTURE}pic", f"{VML}imagedata", f"{CHART}chart", f"{DIAGRAM}relIds")
LINE_END = "\x00"  # one that is not white space of the source
SPACE = re.compile(r"[ \t\n\r\f]+")
DESCRIPTION = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}docPr"
CHARACTERS = {
    f"{WORD}tab": " ", f"{WORD}br": LINE_END, f"{WORD}cr": LINE_END, f"{WORD}noBreakHyphen": "-",
}  # fmt: skip
TRUE = ("1", "true", "on")
HIDDEN_OBJECT = etree.XPath(
    "(. | *[local-name()='docPr' or local-name()='cNvPr'])/@hidden[.='1' or .='true' or .='on']"
    " or contains(translate(@style, ' ', ''), 'visibility:hidden')"
    " or contains(translate(@style, ' ', ''), 'display:none')"
)
MARKS = {"b": "**", "i": "*", "strike": "~~"}
HEADING = re.compile(r"heading ?([1-9])", re.IGNORECASE)
ITEM = re.compile(r" *(?:-|1\.) ")
# Parts that say how the text is shown, or hold more of it.
NOTES = ("footnotes", "endnotes")
KINDS = ("styles", "numbering", "comments", *NOTES)
MOST_SPAN = 64  # columns of Word
# The longest chain of styles that are based on one another.
MOST_BASES = 20


class _Context(NamedTuple):
    """Where a text is. style, table: the styles of its paragraph and table."""

    style: str = ""
    table: str = ""
    is_in_table: bool = False
    marks: tuple[str, ...] = ()
    link: str = ""


class _Span(NamedTuple):
    text: str
    format: tuple[tuple[str, ...], str]  # marks and link


def convert(content: bytes) -> Converted:
    """Convert a document. Comments, deleted and hidden text are counted."""
    archive = open_package(content)
    document = Converted(**properties(archive))
    paths = [path for kind, path in relations(archive, "").values() if kind == "officeDocument"]
    if not paths:
        raise ConversionError("is not a document; save it as .docx")
    writer = _Writer(archive, paths[0], document.skipped)
    document.content = _joined(writer.document())
    return document


def _joined(blocks: list[str]) -> str:
    """Join blocks; the items of a list follow one another."""
    text = ""
    for before, block in zip(["", *blocks], blocks, strict=False):
        is_list = ITEM.match(before) and ITEM.match(block)
        text += ("\n" if is_list else "\n\n") + block
    return text


class _Writer:
    """Writes the parts of one document."""

    def __init__(self, archive: ZipFile, path: str, skipped: Counter[str]) -> None:
        self._archive, self._skipped = archive, skipped
        self._related = relations(archive, path)
        self._root = parse(archive.read(path))
        trees = {kind: self._part(id_) for id_, (kind, _) in self._related.items() if kind in KINDS}
        # By name; without one, the defaults of the document.
        styles = [each for each in trees.get("styles", ()) if each.tag != f"{WORD}latentStyles"]
        self._styles = {each.get(f"{WORD}styleId", ""): each for each in styles}
        self._defaults = {
            each.get(f"{WORD}type"): name
            for name, each in self._styles.items()
            if each.get(f"{WORD}default") in TRUE
        }
        self._list_kinds = _list_kinds(trees.get("numbering", ()))
        # Notes by what refers to them, with what they relate to.
        self._notes = {
            (f"{note.tag}Reference", note.get(f"{WORD}id")): (note, related)
            for kind, path in self._related.values()
            if kind in NOTES
            for related in [relations(archive, path)]
            for note in trees[kind]
        }
        self._cited: dict[tuple[str, str], int] = {}  # numbers of those that are referred to
        # What each style switches on, also by those on which it is based.
        self._switched = {
            style: {name for name in ("vanish", *MARKS) if _style_states(self._styles, style, name)}
            for style in self._styles
        }
        self._boxes: list[str] = []  # blocks after the paragraph
        skipped["comment"] += len(trees.get("comments", ()))
        skipped["header or footer"] += sum(
            any(self._part(id_).itertext(f"{WORD}t"))
            for id_, (kind, _) in self._related.items()
            if kind in ("header", "footer")
        )

    def _part(self, id_: str) -> Any:
        """Return the root of a part to which the document relates; empty if it is missing."""
        path = self._related.get(id_, ("", ""))[1]
        is_there = path in self._archive.namelist()
        return parse(self._archive.read(path)) if is_there else etree.Element("missing")

    def document(self) -> list[str]:
        """Return the blocks of the document and its notes."""
        blocks = self._blocks(self._root, _Context())
        place = 0
        while place < len(self._cited):  # a note may refer to further ones
            note, self._related = self._notes[[*self._cited][place]]
            place += 1
            text = _joined(self._blocks(note, _Context())).strip().replace("\n", "\n    ")
            blocks.append(f"[^{place}]: {text}")
        return blocks

    def _children(self, element: Any) -> Iterator[Any]:
        """Yield what is shown in an element, and count what is not."""
        for child in element:
            if not isinstance(child.tag, str):
                continue
            if child.tag == ALTERNATIVES:
                yield from self._children(next(iter(child), ()))
            elif reason := OMITTED.get(child.tag) or _hidden(child):
                texts = child.itertext(f"{WORD}t", f"{WORD}delText")
                self._skipped[reason] += any(texts)
            else:
                yield child

    def _blocks(self, element: Any, context: _Context) -> list[str]:
        blocks = []
        for child in self._children(element):
            if child.tag == f"{WORD}p":
                blocks += self._paragraph(child, context)
            elif child.tag == f"{WORD}tbl":
                blocks += self._table(child, context)
            else:
                blocks += self._blocks(child, context)
        return blocks

    def _paragraph(self, element: Any, context: _Context) -> list[str]:
        """Return a paragraph, and what is in its boxes."""
        before, self._boxes = self._boxes, []
        settings = element.find(f"{WORD}pPr")
        style = _value(settings, "pStyle") or self._defaults.get("paragraph", "")
        spans = self._spans(element, context._replace(style=style))
        text = _lines(_written(spans))
        if text and (level := self._heading_level(style)):
            text = f"{'#' * level} " + text.replace("\n", " ")
        elif text:
            label = self._label(settings, style)
            text = label + text.replace("\n", "\n" + " " * len(label))
        blocks = [*filter(None, [text]), *self._boxes]
        self._boxes = before
        return blocks

    def _heading_level(self, style: str) -> int:
        """Return the level of a heading; 0 if it is none."""
        for name in (_value(self._styles.get(style), "name"), style):
            if match := HEADING.fullmatch(name):
                return min(int(match[1]), 6)
        return int(_value(self._styles.get(style), "name").lower() == "title")

    def _label(self, settings: Any, style: str) -> str:
        """Return what begins an item of a list, at its level; nothing for other paragraphs."""
        inherited = (each.find(f"{WORD}pPr") for each in _bases(self._styles, style))
        stated = (each for each in (settings, *inherited) if each is not None)
        places = [each.find(f"{WORD}numPr") for each in stated]
        name, level = (
            next(filter(None, (_value(place, member) for place in places)), "0")
            for member in ("numId", "ilvl")
        )
        kind = self._list_kinds.get((name, level), "none")
        label = {"none": "", "bullet": "- "}.get(kind, "1. ")
        return "   " * _number(level, 0) * bool(label) + label

    def _table(self, element: Any, context: _Context) -> list[str]:
        """Return a table; that of one column, or in another table, is only layout."""
        style = _value(element.find(f"{WORD}tblPr"), "tblStyle") or self._defaults.get("table", "")
        inner = context._replace(table=style, is_in_table=True)
        rows, blocks, width = list[list[str]](), list[str](), 0
        for row in self._parts(element, "tr"):
            cells = [*self._parts(row, "tc")]
            texts: list[str] = []
            for cell in cells:
                content = self._blocks(cell, inner)
                blocks += content
                span = _number(_value(cell.find(f"{WORD}tcPr"), "gridSpan"), 1)
                texts += [" ".join(content)] * min(span, MOST_SPAN)
            rows.append(texts)
            width = max(width, len(cells))
        return blocks if width < 2 or context.is_in_table else [markdown_table(rows)]

    def _parts(self, element: Any, name: str) -> Iterator[Any]:
        """Yield the rows of a table, or the cells of a row."""
        for child in self._children(element):
            if child.tag == f"{WORD}{name}":
                yield child
            else:
                yield from self._parts(child, name)

    def _spans(self, element: Any, context: _Context) -> Iterator[_Span]:
        """Yield the texts in a part of a paragraph."""
        for child in self._children(element):
            tag = child.tag
            if (text := self._text(child)) is not None:
                yield _Span(text, (context.marks, context.link))
            elif tag in (f"{WORD}r", f"{MATH}r"):
                yield from self._run(child, context)
            elif tag in (f"{WORD}p", f"{WORD}tbl"):
                self._boxes += self._blocks([child], context)
            elif tag == f"{WORD}hyperlink":
                _, target = self._related.get(child.get(f"{RELATION}id"), ("", ""))
                place = child.get(f"{WORD}anchor")
                target += f"#{place}" if place and target else ""
                yield from self._spans(child, context._replace(link=link_target(target)))
            else:
                self._skipped["picture, chart or other object"] += tag in OBJECTS
                yield from self._spans(child, context)

    def _text(self, element: Any) -> str | None:
        """Return the text of an element that is one; None for others."""
        tag = element.tag
        if tag in (f"{WORD}t", f"{MATH}t"):
            return element.text or ""
        if (key := (tag, element.get(f"{WORD}id"))) in self._notes:
            return f"[^{self._cited.setdefault(key, len(self._cited) + 1)}]"
        return f" {element.get('descr', '')} " if tag == DESCRIPTION else CHARACTERS.get(tag)

    def _run(self, run: Any, context: _Context) -> Iterator[_Span]:
        settings = run.find(f"{WORD}rPr")
        style = _value(settings, "rStyle") or self._defaults.get("character", "")
        hiding = [style, context.style, context.table, ""]
        if self._states(settings, "vanish", hiding):
            self._skipped["hidden text"] += any(run.itertext(f"{WORD}t", f"{MATH}t"))
            return
        marks = (mark for name, mark in MARKS.items() if self._states(settings, name, [style]))
        yield from self._spans(run, context._replace(marks=tuple(marks)))

    def _states(self, settings: Any, name: str, styles: list[str]) -> bool:
        """Return whether the settings of a run switch a property on, else one of some styles."""
        mark = None if settings is None else settings.find(f"{WORD}{name}")
        if mark is not None:
            return _is_on(mark)
        return any(name in self._switched.get(style, ()) for style in styles)


def _list_kinds(numbering: Iterable[Any]) -> dict[tuple[str, str], str]:
    """Return the formats of the numbers of lists, by name and level."""
    elements = [*numbering]
    levels = {each.get(f"{WORD}abstractNumId"): each.iterfind(f"{WORD}lvl") for each in elements}
    lists = {
        name: {level.get(f"{WORD}ilvl", ""): _value(level, "numFmt") for level in each}
        for name, each in levels.items()
    }
    return {
        (use.get(f"{WORD}numId", ""), level): kind
        for use in elements
        for level, kind in lists.get(_value(use, "abstractNumId"), {}).items()
    }


def _bases(styles: Mapping[str, Any], name: str) -> Iterator[Any]:
    """Yield a style, and those on which it and they are based."""
    for _ in range(MOST_BASES):
        if (style := styles.get(name)) is None:
            break
        yield style
        if not (name := _value(style, "basedOn")):
            break


def _style_states(styles: Mapping[str, Any], style: str, name: str) -> bool:
    """Return what a style, or the nearest one on which it is based, says of a property."""
    marks = (mark for each in _bases(styles, style) for mark in each.iter(f"{WORD}{name}"))
    return _is_on(next(marks, None))


def _is_on(mark: Any) -> bool:
    """Return whether an element that switches a property is there, and does not switch it off."""
    return mark is not None and mark.get(VALUE) not in ("0", "false", "off")


def _value(element: Any, name: str) -> str:
    """Return the value of a child of an element; empty if either is missing."""
    child = None if element is None else element.find(f"{WORD}{name}")
    return "" if child is None else child.get(VALUE) or ""


def _number(text: str | None, default: int) -> int:
    """Parse a number; the default for none."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else default


def _hidden(element: Any) -> str:
    """Return why an object, a row or a cell is left out; nothing if it is shown."""
    if element.tag in (f"{WORD}tr", f"{WORD}tc"):
        settings = element.find(f"{element.tag}Pr")
        if settings is None:
            return ""
        if _is_on(settings.find(f"{WORD}hidden")):
            return "hidden text"
        deleted = settings.find(f"{WORD}del"), settings.find(f"{WORD}cellDel")
        return "" if deleted == (None, None) else "deleted text of a tracked change"
    if element.tag.startswith(WORD):
        return ""
    return "hidden text" if HIDDEN_OBJECT(element) else ""


def _written(spans: Iterator[_Span]) -> Iterator[str]:
    """Write spans, of which those of one format belong together."""
    for (marks, link), group in groupby(spans, key=itemgetter(1)):
        text = "".join(span.text for span in group)
        if not text.replace(LINE_END, "").strip():
            yield text
            continue
        before, after = " " * text[:1].isspace(), " " * text[-1:].isspace()
        text = text.strip()
        for mark in marks:
            text = f"{mark}{text}{mark}"
        yield before + (f"[{text}]({link})" if link else text) + after


def _lines(parts: Iterable[str]) -> str:
    """Return a paragraph with single spaces, and the line ends that the document asks for."""
    text = SPACE.sub(" ", "".join(parts))
    return "\n".join(line.strip() for line in text.split(LINE_END)).strip()
