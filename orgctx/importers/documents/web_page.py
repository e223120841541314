"""Convert an HTML page to Markdown: the visible main part, without active content."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

from bs4 import BeautifulSoup, Tag
from bs4.element import PreformattedString
from markdownify import MarkdownConverter

DROPPED = (
    "script", "style", "noscript", "template", "iframe", "frame", "object", "embed", "applet",
    "form", "input", "button", "select", "textarea", "svg", "canvas", "audio", "video", "link",
    "meta", "base", "head", "title", "nav", "footer", "dialog",
)  # fmt: skip
# Parts of a Confluence page: breadcrumbs, attachments, author.
FRAME = "#breadcrumb-section, .pageSection, .page-metadata, #footer, #likes-and-labels-container"
# A list of links to headings, which lose their anchors.
CONTENTS = ".toc-macro"
BRUSH = re.compile(r"\bbrush: ([\w+#-]+)")
MAIN = ("#main-content", "main", "[role=main]", "article", "body")
HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
LINKS = ("http", "https", "mailto", "")
DATES = {
    "created": ("article:published_time", "dcterms.created", "date", "dc.date"),
    "updated": ("article:modified_time", "dcterms.modified", "last-modified", "og:updated_time"),
}
CONFLUENCE_DATE = re.compile(r"\bon ([A-Z][a-z]{2} \d{1,2}, \d{4})")


def page(content: bytes) -> dict[str, Any]:
    """The title, the dates in Unix seconds or None, and the text."""
    soup = BeautifulSoup(content, "html.parser")
    title = " ".join(soup.title.get_text().split()) if soup.title else ""
    about = {name: _told(soup, names) for name, names in DATES.items()}
    metadata = soup.select_one(".page-metadata")
    if metadata and (day := CONFLUENCE_DATE.search(metadata.get_text())):
        at = datetime.strptime(day[1], "%b %d, %Y").replace(tzinfo=UTC)
        about["updated"] = at.timestamp()
    if soup.select_one("#main-content"):
        title = title.partition(" : ")[2] or title
    return {"title": title, **about, "content": _markdown(soup)}


def markdown_of(html: str) -> str:
    return _markdown(BeautifulSoup(html, "html.parser"))


def _told(soup: BeautifulSoup, names: tuple[str, ...]) -> float | None:
    for meta in soup.find_all("meta"):
        name = str(meta.get("property") or meta.get("name") or meta.get("http-equiv")).lower()
        if name in names:
            try:
                at = datetime.fromisoformat(str(meta.get("content")).strip())
            except ValueError:
                continue
            return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()
    return None


def _markdown(soup: BeautifulSoup) -> str:
    main = next((found for where in MAIN if (found := soup.select_one(where))), soup)
    for tag in main.find_all(DROPPED):
        tag.extract()
    if main is not soup and main.get("id") != "main-content":
        for tag in main.select(FRAME):
            tag.extract()
    for tag in [*main.find_all(_is_hidden), *main.select(CONTENTS)]:
        tag.extract()
    for text in main.find_all(string=lambda text: isinstance(text, PreformattedString)):
        text.extract()
    for tag in main.find_all("img"):
        tag.replace_with(str(tag.get("alt") or ""))
    for tag in main.find_all("a"):
        _make_plain(tag)
    converter = MarkdownConverter(
        heading_style="atx", bullets="-", code_language_callback=_language
    )
    made: str = converter.convert_soup(main)
    return made


def _language(block: Tag) -> str:
    """The language that Confluence names for a block of code."""
    found = BRUSH.search(str(block.get("data-syntaxhighlighter-params") or ""))
    return found[1] if found else ""


def _is_hidden(tag: Tag) -> bool:
    style = str(tag.get("style") or "")
    return tag.has_attr("hidden") or tag.get("aria-hidden") == "true" or bool(HIDDEN.search(style))


def _make_plain(link: Tag) -> None:
    """Keep only the target of a link; remove Google's redirect and document comments."""
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
