"""Convert Word documents: what a reader sees, and equations as TeX."""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import mammoth  # type: ignore[import-untyped]
from lxml import etree

from orgctx.importers.folder.conversion import FAINT, FAINT_REASON, Converted
from orgctx.importers.formats.html import markdown_of
from orgctx.importers.formats.package import (
    STRICT,
    open_package,
    parse,
    properties,
    usual_namespaces,
)

WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
COMPATIBILITY = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
STYLE = f"{WORD}style"
# Root elements of the parts whose text is converted, and of headers and footers.
TEXTS = [f"{WORD}{name}" for name in ("document", "glossaryDocument", "footnotes", "endnotes")]
MARGINS = (f"{WORD}hdr", f"{WORD}ftr")
# Elements that hold text of earlier versions.
DELETED = (f"{WORD}del", f"{WORD}moveFrom")
VANISH = f"{WORD}rPr/{WORD}vanish"
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
# Rows, pictures and shapes that are hidden, rows and cells that are deleted, transparent text.
HIDDEN_OBJECTS = _xpath(
    "//w:tr[w:trPr/w:hidden[not(@w:val='0' or @w:val='false' or @w:val='off')]]"
    " | //*[contains(translate(@style, ' ', ''), 'visibility:hidden')]"
    " | //*[contains(translate(@style, ' ', ''), 'display:none')]"
    " | //w:drawing[(*|*/*[local-name()='docPr'])[@hidden='1' or @hidden='true']]"
    " | //*[*[local-name()='cNvPr'][@hidden='1' or @hidden='true']]"
    " | //w:tr[w:trPr/w:del] | //w:tc[w:tcPr/w:cellDel]/w:p"
    " | //w:r[w:rPr[not(*[local-name()='textOutline']/*[local-name()='solidFill'])]"
    "/*[local-name()='textFill']"
    "[*[local-name()='noFill'] or */*/*[local-name()='alpha']/@*[.='100000']]]"
)
# What may color a run and its background, from the inside out.
FILLS = _xpath("w:rPr/w:highlight|w:rPr/w:shd"), _xpath("ancestor::w:p[1]/w:pPr/w:shd")
CELL_FILLS = _xpath("ancestor::w:tc/w:tcPr/w:shd | ancestor::w:tbl/w:tblPr/w:shd")
TABLE_STYLES = _xpath("ancestor::w:tbl/w:tblPr/w:tblStyle/@w:val")
# Backgrounds of which no part of the document says all.
UNKNOWN_FILL = _xpath("ancestor::w:txbxContent | ancestor::w:document/w:background")
HIGHLIGHTS = {"black": "000000", "white": "FFFFFF", "red": "FF0000", "yellow": "FFFF00"}
MIN_SIZE = 2  # half-points; text of this size is hidden
# Shown instead of an equation during the conversion, because Markdown would escape its TeX.
MARK = "\ue000{}\ue001"
MARKS = re.compile("\ue000(\\d{1,9})\ue001")
# The longest chain of styles that are based on one another.
MOST_BASES = 20

# How equations become TeX. Symbols stay Unicode characters.
FUNCTION_APPLICATION = "\u2061"  # between a function and its argument; invisible
SPECIAL = str.maketrans(
    {character: f"\\{character}" for character in "#$%&_{}"}
    | {"\\": r"\backslash ", "^": r"\hat{}", FUNCTION_APPLICATION: " "}
)
# Templates by the value of a property; empty: of others.
ACCENTS = {
    "\u0300": r"\grave{{{}}}", "\u0301": r"\acute{{{}}}", "\u0303": r"\tilde{{{}}}",
    "\u0304": r"\bar{{{}}}", "\u0305": r"\overline{{{}}}", "\u0306": r"\breve{{{}}}",
    "\u0307": r"\dot{{{}}}", "\u0308": r"\ddot{{{}}}", "\u030c": r"\check{{{}}}",
    "\u20d7": r"\vec{{{}}}", "": r"\hat{{{}}}",
}  # fmt: skip
BARS = {"top": r"\overline{{{}}}", "": r"\underline{{{}}}"}
FRACTIONS = {"lin": "{}/{}", "noBar": r"{{{} \atop {}}}", "": r"\frac{{{}}}{{{}}}"}
SUMS = {"∑": r"\sum", "∏": r"\prod", "∫": r"\int", "⋃": r"\bigcup", "⋂": r"\bigcap"}
# The TeX of an element, and the parts that fill it.
TEMPLATES = {
    "sSup": ("{}^{{{}}}", "e", "sup"),
    "sSub": ("{}_{{{}}}", "e", "sub"),
    "sSubSup": ("{}_{{{}}}^{{{}}}", "e", "sub", "sup"),
    "sPre": ("{{}}_{{{}}}^{{{}}}{}", "sub", "sup", "e"),
    "limLow": (r"\underset{{{}}}{{{}}}", "lim", "e"),
    "limUpp": (r"\overset{{{}}}{{{}}}", "lim", "e"),
    "func": ("{} {}", "fName", "e"),
}
PART = f"{MATH}e"
# By name; the default of a type by the type, that of all text by None.
_Styles = dict[str | None, Any]


def convert(content: bytes) -> Converted:
    """Convert a document. Comments, deleted and hidden text are counted."""
    archive = open_package(content)
    document = Converted(**properties(archive))
    equations: list[str] = []
    visible = _visible(archive, equations, document.skipped)
    html = mammoth.convert_to_html(
        visible,
        style_map="p[style-name='Title'] => h1:fresh",
        convert_image=mammoth.images.img_element(lambda _: {"src": ""}),
    )
    document.content = MARKS.sub(
        lambda mark: equations[int(mark[1])] if int(mark[1]) < len(equations) else "",
        markdown_of(html.value, document.skipped),
    )
    return document


def _visible(archive: ZipFile, equations: list[str], skipped: Counter[str]) -> BytesIO:
    """Copy the document without deleted and hidden text, and with marks for equations.

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
    for name, tree in trees.items():
        skipped["comment"] += sum(1 for _ in tree) if tree.tag == f"{WORD}comments" else 0
        if tree.tag in MARGINS:
            skipped["header or footer"] += any(tree.itertext(f"{WORD}t"))
        if tree.tag in TEXTS:
            _remove_invisible(tree, styles, skipped)
            _mark_faint(tree, styles, skipped)
            _mark_equations(tree, equations)
            _move_text_boxes(tree)
            parts[name] = etree.tostring(tree)
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
        element.tag = f"{WORD}ins"
    for element in HIDDEN_OBJECTS(tree):
        skipped["hidden text"] += any(element.itertext(f"{WORD}t"))
        _remove(element)
    hidden = {name for name in styles if _is_on(_stated(styles, name, "vanish"))}
    for run in list(tree.iter(f"{WORD}r", f"{MATH}r")):
        mark = run.find(VANISH)
        defaults = (name for name, of in DEFAULTS.items() if not of(run))
        names = [*STYLES(run)[::-1], *defaults, None]
        size = _nearest(run, styles, names, "sz")
        is_tiny = size.isdecimal() and int(size) <= MIN_SIZE
        if is_tiny or (_is_on(mark) if mark is not None else not hidden.isdisjoint(names)):
            skipped["hidden text"] += 1
            _remove(run)


def _mark_faint(tree: Any, styles: _Styles, skipped: Counter[str]) -> None:
    """Mark text whose color is that of its background."""
    for run in tree.iter(f"{WORD}r"):
        tables = TABLE_STYLES(run)
        names = [name for name in STYLES(run)[::-1] if name not in tables]
        color = _nearest(run, styles, names, "color") or "auto"
        if color == "auto" or UNKNOWN_FILL(run):
            continue
        if any(_stated(styles, name, "shd") is not None for name in tables):
            continue  # it may color some of the cells
        fills = [*FILLS[0](run), *(_stated(styles, name, "shd") for name in names)]
        fills += [*FILLS[1](run), *CELL_FILLS(run)[::-1]]
        values = (_fill(fill) for fill in fills if fill is not None)
        fill = next((value for value in values if value not in (None, "auto")), "FFFFFF")
        texts = [text for text in run.iter(f"{WORD}t") if (text.text or "").strip()]
        for text in texts if color.upper() == fill.upper() else ():
            text.text = FAINT.format(text.text)
            skipped[FAINT_REASON] += 1


def _nearest(run: Any, styles: _Styles, names: list[str | None], tag: str) -> str:
    """Return a value that a run states, or the first of some styles."""
    stated = (run.find(f"{WORD}rPr/{WORD}{tag}"), *(_stated(styles, name, tag) for name in names))
    return next((each.get(f"{WORD}val", "") for each in stated if each is not None), "")


def _fill(fill: Any) -> Any:
    """Return the color of a background, `auto` or nothing if another one is behind the text."""
    value = fill.get(f"{WORD}val")
    if fill.tag == f"{WORD}highlight":
        return HIGHLIGHTS.get(value, "auto" if value == "none" else "?")
    return fill.get(f"{WORD}color" if value == "solid" else f"{WORD}fill")


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


def _is_on(mark: Any) -> bool:
    return mark is not None and mark.get(f"{WORD}val") not in ("0", "false", "off")


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


def _mark_equations(tree: Any, equations: list[str]) -> None:
    for equation in list(tree.iter(f"{MATH}oMath")):
        parent = equation.getparent()
        is_block = parent is not None and parent.tag == f"{MATH}oMathPara"
        quote = "$$" if is_block else "$"
        run = etree.Element(f"{WORD}r")
        etree.SubElement(run, f"{WORD}t").text = MARK.format(len(equations))
        equations.append(f"{quote}{_tex(equation)}{quote}")
        run.tail = equation.tail
        parent.replace(equation, run)
    for block in list(tree.iter(f"{MATH}oMathPara")):
        block.tag = f"{WORD}ins"  # whose runs are read, unlike those of an unknown element


def _remove(element: Any) -> None:
    if (parent := element.getparent()) is not None:
        parent.remove(element)


def _tex(element: Any) -> str:
    """Return an equation, or a part of one, as TeX. The parser of XML bounds its depth."""
    name = element.tag.removeprefix(MATH) if isinstance(element.tag, str) else ""
    if name == "t":
        return (element.text or "").translate(SPECIAL)
    if name in TEMPLATES:
        template, *parts = TEMPLATES[name]
        return template.format(*(_part(element, part) for part in parts))
    if name in WRITERS:
        return WRITERS[name](element)
    return "" if name.endswith("Pr") else "".join(map(_tex, element))


def _part(element: Any, name: str) -> str:
    child = element.find(f"{MATH}{name}")
    return "" if child is None else _tex(child)


def _property(element: Any, name: str, default: str) -> str:
    """Return a value of the element's properties; `default` if it is not stated."""
    child = element.find(f"{element.tag}Pr/{MATH}{name}")
    return default if child is None else child.get(f"{MATH}val", default)


def _chosen(element: Any, name: str, default: str, values: dict[str, str], *parts: str) -> str:
    """Fill the template that a property chooses."""
    template = values.get(_property(element, name, default), values[""])
    return template.format(*(_part(element, part) for part in parts))


def _sum(element: Any) -> str:
    symbol = _property(element, "chr", "∫")
    scripts = ((mark, _part(element, name)) for mark, name in (("_", "sub"), ("^", "sup")))
    script = "".join(f"{mark}{{{text}}}" for mark, text in scripts if text)
    return f"{SUMS.get(symbol, symbol)}{script} {_part(element, 'e')}"


def _delimited(element: Any) -> str:
    ends = (("begChr", "("), ("endChr", ")"))
    left, right = (_property(element, *end).translate(SPECIAL) or "." for end in ends)
    separator = _property(element, "sepChr", "|")
    return rf"\left{left}{separator.join(map(_tex, element.findall(PART)))}\right{right}"


def _rows(kind: str, rows: Iterable[Iterable[Any]]) -> str:
    lines = (" & ".join(map(_tex, row)) for row in rows)
    return rf"\begin{{{kind}}}" + r" \\ ".join(lines) + rf"\end{{{kind}}}"


WRITERS: dict[str, Callable[[Any], str]] = {
    "f": lambda element: _chosen(element, "type", "bar", FRACTIONS, "num", "den"),
    "rad": lambda element: (
        rf"\sqrt{f'[{degree}]' if (degree := _part(element, 'deg')) else ''}"
        rf"{{{_part(element, 'e')}}}"
    ),
    "nary": _sum,
    "acc": lambda element: _chosen(element, "chr", "\u0302", ACCENTS, "e"),
    "bar": lambda element: _chosen(element, "pos", "bot", BARS, "e"),
    "d": _delimited,
    "m": lambda element: _rows("matrix", element.findall(f"{MATH}mr")),
    "eqArr": lambda element: _rows("aligned", ([row] for row in element.findall(PART))),
}
