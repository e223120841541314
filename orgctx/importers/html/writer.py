"""Write a part of a web page as Markdown."""

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

from html_to_markdown import ConversionOptions, HiddenContent, WarningKind, convert
from lxml import etree

from orgctx.importers.folder.conversion import ConversionError

LINKS = ("http", "https", "mailto", "")
# The language of a block of code, in a class or an attribute.
LANGUAGE = re.compile(
    r"(?:^|\s)(?:language-|lang-|highlight-source-|highlight-|brush: ?)([\w+#.-]+)"
)
NO_LANGUAGE = ("none", "text", "plain", "plaintext", "txt", "default", "notranslate")
LINES = ("div", "p", "li", "tr")  # elements of code that are a line
TEX = ".//annotation[@encoding='application/x-tex']"
# Classes of words that styles part from the next: words that are only read aloud, and choices in a
# page of Notion.
APART = re.compile(r"(?:^|\s)(?:sr-only|visually-hidden|selected-value)(?:\s|$)")
OPTIONS = ConversionOptions(
    bullets="-",
    list_indent_width=2,
    compact_tables=True,
    autolinks=False,
    extract_metadata=False,
    hidden_content=HiddenContent.ALL,  # what is hidden is removed before
)


def markdown_of(element: Any) -> str:
    """Write an element and its content, which changes. Raises ConversionError."""
    for table in reversed(list(element.iter("table"))):
        _unwrap_layout(table)
    for pre in element.iter("pre"):
        _plain_code(pre)
    # A list: formulas lose their elements, where an iterator would end.
    for each in list(element.iter("*")):
        _prepare(each)
    etree.strip_attributes(element, "title", "aria-label", "cite")
    html = etree.tostring(element, encoding="unicode", method="html", with_tail=False)
    result = convert(html, OPTIONS)
    if any(each.kind == WarningKind.DEPTH_LIMIT_EXCEEDED for each in result.warnings):
        raise ConversionError("its elements are nested too deeply")
    return result.content or ""


def _prepare(element: Any) -> None:
    """Change an element so that its words are written, and links that readers can follow."""
    tag, is_apart = element.tag, bool(APART.search(element.get("class", "")))
    if tag == "a":
        href = link_target(element.get("href"))
        if href:
            element.set("href", href)
        else:
            element.tag = "span"
        # Styles part links that follow one another.
        is_apart = bool(href) and not element.tail and element.getnext() is not None
    elif tag == "img":
        _replace(element, element.get("alt"))
    elif tag == "i" and not len(element) and not element.text:
        _replace(element, element.get("title"))  # an icon, such as of a note
    elif tag == "math" and (tex := element.findtext(TEX)):
        _replace(element, f"${tex.strip()}$")  # beside the same as symbols
    if is_apart:
        element.tail = f" {element.tail or ''}"


def _replace(element: Any, text: str | None) -> None:
    element.clear(keep_tail=True)
    element.tag, element.text = "span", text


def _unwrap_layout(table: Any) -> None:
    """Make a table blocks that is only layout: of one row, one column, or a role."""
    rows = [row for row in table.iter("tr") if next(row.iterancestors("table")) is table]
    width = max((len(row) for row in rows), default=0)
    if min(len(rows), width) < 2 or table.get("role") == "presentation":
        parts = [*table.iterchildren("thead", "tbody", "tfoot"), *rows]
        for element in (table, *parts, *(cell for row in rows for cell in row)):
            element.tag = "div"


def link_target(href: str | None) -> str:
    """Return the target of a link, without Google's redirect; nothing for a place in the page."""
    href = (href or "").strip()
    try:
        parts = urlsplit(href)
        if parts.netloc == "www.google.com" and parts.path == "/url":
            href = parse_qs(parts.query).get("q", [""])[0]
        scheme = urlsplit(href).scheme
    except ValueError:
        return ""
    return href.replace(" ", "%20") if scheme in LINKS and not href.startswith("#") else ""


def _plain_code(pre: Any) -> None:
    """Leave only lines and the language in a block of code."""
    language = _language(pre)
    for element in pre.iterdescendants("*"):
        if element.tag != "br":
            element.tag = "div" if element.tag in LINES else "span"
    pre.set("class", f"language-{language}" if language else "")


def _language(element: Any) -> str:
    """Return the language that a block of code, the code in it or an element around it names."""
    around = [each for each, _ in zip(element.iterancestors(), range(3), strict=False)]
    for each in (element, *element.iter("code"), *around):
        names = LANGUAGE.findall(
            f"{each.get('class', '')} {each.get('data-syntaxhighlighter-params', '')}"
        )
        names += [each.get("data-lang") or "", each.get("data-language") or ""]
        for name in names:
            if name and name.lower() not in NO_LANGUAGE:
                return str(name)
    return ""
