"""Convert OpenDocument texts, without hidden text, deleted text and comments."""

import re
from collections.abc import Iterable
from io import BytesIO
from typing import Any

from lxml import etree
from odfdo import Document

from orgctx.importers.folder.conversion import ConversionError, Converted
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
NAMESPACES = {
    "style": "urn:oasis:names:tc:opendocument:xmlns:style:1.0",
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
    "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
}
STYLE = f"{{{NAMESPACES['style']}}}"
# What a style says about its text: whether and how large it is shown.
DISPLAYS = etree.XPath(
    "style:text-properties/@text:display | style:table-properties/@table:display",
    namespaces=NAMESPACES,
)
HIDDEN = ("none", "false")
# Characters within words and names, which a search has to find.
ESCAPED = re.compile(r"\\([_*~-]|(?<=\S\\)#)")
MOST_PARENTS = 20


def convert(content: bytes) -> Converted:
    archive = open_package(content)
    if b"encryption-data" in archive.read("META-INF/manifest.xml"):
        raise ConversionError("is protected by a password; remove it")
    converted = Converted(**properties(archive, "meta.xml", "creation-date", "date"))
    parts = [name for name in ("content.xml", "styles.xml") if name in archive.namelist()]
    trees = {name: parse(archive.read(name)) for name in parts}
    document = Document(BytesIO(content))
    for path, reason in DROPPED.items():
        for element in document.body.xpath(path):
            _remove(element, reason, converted)
    hidden = _hidden_styles(trees.values())
    for attribute in ("text:style-name", "table:style-name"):
        styled: list[Any] = document.body.xpath(f"//*[@{attribute}]")
        for element in styled:
            if element.get_attribute(attribute) in hidden:
                _remove(element, "hidden text", converted)
    for table in document.body.xpath("//table:table"):
        _remove_columns(table, converted)
    margins = trees["styles.xml"].iter("{*}header", "{*}footer") if "styles.xml" in trees else ()
    converted.skipped["header or footer"] += sum(
        any(text.strip() for text in margin.itertext()) for margin in margins
    )
    converted.content = ESCAPED.sub(r"\1", str(document.to_markdown()))
    return converted


def _hidden_styles(trees: Iterable[Any]) -> set[str]:
    """Return the names of the styles that hide text, or are based on one that does."""
    found = [style for tree in trees for style in tree.iter(f"{STYLE}style")]
    styles = {style.get(f"{STYLE}name"): style for style in found}

    def is_hidden(name: str, depth: int = 0) -> bool:
        if (style := styles.get(name)) is None or depth == MOST_PARENTS:
            return False
        shown = DISPLAYS(style) or [None]
        is_stated = shown[0] is not None
        parent = style.get(f"{STYLE}parent-style-name")
        return shown[0] in HIDDEN if is_stated else is_hidden(parent, depth + 1)

    return {name for name in styles if is_hidden(name)}


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
