"""Convert the visible main part of an HTML page to Markdown, without active content."""

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
# CSS selectors of the parts around the content of a Confluence page.
CHROME = "#breadcrumb-section, .pageSection, .page-metadata, #footer, #likes-and-labels-container"
# A table of contents, whose anchors do not exist in Markdown.
CONTENTS = ".toc-macro"
LANGUAGE = re.compile(r"\bbrush: ([\w+#-]+)")
MAIN = ("#main-content", "main", "[role=main]", "article", "body")
HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
LINKS = ("http", "https", "mailto", "")
DATES = {
    "created": ("article:published_time", "dcterms.created", "date", "dc.date"),
    "updated": ("article:modified_time", "dcterms.modified", "last-modified", "og:updated_time"),
}
CONFLUENCE_DATE = re.compile(r"\bon ([A-Z][a-z]{2} \d{1,2}, \d{4})")


def page(content: bytes) -> dict[str, Any]:
    """Return title, created, updated (Unix seconds or None) and content (Markdown) of a page."""
    soup = BeautifulSoup(content, "html.parser")
    title = " ".join(soup.title.get_text().split()) if soup.title else ""
    dates = {name: _date(soup, names) for name, names in DATES.items()}
    metadata = soup.select_one(".page-metadata")
    if metadata and (day := CONFLUENCE_DATE.search(metadata.get_text())):
        time = datetime.strptime(day[1], "%b %d, %Y").replace(tzinfo=UTC)
        dates["updated"] = time.timestamp()
    if soup.select_one("#main-content"):
        title = title.partition(" : ")[2] or title
    return {"title": title, **dates, "content": _markdown(soup)}


def markdown_of(html: str) -> str:
    """Convert HTML to Markdown."""
    return _markdown(BeautifulSoup(html, "html.parser"))


def _date(soup: BeautifulSoup, names: tuple[str, ...]) -> float | None:
    for meta in soup.find_all("meta"):
        name = str(meta.get("property") or meta.get("name") or meta.get("http-equiv")).lower()
        if name in names:
            try:
                time = datetime.fromisoformat(str(meta.get("content")).strip())
            except ValueError:
                continue
            return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
    return None


def _markdown(soup: BeautifulSoup) -> str:
    main = next((tag for selector in MAIN if (tag := soup.select_one(selector))), soup)
    for tag in main.find_all(DROPPED):
        tag.extract()
    if main is not soup and main.get("id") != "main-content":
        for tag in main.select(CHROME):
            tag.extract()
    for tag in [*main.find_all(_is_hidden), *main.select(CONTENTS)]:
        tag.extract()
    for text in main.find_all(string=lambda text: isinstance(text, PreformattedString)):
        text.extract()
    for tag in main.find_all("img"):
        tag.replace_with(str(tag.get("alt") or ""))
    for tag in main.find_all("a"):
        _clean_link(tag)
    converter = MarkdownConverter(
        heading_style="atx", bullets="-", code_language_callback=_language
    )
    markdown: str = converter.convert_soup(main)
    return markdown


def _language(block: Tag) -> str:
    """Return the language of a Confluence code block."""
    match = LANGUAGE.search(str(block.get("data-syntaxhighlighter-params") or ""))
    return match[1] if match else ""


def _is_hidden(tag: Tag) -> bool:
    style = str(tag.get("style") or "")
    return tag.has_attr("hidden") or tag.get("aria-hidden") == "true" or bool(HIDDEN.search(style))


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
