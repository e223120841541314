"""Convert the visible main part of an HTML page to Markdown, without active content."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

from bs4 import BeautifulSoup, Tag
from bs4.dammit import EncodingDetector
from bs4.element import PreformattedString
from markdownify import MarkdownConverter

from orgctx.importers.documents.converted import Converted, seconds
from orgctx.importers.documents.decoding import decoded
from orgctx.importers.documents.front_matter import without_front_matter

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
DROPPED = (
    "script", "style", "noscript", "template", "form", "input", "button", "select", "textarea",
    "link", "meta", "base", "head", "title", "nav", "footer", "dialog",
)  # fmt: skip
# Dropped, and counted.
EMBEDDED = (
    "iframe", "frame", "object", "embed", "applet", "audio", "video", "svg", "canvas",
)  # fmt: skip
# CSS selectors of the parts around the content of a Confluence page.
CHROME = "#breadcrumb-section, .pageSection, .page-metadata, #footer, #likes-and-labels-container"
# A table of contents, whose anchors do not exist in Markdown.
CONTENTS = ".toc-macro"
LANGUAGE = re.compile(r"\bbrush: ([\w+#-]+)")
MAIN = "main, [role=main], article"
HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
LINKS = ("http", "https", "mailto", "")
DATES = {
    "created": ("article:published_time", "dcterms.created", "date", "dc.date"),
    "updated": ("article:modified_time", "dcterms.modified", "last-modified", "og:updated_time"),
}
CONFLUENCE_DATE = re.compile(r"\bon ([A-Z][a-z]{2} \d{1,2}, \d{4})")


def convert(content: bytes) -> Converted:
    """Convert a page, without the front matter of a site generator. Raises ConversionError."""
    return page(content, is_source=True)


def page(
    content: bytes,
    charset: str | None = None,
    *,
    is_chapter: bool = False,
    is_source: bool = False,
) -> Converted:
    """Convert a page.

    Args:
        charset: what is declared outside the page.
        is_chapter: the page is part of a book, which has no navigation around its text.
        is_source: the page is a file of a site, which may begin with front matter.
    """
    document = Converted()
    declared = charset or EncodingDetector.find_declared_encoding(content, is_html=True) or ""
    if not charset and declared.lower().startswith(("utf-16", "utf-32")):
        declared = ""  # wrong: the declaration was found by reading ASCII
    text = decoded(content, declared, document.repaired)
    soup = BeautifulSoup(without_front_matter(text) if is_source else text, "html.parser")
    document.title = " ".join(soup.title.get_text().split()) if soup.title else ""
    document.created, document.updated = (_date(soup, names) for names in DATES.values())
    metadata = soup.select_one(".page-metadata")
    if metadata and (day := CONFLUENCE_DATE.search(metadata.get_text())):
        time = datetime.strptime(day[1], "%b %d, %Y").replace(tzinfo=UTC)
        document.updated = time.timestamp()
    if soup.select_one("#main-content"):
        document.title = document.title.partition(" : ")[2] or document.title
    main = soup.body or soup if is_chapter else _main(soup)
    document.content = _markdown(main, document.skipped)
    return document


def markdown_of(html: str, skipped: Counter[str]) -> str:
    """Convert HTML of a converter to Markdown."""
    return _markdown(BeautifulSoup(html, "html.parser"), skipped)


def _date(soup: BeautifulSoup, names: tuple[str, ...]) -> float | None:
    for meta in soup.find_all("meta"):
        name = str(meta.get("property") or meta.get("name") or meta.get("http-equiv")).lower()
        if name in names and (time := seconds(str(meta.get("content")))) is not None:
            return time
    return None


def _main(soup: BeautifulSoup) -> Tag:
    """Return the innermost element around all main parts of a page."""
    # Elsewhere an empty element of this id is the target of a link that skips the navigation.
    for exported in soup.select("#main-content"):
        if exported.get_text(strip=True):
            return exported
    parts = [tag for tag in soup.select(MAIN) if tag.get_text(strip=True)]
    if not parts:
        return soup.body or soup
    around = [[*reversed([*part.parents]), part] for part in parts]
    common: Tag = soup
    for level in zip(*around, strict=False):
        if any(tag is not level[0] for tag in level):
            break
        common = level[0]
    return common


def _markdown(main: Tag, skipped: Counter[str]) -> str:
    _unwrap_controls(main)
    skipped["embedded page or media"] += len(main.find_all(EMBEDDED))
    for tag in main.find_all((*DROPPED, *EMBEDDED)):
        if tag.name == "form" and tag.get_text(strip=True):
            skipped["form"] += 1
        tag.extract()
    if main.get("id") != "main-content":
        for tag in main.select(CHROME):
            tag.extract()
    for tag in main.find_all(_is_hidden):
        skipped["hidden part of a page"] += bool(tag.get_text(strip=True))
        tag.extract()
    for tag in main.select(CONTENTS):
        tag.extract()
    for text in main.find_all(string=lambda text: isinstance(text, PreformattedString)):
        text.extract()
    for tag in main.find_all("img"):
        skipped["picture"] += 1
        tag.replace_with(str(tag.get("alt") or ""))
    for tag in main.find_all("a"):
        _clean_link(tag)
    converter = MarkdownConverter(
        heading_style="atx", bullets="-", code_language_callback=_language
    )
    markdown: str = converter.convert_soup(main)
    return markdown


def _unwrap_controls(main: Tag) -> None:
    """Keep a form around most of the page, as ASP.NET writes it, and headings in buttons."""
    length = len(main.get_text())
    for form in main.find_all("form"):
        if 2 * len(form.get_text()) > length:
            form.unwrap()
    for button in main.find_all("button"):
        if button.find(HEADINGS) or button.find_parent(HEADINGS):
            button.unwrap()


def _language(block: Tag) -> str:
    """Return the language of a Confluence code block."""
    match = LANGUAGE.search(str(block.get("data-syntaxhighlighter-params") or ""))
    return match[1] if match else ""


def _is_hidden(tag: Tag) -> bool:
    style = str(tag.get("style") or "")
    return (
        tag.has_attr("hidden")
        or str(tag.get("aria-hidden")).lower() == "true"
        or bool(HIDDEN.search(style))
    )


def _clean_link(link: Tag) -> None:
    """Keep only the target of a link; drop Google's redirect and document comments."""
    href = str(link.get("href") or "").strip()
    if href.startswith("#cmnt") or str(link.get("id") or "").startswith("cmnt"):
        holder = link.find_parent("div") if href.startswith("#cmnt_ref") else link
        (holder or link).extract()
        return
    try:
        parts = urlsplit(href)
    except ValueError:
        parts = urlsplit("")
    if parts.netloc == "www.google.com" and parts.path == "/url":
        href = parse_qs(parts.query).get("q", [""])[0]
        parts = urlsplit(href)
    if parts.scheme.lower() not in LINKS or not href:
        link.unwrap()
    else:
        link["href"] = href
