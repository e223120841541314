"""Convert Word documents: what a reader sees."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from html import unescape
from io import BytesIO
from itertools import zip_longest
from posixpath import join, normpath
from typing import Any
from zipfile import ZipFile

import mammoth  # type: ignore[import-untyped]
from lxml import etree

from orgctx.importers.folder.conversion import Converted
from orgctx.importers.formats.numbering import POINTS, WORD, Numbering, is_on
from orgctx.importers.formats.package import (
    STRICT,
    open_package,
    parse,
    properties,
    usual_namespaces,
)
from orgctx.importers.html.page import markdown_of_html

MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
VML = "{urn:schemas-microsoft-com:vml}"
COMPATIBILITY = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
STYLE = f"{WORD}style"
# Root elements of the parts whose text is converted, and of headers and footers.
TEXTS = [f"{WORD}{name}" for name in ("document", "footnotes", "endnotes")]
NOTES = (f"{WORD}footnote", f"{WORD}endnote")
NUMBERING = f"{WORD}numbering"
MARGINS = (f"{WORD}hdr", f"{WORD}ftr")
# Elements that the converter does not know, but whose content Word shows.
CONTAINERS = [f"{WORD}{name}" for name in ("fldSimple", "bdo", "dir", "ruby", "rubyBase")]
PLAIN = f"{WORD}ins"  # whose content the converter reads
# Elements that hold text of earlier versions.
DELETED = (f"{WORD}del", f"{WORD}moveFrom")
VANISH = f"{WORD}rPr/{WORD}vanish"
TAG = re.compile(r"<[^<>]*>")
TRUE = ("1", "true", "on")
_xpath = partial(etree.XPath, namespaces={"w": WORD[1:-1]})
# The styles of a run, and of the paragraph and table that contain it.
STYLES = _xpath(
    "w:rPr/w:rStyle/@w:val | ancestor::w:p[1]/w:pPr/w:pStyle/@w:val"
    " | ancestor::w:tbl/w:tblPr/w:tblStyle/@w:val"
)
# Where a default style, by its type, is replaced by another one. One for tables holds in tables.
DEFAULTS = {
    "paragraph": _xpath("ancestor::w:p[1]/w:pPr/w:pStyle"),
    "character": _xpath("w:rPr/w:rStyle"),
    "table": _xpath("self::*[not(ancestor::w:tbl)] | ancestor::w:tbl[1]/w:tblPr/w:tblStyle"),
}
# Rows, pictures and shapes that are hidden, rows and cells that are deleted.
HIDDEN_OBJECTS = _xpath(
    "//w:tr[w:trPr/w:hidden[not(@w:val='0' or @w:val='false' or @w:val='off')]]"
    " | //*[contains(translate(@style, ' ', ''), 'visibility:hidden')]"
    " | //*[contains(translate(@style, ' ', ''), 'display:none')]"
    " | //w:drawing[(*|*/*[local-name()='docPr'])[@hidden='1' or @hidden='true']]"
    " | //*[*[local-name()='cNvPr'][@hidden='1' or @hidden='true']]"
    " | //w:tr[w:trPr/w:del] | //w:tc[w:tcPr/w:cellDel]/w:p"
)
# The longest chain of styles that are based on one another.
MOST_BASES = 20
# By name; the default of a type by the type, that of all text by None.
_Styles = dict[str | None, Any]


def convert(content: bytes) -> Converted:
    """Convert a document. Comments, deleted and hidden text are counted."""
    archive = open_package(content)
    document = Converted(**properties(archive))
    words: Counter[str] = Counter()
    html = mammoth.convert_to_html(
        _visible(archive, words, document.skipped),
        style_map="p[style-name='Title'] => h1:fresh",
        convert_image=mammoth.images.img_element(lambda _: {"src": ""}),
    )
    words.subtract(_characters(unescape(TAG.sub("", html.value))))
    document.skipped["character that the converter lost"] = (+words).total()
    document.content = markdown_of_html(html.value, document.skipped)
    return document


def _characters(text: str) -> Counter[str]:
    return Counter(filter(str.isalnum, text))


def _visible(archive: ZipFile, words: Counter[str], skipped: Counter[str]) -> BytesIO:
    """Copy the document without deleted and hidden text. Counts the characters that remain.

    A part is known by its root element, because relations may give it any name.
    """
    parts = {member.filename: archive.read(member) for member in archive.infolist()}
    trees = {name: tree for name, data in parts.items() if (tree := _tree(data)) is not None}
    sheets = [tree for tree in trees.values() if tree.tag == f"{WORD}styles"]
    styles: _Styles = {
        each.get(f"{WORD}styleId"): each for sheet in sheets for each in sheet.iter(STYLE)
    }
    defaults = [each for each in styles.values() if each.get(f"{WORD}default") in TRUE]
    defaults += (each for sheet in sheets for each in sheet.iter(f"{WORD}docDefaults"))
    styles |= {each.get(f"{WORD}type"): each for each in defaults}
    parts_by_tag = {tree.tag: tree for tree in trees.values()}
    numbering = Numbering(parts_by_tag.get(NUMBERING), styles)
    notes = {
        (f"{tag}Reference", note.get(f"{WORD}id"))
        for tag in NOTES
        for note in parts_by_tag.get(f"{tag}s", ())
    }
    for name, tree in trees.items():
        skipped["comment"] += sum(1 for _ in tree) if tree.tag == f"{WORD}comments" else 0
        if tree.tag in MARGINS:
            skipped["header or footer"] += any(tree.itertext(f"{WORD}t"))
        if tree.tag in TEXTS:
            _remove_invisible(tree, styles, skipped)
            _write_equations(tree)
            _write_drawings(tree, _targets(name, trees), trees)
            _move_text_boxes(tree)
            _open_containers(tree, skipped)
            _remove_lost_notes(tree, notes, skipped)
            numbering.write(tree)
            words += _characters("".join(tree.itertext(f"{WORD}t")))
            parts[name] = etree.tostring(tree)
        elif tree.tag == NUMBERING:
            parts[name] = POINTS
    copy = BytesIO()
    with ZipFile(copy, "w") as target:
        for name, data in parts.items():
            target.writestr(name, data)
    copy.seek(0)
    return copy


def _remove_invisible(tree: Any, styles: _Styles, skipped: Counter[str]) -> None:
    """Remove deleted and hidden text, and show moved text at its new place."""
    for element in list(tree.iter(*DELETED)):
        if next(element.iter(f"{WORD}delText", f"{WORD}t"), None) is not None:
            skipped["deleted text of a tracked change"] += 1
            _remove(element)
    for element in list(tree.iter(f"{WORD}moveTo")):
        element.tag = PLAIN
    for element in HIDDEN_OBJECTS(tree):
        skipped["hidden text"] += any(element.itertext(f"{WORD}t"))
        _remove(element)
    hidden = {name for name in styles if is_on(_stated(styles, name, "vanish"))}
    for run in list(tree.iter(f"{WORD}r", f"{MATH}r")):
        mark = run.find(VANISH)
        defaults = (name for name, of in DEFAULTS.items() if not of(run))
        names = [*STYLES(run)[::-1], *defaults, None]
        if is_on(mark) if mark is not None else not hidden.isdisjoint(names):
            skipped["hidden text"] += 1
            _remove(run)


def _stated(styles: _Styles, name: str | None, tag: str, depth: int = 0) -> Any:
    """Return an element of a style, or of the nearest one on which it is based, or None."""
    if (style := styles.get(name)) is None or depth == MOST_BASES:
        return None
    if (mark := next(style.iter(f"{WORD}{tag}"), None)) is not None:
        return mark
    base = style.find(f"{WORD}basedOn")
    return None if base is None else _stated(styles, base.get(f"{WORD}val"), tag, depth + 1)


def _tree(data: bytes) -> Any:
    """Parse a part, with the namespaces of usual documents; None if it is not XML."""
    try:
        tree = parse(data)
    except etree.XMLSyntaxError:
        return None
    data = etree.tostring(tree)
    return parse(usual_namespaces(data)) if STRICT in data else tree


def _move_text_boxes(tree: Any) -> None:
    """Put text boxes that have no older form, which the converter reads, after their paragraph."""
    for box in list(tree.iter(f"{WORD}txbxContent")):
        around = [element.tag for element in box.iterancestors()]
        paragraph = next(box.iterancestors(f"{WORD}p"), None)
        choice = next(box.iterancestors(f"{COMPATIBILITY}Choice"), None)
        other = choice.getnext() if choice is not None else None
        has_older = other is not None and next(other.iter(box.tag), None) is not None
        if paragraph is not None and not has_older and not any("vml}" in str(t) for t in around):
            for element in reversed(box):
                paragraph.addnext(element)


def _write_equations(tree: Any) -> None:
    """Replace equations, which the converter leaves out, by their characters."""
    for equation in list(tree.iter(f"{MATH}oMath")):
        run = etree.Element(f"{WORD}r")
        etree.SubElement(run, f"{WORD}t").text = "".join(equation.itertext(f"{MATH}t"))
        run.tail = equation.tail
        equation.getparent().replace(equation, run)
    for block in list(tree.iter(f"{MATH}oMathPara")):
        block.tag = PLAIN


def _write_drawings(tree: Any, targets: dict[str, str], trees: dict[str, Any]) -> None:
    """Put the words of charts, SmartArt and WordArt, which are in other parts, after them."""
    for drawing in list(tree.iter(f"{CHART}chart", f"{DIAGRAM}relIds", f"{VML}textpath")):
        target = drawing.get(f"{RELATION}id") or drawing.get(f"{RELATION}dm")
        part = trees.get(targets.get(target, ""))
        lines = [drawing.get("string") or ""] if part is None else _lines(part)
        paragraph: Any = next(drawing.iterancestors(f"{WORD}p"), None)
        for line in reversed(lines if paragraph is not None else []):
            added = etree.Element(f"{WORD}p")
            run = etree.SubElement(added, f"{WORD}r")
            etree.SubElement(run, f"{WORD}t").text = line
            paragraph.addnext(added)


def _lines(part: Any) -> list[str]:
    """Return the paragraphs of a chart or diagram, and the values of each series of a chart."""
    lines = ["".join(each.itertext(f"{DRAWING}t")) for each in part.iter(f"{DRAWING}p")]
    for series in part.iter(f"{CHART}ser"):
        name, *points = ([*_values(series, tag)] for tag in ("tx", "cat", "val"))
        pairs = ", ".join(" ".join(pair) for pair in zip_longest(*points, fillvalue=""))
        lines.append(": ".join(filter(None, (" ".join(name), pairs))))
    return lines


def _values(series: Any, tag: str) -> Iterator[str]:
    for element in series.iterchildren(f"{CHART}{tag}"):
        yield from element.itertext(f"{CHART}v")


def _targets(name: str, trees: dict[str, Any]) -> dict[str, str]:
    """Return the names of the parts to which a part relates, by the ids of the relations."""
    folder, _, file = name.rpartition("/")
    relations = trees.get(f"{folder}/_rels/{file}.rels".lstrip("/"), ())
    return {
        each.get("Id", ""): normpath(join("/", folder, each.get("Target", ""))).lstrip("/")
        for each in relations
    }


def _open_containers(tree: Any, skipped: Counter[str]) -> None:
    """Let the converter read what is in elements that it does not know."""
    for choices in list(tree.iter(f"{COMPATIBILITY}AlternateContent")):
        kept = choices.find(f"{COMPATIBILITY}Fallback")
        if kept is None and len(choices):
            choices.tag, kept = PLAIN, choices[0]
            kept.tag = PLAIN
        for other in [each for each in choices if each is not kept]:
            choices.remove(other)
    for guide in list(tree.iter(f"{WORD}rt")):
        skipped["phonetic guide"] += 1
        _remove(guide)
    for container in list(tree.iter(*CONTAINERS)):
        container.tag = PLAIN


def _remove_lost_notes(tree: Any, notes: set[tuple[str, Any]], skipped: Counter[str]) -> None:
    """Remove references to notes that the document lacks, at which the converter fails."""
    for mark in list(tree.iter(*(f"{tag}Reference" for tag in NOTES))):
        if (mark.tag, mark.get(f"{WORD}id")) not in notes:
            skipped["note without a text"] += 1
            _remove(mark)


def _remove(element: Any) -> None:
    if (parent := element.getparent()) is not None:
        parent.remove(element)
