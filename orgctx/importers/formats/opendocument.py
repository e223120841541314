"""Convert OpenDocument texts, without hidden text, deleted text and comments."""

import re
from collections import Counter
from collections.abc import Iterable
from io import BytesIO
from typing import Any

from lxml import etree
from odfdo import Container, Document

from orgctx.importers.folder.conversion import FAINT, FAINT_REASON, ConversionError, Converted
from orgctx.importers.formats.package import open_package, parse, properties

# Elements to remove, by the reason that counts them. The parts of a change count, not their list.
DROPPED = {
    "//office:annotation": "comment",
    "//text:deletion": "deleted text of a tracked change",
    "//text:tracked-changes": "",
    "//text:p[.//text:hidden-paragraph[@text:is-hidden='true']]": "hidden text",
    "//text:hidden-text|//text:hidden-paragraph": "hidden text",
    "//text:section[@text:display and @text:display!='true']": "hidden section",
    "//table:table-row[@table:visibility!='visible']": "hidden row of a table",
    "//svg:title|//svg:desc": "",
    "//draw:image|//draw:object|//draw:object-ole": "picture or embedded object",
}
STYLE, TEXT, TABLE, DRAW, FO = (
    f"{{urn:oasis:names:tc:opendocument:xmlns:{name}:1.0}}"
    for name in ("style", "text", "table", "drawing", "xsl-fo-compatible")
)
# What a style says about its text: whether, how large and in which color it is shown.
DISPLAYS, SIZE, COLOR = (f"{TEXT}display", f"{TABLE}display"), f"{FO}font-size", f"{FO}color"
BACKGROUND, AUTOMATIC = f"{FO}background-color", f"{STYLE}use-window-font-color"
LOOK = {*DISPLAYS, SIZE, COLOR, BACKGROUND}
HIDDEN = ("none", "false")
TRANSPARENT, WHITE = "transparent", "#ffffff"
MIN_SIZE = 1.0  # points; text of this size is hidden
POINTS = {"pt": 1, "in": 72, "cm": 28.35, "mm": 2.835, "px": 0.75, "pc": 12, "%": 0.12}
LENGTH = re.compile(r"(\d++(?:\.\d*+)?|\.\d++)\s*+(pt|in|[cm]m|p[xc]|%)")
# Families of styles, by the elements that have them; others have the same name.
FAMILIES = {"p": "paragraph", "h": "paragraph", "span": "text", "a": "text"}
# Characters within words and names, which a search has to find.
ESCAPED = re.compile(r"\\([_*~-]|(?<=\S\\)#)")
MOST_PARENTS = 20
_Look = dict[str, str]


def convert(content: bytes) -> Converted:
    archive = open_package(content)
    if b"encryption-data" in archive.read("META-INF/manifest.xml"):
        raise ConversionError("is protected by a password; remove it")
    converted = Converted(**properties(archive, "meta.xml", "creation-date", "date"))
    # The last style of a name holds: that of the content.
    names = {"content.xml", "styles.xml"}.intersection(archive.namelist())
    trees = {name: parse(archive.read(name)) for name in sorted(names, reverse=True)}
    _remove_unseen(trees, converted.skipped)
    container = Container(BytesIO(content))
    container.set_part("content.xml", etree.tostring(trees["content.xml"]))
    document = Document(container)
    for path, reason in DROPPED.items():
        for element in document.body.xpath(path):
            _remove(element, reason, converted)
    for table in document.body.xpath("//table:table"):
        _remove_columns(table, converted)
    margins = trees["styles.xml"].iter("{*}header", "{*}footer") if "styles.xml" in trees else ()
    converted.skipped["header or footer"] += sum(
        any(text.strip() for text in margin.itertext()) for margin in margins
    )
    converted.content = ESCAPED.sub(r"\1", str(document.to_markdown()))
    return converted


def _remove_unseen(trees: dict[str, Any], skipped: Counter[str]) -> None:
    """Remove text that its style hides, and mark text whose color is that of its background."""
    styles = _styles(trees.values())
    pages = {
        page.get(BACKGROUND, TRANSPARENT).lower()
        for tree in trees.values()
        for page in tree.iter(f"{STYLE}page-layout-properties")
    }
    looks: dict[Any, _Look] = {None: {BACKGROUND: WHITE} if pages <= {TRANSPARENT, WHITE} else {}}
    for element in trees["content.xml"].iter("{*}*"):
        kind = etree.QName(element).localname
        name = element.get(f"{element.tag.removesuffix(kind)}style-name")
        style = styles.get((FAMILIES.get(kind, kind), name), {})
        look = looks[element.getparent()]
        if element.tag.startswith(DRAW):  # whose text inherits no more
            look = {key: value for key, value in look.items() if key in DISPLAYS}
        own = {key: value for key, value in style.items() if value != TRANSPARENT}
        look = looks[element] = look | own if own else look
        size = LENGTH.match(look.get(SIZE, "").lower())
        is_tiny = size is not None and float(size[1]) * POINTS[size[2]] <= MIN_SIZE
        is_hidden = is_tiny or any(look.get(name) in HIDDEN for name in DISPLAYS)
        is_faint = look.get(COLOR, "").lower() == look.get(BACKGROUND, "?").lower()
        places = [(element, "text"), *((child, "tail") for child in element)]
        for place, where in places if is_hidden or is_faint else ():
            if text := (getattr(place, where) or "").strip():
                setattr(place, where, None if is_hidden else FAINT.format(text))
                skipped["hidden text" if is_hidden else FAINT_REASON] += 1


def _styles(trees: Iterable[Any]) -> dict[tuple[str, str | None], _Look]:
    """Return what styles and their parents say, by family and name; the default has no name."""
    tags = (f"{STYLE}style", f"{STYLE}default-style")
    styles = {
        (style.get(f"{STYLE}family"), style.get(f"{STYLE}name")): style
        for tree in trees
        for style in tree.iter(*tags)
    }

    def look(family: str, name: str | None, depth: int = 0) -> _Look:
        if (style := styles.get((family, name))) is None or depth == MOST_PARENTS:
            return {}
        parent = style.get(f"{STYLE}parent-style-name")
        own: _Look = {}
        for part in style:
            stated = {key: part.get(key) for key in LOOK & {*part.keys()}}
            if part.get(AUTOMATIC) == "true":
                stated[COLOR] = ""
            own |= {k: v for k, v in stated.items() if v != TRANSPARENT or k not in own}
        return (look(family, parent, depth + 1) if name else {}) | own

    return {key: look(*key) for key in styles}


def _remove_columns(table: Any, converted: Converted) -> None:
    hidden: set[int] = set()
    number = 0
    for column in table.xpath(".//table:table-column"):
        repeated = min(int(column.get_attribute("table:number-columns-repeated") or 1), 16_384)
        if column.get_attribute("table:visibility") in ("collapse", "filter"):
            hidden.update(range(number, number + repeated))
        number += repeated
    converted.skipped["hidden column of a table"] += len(hidden)
    for row in table.xpath(".//table:table-row") if hidden else ():
        number = 0
        for cell in row.xpath("table:table-cell|table:covered-table-cell"):
            if number in hidden:
                cell.delete()
            number += int(cell.get_attribute("table:number-columns-repeated") or 1)


def _remove(element: Any, reason: str, converted: Converted) -> None:
    if element.parent is not None:
        converted.skipped[reason] += 1
        element.delete()
