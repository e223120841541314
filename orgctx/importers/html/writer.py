"""Write a part of a web page as Markdown."""

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

from html_to_markdown import ConversionOptions, HiddenContent, WarningKind, convert
from lxml import etree

from orgctx.importers.formats import ConversionError

LINK_SCHEMES = ("http", "https", "mailto", "")
# The language of a block of code, in a class or an attribute.
LANGUAGE = re.compile(
    r"(?:^|\s)(?:language-|lang-|highlight-source-|highlight-|brush: ?)([\w+#.-]+)"
)
# Where it stands: at the block, the code in it, or up to three elements around it.
NEAR = "(ancestor-or-self::*[position() < 5] | .//code)"
NAMES = etree.XPath(f"{NEAR}/@data-lang | {NEAR}/@data-language")
CLASSES = etree.XPath(f"{NEAR}/@class | {NEAR}/@data-syntaxhighlighter-params")
NO_LANGUAGE = ("none", "text", "plain", "plaintext", "txt", "default", "notranslate")
LINE_TAGS = ("div", "p", "li", "tr")  # elements in code, each a line
TEX = ".//annotation[@encoding='application/x-tex']"
# Classes of words that only styles separate from the next word: words for screen readers, and
# choices in a page of Notion.
SEPARATED = re.compile(r"(?:^|\s)(?:sr-only|visually-hidden|selected-value)(?:\s|$)")
OPTIONS = ConversionOptions(
    bullets="-",
    list_indent_width=2,
    compact_tables=True,
    autolinks=False,
    extract_metadata=False,
    hidden_content=HiddenContent.ALL,  # what is hidden is removed before
)


def markdown_of(element: Any) -> str:
    """Write an element as Markdown; changes the element. Raises ConversionError."""
    for table in reversed(list(element.iter("table"))):
        _unwrap_layout(table)
    for pre in element.iter("pre"):
        _plain_code(pre)
    # A list: formulas lose their elements, where an iterator would end.
    for descendant in list(element.iter("*")):
        _prepare(descendant)
    etree.strip_attributes(element, "title", "aria-label", "cite")
    html = etree.tostring(element, encoding="unicode", method="html", with_tail=False)
    result = convert(html, OPTIONS)
    if any(warning.kind == WarningKind.DEPTH_LIMIT_EXCEEDED for warning in result.warnings):
        raise ConversionError("its elements are nested too deeply")
    return result.content or ""


def _prepare(element: Any) -> None:
    """Keep the words of an element, and a link only if readers can follow it."""
    tag, needs_space = element.tag, bool(SEPARATED.search(element.get("class", "")))
    if tag == "a":
        href = link_target(element.get("href"))
        if href:
            element.set("href", href)
        else:
            element.tag = "span"
        # Only styles separate links that follow one another.
        needs_space = bool(href) and not element.tail and element.getnext() is not None
    elif tag == "img":
        _replace(element, element.get("alt"))
    elif tag == "i" and not len(element) and not element.text:
        _replace(element, element.get("title"))  # an icon, such as of a note
    elif tag == "math" and (tex := element.findtext(TEX)):
        _replace(element, f"${tex.strip()}$")  # which the element also has as symbols
    if needs_space or tag == "label":
        element.tail = f" {element.tail or ''}"


def _replace(element: Any, text: str | None) -> None:
    element.clear(keep_tail=True)
    element.tag, element.text = "span", text


def _unwrap_layout(table: Any) -> None:
    """Turn a table into blocks if it is only layout: one row, one column, or by its role."""
    rows = [row for row in table.iter("tr") if next(row.iterancestors("table")) is table]
    width = max((len(row) for row in rows), default=0)
    if min(len(rows), width) < 2 or table.get("role") == "presentation":
        parts = [*table.iterchildren("thead", "tbody", "tfoot"), *rows]
        for element in (table, *parts, *(cell for row in rows for cell in row)):
            element.tag = "div"


def link_target(href: str | None) -> str:
    """Return the target of a link, without Google's redirect; "" if it is in the page."""
    href = (href or "").strip()
    try:
        parts = urlsplit(href)
        if parts.netloc == "www.google.com" and parts.path == "/url":
            href = parse_qs(parts.query).get("q", [""])[0]
        scheme = urlsplit(href).scheme
    except ValueError:
        return ""
    return href.replace(" ", "%20") if scheme in LINK_SCHEMES and not href.startswith("#") else ""


def _plain_code(pre: Any) -> None:
    """Reduce a block of code to its lines and its language."""
    names = (*NAMES(pre), *LANGUAGE.findall(" ".join(CLASSES(pre))))
    language = next((name for name in names if name and name.lower() not in NO_LANGUAGE), "")
    for element in pre.iterdescendants("*"):
        if element.tag != "br":
            element.tag = "div" if element.tag in LINE_TAGS else "span"
    pre.set("class", f"language-{language}" if language else "")
