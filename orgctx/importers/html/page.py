"""Convert the main part of a web page, and collect what the page says about itself."""

import re
import sys
from collections import Counter
from datetime import UTC, datetime
from typing import Any

from lxml import etree

from orgctx.importers.decoding import decoded
from orgctx.importers.folder.conversion import Converted, Facts, seconds
from orgctx.importers.front_matter import split
from orgctx.importers.html.hidden import remove, remove_comments, remove_hidden
from orgctx.importers.html.writer import markdown_of

DECLARED = re.compile(rb"<(?:meta[^>]{1,200}?charset|\?xml[^>]{1,100}?encoding)=[\"' ]*([\w-]+)")
FIRST_BYTES = 4096
# What no tree may hold: control characters, and references to characters, of which some are.
CONTROL = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
REFERENCE = re.compile(r"&#(?:\d{1,7}|[xX][\da-fA-F]{1,6});?")
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
DROPPED = (
    "script", "style", "noscript", "template", "form", "input", "button", "select", "textarea",
    "link", "meta", "base", "head", "title", "nav", "footer",
)  # fmt: skip
# Dropped, and counted.
EMBEDDED = (
    "iframe", "frame", "object", "embed", "applet", "audio", "video", "svg", "canvas",
)  # fmt: skip
# Names of `meta` elements.
CREATED = ("article:published_time", "dcterms.created", "dcterms.date", "date", "dc.date")
UPDATED = ("article:modified_time", "dcterms.modified", "last-modified", "og:updated_time")
VERSION = ("docusaurus_version", "docsearch:version")
OFFICE = re.compile("Microsoft|Office|Word|Excel")  # they save single pages
# The page that lists a space of Confluence.
SPACE_LIST = etree.XPath("//*[@id='main-content' and @class='pageSection']")


def _with(*names: str) -> str:
    """Return a condition of XPath: an element has one of these classes."""
    classes = "concat(' ', normalize-space(@class), ' ')"
    return " or ".join(f"contains({classes}, ' {name} ')" for name in names)


# The main part of a page: the first of these that has text. An article is one only by itself.
MAIN = tuple(
    map(
        etree.XPath,
        (
            "//*[@data-pagefind-body]",
            "//*[@itemprop='articleBody']",
            "//*[@id='main-content' and contains(@class, 'wiki-content')]",  # Confluence
            "//*[@id='mw-content-text']",  # MediaWiki
            f"//*[{_with('theme-doc-markdown')}]",
            f"//article[{_with('bd-article')}]",
            f"//*[{_with('vp-doc')}]",
            "//*[self::main or @role='main'][count(.//article)=1]//article",
            "//main | //*[@role='main']",
            "//article[count(//article)=1]",
            "//body",
        ),
    )
)
# What surrounds the text in the main part: by a class, an id or a role.
CHROME = re.compile(
    r"(?:^|[\s_-])(?:breadcrumbs?|header-?link|heading-?link|hash-link|header-anchor|heading-anchor"
    r"|anchor-link|anchorjs-link|sl-anchor-link|permalink|edit-(?:this-)?(?:page|link)|editlink"
    r"|last-updated|page-last-updated|source-file|version-banner|version-badge|version-warning"
    r"|pagination(?:-nav|-links)?|prev-next(?:-\w+)?|page-nav|rst-footer-buttons|nav-wrapper"
    r"|related-pages|skip-?link|copybtn|copy-button|toc|toc-macro"
    r"|tableofcontents|table-of-contents|quarto-title-meta|linenos|lineno|linenumber|gutter"
    r"|line-numbers-wrapper|katex-html|page-metadata|pageSection|tocCollapsible\S*|giscus)(?=[\s_]|$)"
)
CHROME_IDS = ("breadcrumb-section", "likes-and-labels-container", "footer")
CHROME_ROLES = ("navigation", "search", "contentinfo", "banner")
MARKS = ("", "#", "¶", "§", "🔗", "\uf0c1", "anchor", "permalink", "link to this heading")
EDIT_ADDRESS = re.compile(r"^https?://[^\s]+/(?:-/)?(?:edit|blob|tree|_edit|src)/[^\s]+")
EDIT_WORDS = re.compile(r"\b(?:edit|suggest|improve|view)\b", re.IGNORECASE)
LAST_UPDATED = re.compile(
    r"\s*(?:page )?(?:last (?:updated|modified|change|edit)|updated on)\b", re.I
)
LONGEST_CHROME = 120  # characters of an edit link or a last update


def convert(content: bytes) -> Converted:
    """Convert a page. What is left out is counted."""
    document = Converted()
    declared = DECLARED.search(content[:FIRST_BYTES])
    charset = declared[1].decode() if declared else ""
    if charset.lower().startswith(("utf-16", "utf-32")):
        charset = ""  # wrong: the declaration was found by reading ASCII
    front, text = split(decoded(content, charset, document.repaired).replace("\r\n", "\n"))
    document.reason = front.held_back(datetime.now(UTC).timestamp())
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_pis=True)
    text = CONTROL.sub("", REFERENCE.sub(_reference, text))
    tree = etree.fromstring(text.encode(errors="replace") or b"<p>", parser)
    if tree is None:
        return document
    document.facts = _facts(tree)
    titles = (*tree.iterfind(".//head/title"), *tree.iterfind(".//title"))
    document.title = front.text("title") or (_text(titles[0]) if titles else "")
    document.created = seconds(_meta(tree, CREATED))
    document.updated = seconds(_meta(tree, UPDATED)) or _last_update(tree)
    document.skipped["comment"] += remove_comments(tree)
    document.skipped["hidden part of a page"] += remove_hidden(tree)
    parts = _main(tree)
    for part in parts:
        _remove_chrome(part)
    document.content = "\n\n".join(_markdown(part, document.skipped) for part in parts)
    return document


def _reference(match: re.Match[str]) -> str:
    """Return a reference to a character, or nothing if it is a control character."""
    digits = match[0].strip("&#;")
    number = int(digits[1:], 16) if digits[0] in "xX" else int(digits)
    is_control = number <= sys.maxunicode and CONTROL.match(chr(number))
    return "" if is_control else match[0]


def _facts(tree: Any) -> Facts:
    links = [(link.get("rel", "").lower(), link) for link in tree.iter("link")]
    addresses = [link.get("href", "") for rel, link in links if rel == "canonical"]
    robots = _meta(tree, ("robots",)).lower()
    tag, _, _ = _meta(tree, ("docusaurus_tag",)).rpartition("-")
    generator = _meta(tree, ("generator",))
    antora: Any = next(iter(tree.xpath("//*[@data-component and @data-version]")), {})
    return Facts(
        address=addresses[0] if addresses else _meta(tree, ("og:url",)),
        language=tree.get("lang", "").lower(),
        translations={
            link.get("hreflang", "").lower(): link.get("href", "")
            for rel, link in links
            if rel == "alternate" and link.get("hreflang")
        },
        component=tag or antora.get("data-component", ""),
        version=_meta(tree, VERSION) or antora.get("data-version", ""),
        edit_link=next((a.get("href") for a in tree.iter("a") if _is_edit_link(a)), ""),
        is_redirect="url=" in _meta(tree, ("refresh",)).lower(),
        is_list=bool(SPACE_LIST(tree)),
        is_generated=bool(generator) and not OFFICE.search(generator),
        is_noindex="noindex" in robots or robots == "none",
    )


def _last_update(tree: Any) -> float | None:
    """Return the time of a last update, which may stand outside of the main part."""
    times = (
        seconds(time.get("datetime"))
        for time in tree.iter("time")
        if any(map(_is_last_update, (time, *time.iterancestors("p", "span", "div"))))
    )
    return next(filter(None, times), None)


def _meta(tree: Any, names: tuple[str, ...]) -> str:
    for meta in tree.iter("meta"):
        name = meta.get("property") or meta.get("name") or meta.get("http-equiv") or ""
        if name.lower() in names:
            return str(meta.get("content") or "").strip()
    return ""


def _text(element: Any) -> str:
    return " ".join("".join(element.itertext()).split())


def _main(tree: Any) -> list[Any]:
    """Return the main part, or the parts that the page names as such."""
    for path in MAIN:
        parts = path(tree)
        parts = [part for part in parts if not set(parts).intersection(part.iterancestors())]
        parts = [part for part in parts if "".join(part.itertext()).strip()]
        # An article alone may be a teaser beside the text.
        if parts and (path is not MAIN[-2] or _is_most(parts[0], tree)):
            return parts
    return [tree]


def _is_most(main: Any, tree: Any) -> bool:
    body = next(tree.iter("body"), tree)
    texts = ("".join(each.itertext()) for each in body.iter("header", "footer", "nav", "aside"))
    around = sum(map(len, texts))
    return 2 * len("".join(main.itertext())) >= len("".join(body.itertext())) - around


def _remove_chrome(main: Any) -> None:
    """Remove what surrounds the text."""
    for element in list(main.iter()):
        if not isinstance(element.tag, str) or element is main:
            continue
        href = element.get("href", "") if element.tag == "a" else ""
        if href.startswith("#cmnt_ref"):  # a comment of Google Docs, and what refers to one
            remove(next(element.iterancestors("div"), element))
        elif href.startswith("#cmnt") or _is_chrome(element):
            remove(element)


def _is_chrome(element: Any) -> bool:
    if element.tag == "a" and (_is_edit_link(element) or _is_permalink(element)):
        return True
    is_named = (
        CHROME.search(element.get("class", "")) is not None
        or element.get("id") in CHROME_IDS
        or element.get("role") in CHROME_ROLES
    )
    return _is_last_update(element) or (is_named and element.tag not in HEADINGS)


def _is_edit_link(link: Any) -> bool:
    if not EDIT_ADDRESS.match(link.get("href", "")):
        return False
    words = _text(link)
    return bool(len(words) <= LONGEST_CHROME and EDIT_WORDS.search(words or link.get("title", "")))


def _is_permalink(link: Any) -> bool:
    return (
        "#" in link.get("href", "")
        and _text(link).strip().lower() in MARKS
        and next(link.iter("img"), None) is None
    )


def _is_last_update(element: Any) -> bool:
    return bool(LAST_UPDATED.match(element.text or "")) and len(_text(element)) <= LONGEST_CHROME


def _markdown(main: Any, skipped: Counter[str]) -> str:
    """Write a part of a page as Markdown, without what readers cannot read there."""
    length = len("".join(main.itertext()))
    for element in list(main.iter(*DROPPED, *EMBEDDED, "dialog")):
        words = "".join(element.itertext()).strip()
        is_heading = element.tag == "button" and (
            next(element.iter(*HEADINGS), None) is not None
            or next(element.iterancestors(*HEADINGS), None) is not None
        )
        if element.tag == "form" and 2 * len(words) > length:
            element.tag = "div"  # ASP.NET writes a form around the page.
        if element is main or is_heading or element.tag in ("div", "dialog"):
            continue
        if element.tag == "input" and element.get("type") == "checkbox":
            continue
        skipped["embedded page or media"] += element.tag in EMBEDDED
        skipped["form"] += bool(element.tag == "form" and words)
        remove(element)
    skipped["picture"] += sum(1 for _ in main.iter("img"))
    return markdown_of(main)
