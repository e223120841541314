"""Convert the visible main part of web pages, and books of them, without active content."""

import re
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from posixpath import normpath
from types import MappingProxyType
from urllib.parse import parse_qs, unquote, urlsplit

from bs4 import BeautifulSoup, Tag
from bs4.dammit import EncodingDetector
from bs4.element import Comment, PreformattedString
from markdownify import MarkdownConverter

from orgctx.importers.decoding import decoded
from orgctx.importers.folder.conversion import (
    FAINT,
    FAINT_REASON,
    ConversionError,
    Converted,
    HeldBack,
    seconds,
)
from orgctx.importers.formats.package import open_package, parse
from orgctx.importers.formats.styles import faint_parts, hidden_parts, rules_of
from orgctx.importers.markdown.front_matter import held_back, split

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
MAIN = "main, [role=main]"
# The end of a script or style, which may have a space or more, and may lack its end.
ODD_END = re.compile(r"</(script|style)\b[^>]*>?", re.IGNORECASE)
LINKS = ("http", "https", "mailto", "")
# Names of `meta` elements.
CREATED = ("article:published_time", "dcterms.created", "date", "dc.date")
UPDATED = ("article:modified_time", "dcterms.modified", "last-modified", "og:updated_time")
# The list of the encrypted files of a book, which are often only fonts.
ENCRYPTION = "META-INF/encryption.xml"
NO_SHEETS: Mapping[str, str] = MappingProxyType({})
CONFLUENCE_DATE = re.compile(r"\bon ([A-Z][a-z]{2} \d{1,2}, \d{4})")


def page(
    content: bytes,
    charset: str | None = None,
    *,
    is_chapter: bool = False,
    is_source: bool = True,
    sheets: Mapping[str, str] = NO_SHEETS,
) -> Converted:
    """Convert a page.

    Args:
        charset: what is declared outside the page.
        is_chapter: the page is part of a book, which has no navigation around its text.
        is_source: the page is a file of a site, which may begin with front matter.
        sheets: the style sheets beside the page, by file name.
    """
    document = Converted()
    declared = charset or EncodingDetector.find_declared_encoding(content, is_html=True) or ""
    if not charset and declared.lower().startswith(("utf-16", "utf-32")):
        declared = ""  # wrong: the declaration was found by reading ASCII
    text = decoded(content, declared, document.repaired)
    is_source &= not is_chapter
    if is_source and (text := without_front_matter(text)).lstrip().startswith(("{%", "{{")):
        document.skipped["template of a page"] += 1
        return document
    soup = _parsed(text, document.skipped, sheets)
    document.title = " ".join(soup.title.get_text().split()) if soup.title else ""
    document.created, document.updated = (_date(soup, names) for names in (CREATED, UPDATED))
    metadata = soup.select_one(".page-metadata")
    if metadata and (day := CONFLUENCE_DATE.search(metadata.get_text())):
        with suppress(ValueError):  # a month in another language
            time = datetime.strptime(day[1], "%b %d, %Y").replace(tzinfo=UTC)
            document.updated = time.timestamp()
    if soup.select_one("#main-content"):
        document.title = document.title.partition(" : ")[2] or document.title
    main = soup.body or soup if is_chapter else _main(soup)
    document.content = _markdown(main, document.skipped)
    return document


def book(content: bytes) -> Converted:
    """Convert an EPUB book: its chapters in reading order. What is left out is counted."""
    archive = open_package(content)
    container = parse(archive.read("META-INF/container.xml"))
    root = container.xpath("string(//*[local-name()='rootfile']/@full-path)")
    package = parse(archive.read(root))
    document = Converted(
        title=package.xpath("string(//*[local-name()='title'][1])"),
        updated=seconds(package.xpath("string(//*[@property='dcterms:modified'])")),
        created=seconds(package.xpath("string(//*[local-name()='date'][1])")),
    )
    items = {item.get("id"): item.get("href") for item in package.iter("{*}item")}
    base, names = root.rpartition("/")[0], set(archive.namelist())
    locked = (
        parse(archive.read(ENCRYPTION)).iter("{*}CipherReference") if ENCRYPTION in names else ()
    )
    encrypted = {unquote(reference.get("URI", "")) for reference in locked}
    styles = (name for name in names - encrypted if name.endswith(".css"))
    sheets = {sheet_name(name): archive.read(name).decode(errors="replace") for name in styles}
    chapters = []
    for reference in package.iter("{*}itemref"):
        href = unquote((items.get(reference.get("idref")) or "").partition("#")[0])
        name = normpath(f"{base}/{href}".lstrip("/"))
        if reference.get("linear") == "no":
            document.skipped["part outside the reading order of a book"] += 1
        elif name not in names:
            document.skipped["chapter that a book lacks"] += 1
        elif name in encrypted:
            raise ConversionError("is encrypted; pass a copy without digital rights management")
        else:
            chapter = page(archive.read(name), is_chapter=True, sheets=sheets)
            chapters.append(chapter.content)
            document.skipped += chapter.skipped
            document.repaired += chapter.repaired
    document.content = "\n\n".join(chapters)
    return document


def sheet_name(href: str) -> str:
    return unquote(href).partition("?")[0].rpartition("/")[2]


def markdown_of(html: str, skipped: Counter[str]) -> str:
    return _markdown(_parsed(html, skipped), skipped)


def without_front_matter(text: str) -> str:
    """Return the text after the front matter. Raises HeldBack, BrokenFrontMatter."""
    front, content = split(text.lstrip("\N{ZERO WIDTH NO-BREAK SPACE}"), is_markdown=False)
    if reason := next(held_back(front, datetime.now(UTC)), None):
        raise HeldBack(reason)
    return content


def _parsed(
    html: str, skipped: Counter[str], sheets: Mapping[str, str] = NO_SHEETS
) -> BeautifulSoup:
    """Parse a page, without what its readers do not see."""
    soup = BeautifulSoup(ODD_END.sub(r"</\1>", html), "html.parser")
    for link in soup.find_all("link", rel="stylesheet") if sheets else ():
        link.name, link.string = "style", sheets.get(sheet_name(str(link.get("href"))), "")
    rules = rules_of(soup)
    for part in list(hidden_parts(soup, rules)):
        is_template = isinstance(part, Tag) and part.name == "template"
        skipped["hidden part of a page"] += bool(part.get_text(strip=True) or is_template)
        part.extract()
    for tag in faint_parts(soup, rules):
        tag.insert(0, FAINT.partition("{}")[0])
        tag.append(FAINT.partition("{}")[2])
        skipped[FAINT_REASON] += 1
    for text in soup.find_all(string=lambda text: isinstance(text, PreformattedString)):
        is_comment = isinstance(text, Comment) and text.strip()[:3].lower() not in ("[if", "[en")
        skipped["comment"] += is_comment
        text.extract()
    return soup


def _date(soup: BeautifulSoup, names: tuple[str, ...]) -> float | None:
    for meta in soup.find_all("meta"):
        name = str(meta.get("property") or meta.get("name") or meta.get("http-equiv")).lower()
        if name in names and (time := seconds(str(meta.get("content")))) is not None:
            return time
    return None


def _main(soup: BeautifulSoup) -> Tag:
    """Return the innermost element around all main parts of a page."""
    # Confluence exports pages in this element. Other sites have an empty one for skip links.
    for exported in soup.select("#main-content"):
        if exported.get_text(strip=True):
            return exported
    body = soup.body or soup
    parts = [tag for tag in soup.select(f"{MAIN}, article") if tag.get_text(strip=True)]
    # Articles alone may be teasers beside the text.
    length = sum(len(tag.get_text()) for tag in parts)
    around = sum(len(tag.get_text()) for tag in body.find_all(("nav", "header", "footer", "aside")))
    if 2 * length < len(body.get_text()) - around and not soup.select_one(MAIN):
        return body
    if not parts:
        return body
    shared = set.intersection(*({id(tag) for tag in (part, *part.parents)} for part in parts))
    return next(tag for tag in (parts[0], *parts[0].parents) if id(tag) in shared)


def _markdown(main: Tag, skipped: Counter[str]) -> str:
    # Keep a form around most of the page, as ASP.NET writes it, and headings in buttons.
    length = len(main.get_text())
    for tag in main.find_all("form"):
        if 2 * len(tag.get_text()) > length:
            tag.unwrap()
    for tag in main.find_all("button"):
        if tag.find(HEADINGS) or tag.find_parent(HEADINGS):
            tag.unwrap()
    skipped["embedded page or media"] += len(main.find_all(EMBEDDED))
    for tag in main.find_all((*DROPPED, *EMBEDDED)):
        skipped["form"] += bool(tag.name == "form" and tag.get_text(strip=True))
        tag.extract()
    chrome = "" if main.get("id") == "main-content" else f"{CHROME}, "
    for tag in main.select(f"{chrome}{CONTENTS}"):
        tag.extract()
    for tag in main.find_all("img"):
        skipped["picture"] += 1
        tag.replace_with(str(tag.get("alt") or ""))
    for tag in main.find_all("a"):
        _clean_link(tag)
    converter = MarkdownConverter(
        heading_style="atx",
        bullets="-",
        # The language of a code block of Confluence.
        code_language_callback=lambda block: "".join(
            LANGUAGE.findall(str(block.get("data-syntaxhighlighter-params") or ""))[:1]
        ),
        escape_asterisks=False,  # so that a search finds names such as `deploy_target`
        escape_underscores=False,
    )
    markdown: str = converter.convert_soup(main)
    return markdown


def _clean_link(link: Tag) -> None:
    """Keep only the target of a link; drop Google's redirect and document comments."""
    href = str(link.get("href") or "").strip()
    if href.startswith("#cmnt") or str(link.get("id") or "").startswith("cmnt"):
        holder = link.find_parent("div") if href.startswith("#cmnt_ref") else link
        (holder or link).extract()
        return
    scheme = None
    with suppress(ValueError):
        parts = urlsplit(href)
        if parts.netloc == "www.google.com" and parts.path == "/url":
            href = parse_qs(parts.query).get("q", [""])[0]
        scheme = urlsplit(href).scheme
    if scheme not in LINKS or not href:
        link.unwrap()
    else:
        link["href"] = href
