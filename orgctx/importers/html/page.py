"""Convert the main part of a web page, and collect what the page says about itself."""

import re
from collections import Counter
from datetime import UTC, datetime
from typing import Any

from lxml import etree, html

from orgctx.importers.decoding import decoded
from orgctx.importers.formats import Converted, Facts, seconds
from orgctx.importers.front_matter import split
from orgctx.importers.html.writer import markdown_of

# Without UTF-16, which would be wrong: the declaration is found by reading ASCII.
DECLARED = re.compile(
    rb"<(?:meta[^>]{1,200}?charset|\?xml[^>]{1,100}?encoding)=[\"' ]*((?!(?i:utf-(?:16|32)))[\w-]+)"
)
FIRST_BYTES = 4096
# What no tree may hold: control characters, and references to them.
CONTROL = re.compile(
    "[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]"
    r"|&#0*(?:[0-8]|1[124-9]|2\d|3[01]|6553[45])(?!\d);?"
    r"|&#[xX]0*(?:[0-8bcBCefEF]|1[\da-fA-F]|[fF]{3}[efEF])(?![\da-fA-F]);?"
)
DROPPED = (
    "script", "style", "noscript", "form", "input", "button", "select", "textarea", "link", "meta",
    "base", "head", "title", "nav", "footer",
)  # fmt: skip
# Dropped, and counted.
EMBEDDED = (
    "iframe", "frame", "object", "embed", "applet", "audio", "video", "svg", "canvas",
)  # fmt: skip
# Of those, what is text: a heading that opens its section, and an item of a list of tasks.
HEADINGS = "self::h1 or self::h2 or self::h3 or self::h4 or self::h5 or self::h6"
IS_HEADING = etree.XPath(HEADINGS)
TEXT = etree.XPath(
    f"self::button[.//*[{HEADINGS}] or ancestor::*[{HEADINGS}]] or self::input[@type='checkbox']"
)
# Names of `meta` elements.
CREATED = ("article:published_time", "dcterms.created", "dcterms.date", "date", "dc.date")
UPDATED = ("article:modified_time", "dcterms.modified", "last-modified", "og:updated_time")
VERSION = ("docusaurus_version", "docsearch:version")


# The main part of a page: the first of these that has text. An article is one only by itself.
MAIN = tuple(
    map(
        etree.XPath,
        (
            "//*[@data-pagefind-body]",
            "//*[@itemprop='articleBody']",
            "//*[@id='main-content' and contains(@class, 'wiki-content')]",  # Confluence
            "//*[@id='mw-content-text']",  # MediaWiki
            "//*[contains(@class, 'theme-doc-markdown')]",
            "//*[contains(concat(@class, ' '), 'vp-doc ')]",
            "//*[self::main or @role='main'][count(.//article)=1]//article",
            "//main | //*[@role='main']",
            # Of most of the text; others may be a teaser beside it.
            "//article[count(//article)=1 and 4 * string-length() > string-length(//body)]",
            "//body",
        ),
    )
)
# What a page hides, by itself or by a simple rule. A panel that a visible control shows is text.
DISPLAY_NONE = re.compile(r"(?:^|[;\s])display\s*:\s*none\b", re.I)
HIDDEN = etree.XPath(
    "//template | //datalist | //noembed | //noframes | //dialog[not(@open)]"
    " | //*[@hidden or @popover]"
)
SHOWN = etree.XPath("self::html or self::body or @role='tabpanel' or @x-show")
# A rule of a style sheet.
RULE = re.compile(r"(?<![^{}@])([^{}@]++)\{([^{}]*+)\}")
CONDITIONAL = re.compile(
    r"@(?!media\s+(?:screen|all)\s*\{)[^@{};]*+(?:;|\{[^{}]*+(?:\{[^{}]*+\}[^{}]*+)*+\})"
)
STYLE_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
# What surrounds the text in the main part: by a class, an id or a role. Links to headings and to
# the source are known by what they say and where they lead.
CHROME = re.compile(
    r"(?:^|[\s_-])(?:breadcrumbs?|sl-anchor-link|source-file|version-(?:banner|badge|warning)"
    r"|pagination|toc(?:-macro)?|table-?of-?contents|linenos?|gutter|line-numbers-wrapper"
    r"|clipboard-copy-txt|katex-html|page-metadata|pageSection)(?=[\s_]|$)"
)
CHROME_IDS = ("breadcrumb-section", "likes-and-labels-container", "footer")
CHROME_ROLES = ("navigation", "search", "contentinfo", "banner")
MARKS = (
    "", "\u200b", "#", "¶", "§", "🔗", "\uf0c1", "anchor", "anchor link", "permalink",
    "link to this heading",
)  # fmt: skip
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
    front, text = split(decoded(content, charset, document.repaired).replace("\r\n", "\n"))
    document.reason = front.held_back(datetime.now(UTC).timestamp())
    parser = html.HTMLParser(encoding="utf-8", huge_tree=True, remove_pis=True)
    tree = etree.fromstring(CONTROL.sub("", text).encode(errors="replace") or b"<p>", parser)
    if tree is None:
        return document
    document.facts = _facts(tree)
    titles = (*tree.iterfind(".//head/title"), *tree.iterfind(".//title"))
    document.title = front.text("title") or (_text(titles[0]) if titles else "")
    document.created = seconds(_meta(tree, CREATED))
    document.updated = seconds(_meta(tree, UPDATED)) or _last_update(tree)
    comments = list(tree.iter(etree.Comment))
    for comment in comments:
        comment.drop_tree()
    document.skipped["comment"] += len(comments)
    document.skipped["hidden part of a page"] += _remove_hidden(tree)
    document.content = "\n\n".join(_markdown(part, document.skipped) for part in _main(tree))
    return document


def _facts(tree: Any) -> Facts:
    links = (link for link in tree.iter("link") if link.get("rel", "").lower() == "canonical")
    address = next((link.get("href", "") for link in links), _meta(tree, ("og:url",)))
    robots = _meta(tree, ("robots",)).lower()
    tag, _, _ = _meta(tree, ("docusaurus_tag",)).rpartition("-")
    antora: Any = next(iter(tree.xpath("//*[@data-component and @data-version]")), {})
    return Facts(
        address=address,
        language=tree.get("lang", "").lower(),
        component=tag or antora.get("data-component", ""),
        version=_meta(tree, VERSION) or antora.get("data-version", ""),
        edit_link=next((a.get("href") for a in tree.iter("a") if _is_edit_link(a)), ""),
        is_redirect="url=" in _meta(tree, ("refresh",)).lower(),
        is_generated=bool(_meta(tree, ("generator",))),
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
    return " ".join(element.text_content().split())


def _remove_hidden(tree: Any) -> int:
    """Remove the hidden elements. Returns how many of them have a text."""
    selectors = _hiding_selectors(tree)
    controls = " ".join(tree.xpath("//@aria-controls")).split()
    candidates = tree.iter("*") if selectors else tree.iterfind(".//*[@style]")
    styled = (each for each in candidates if _is_undisplayed(each, selectors))
    count = 0
    for element in dict.fromkeys((*HIDDEN(tree), *styled)):
        if not SHOWN(element) and element.get("id") not in controls:
            count += bool(element.text_content().strip())
            element.drop_tree()
    return count


def _is_undisplayed(element: Any, selectors: set[str]) -> bool:
    tag = element.tag
    names = [f".{name}" for name in (element.get("class") or "").split()]
    names.append(f"#{element.get('id')}")
    own = STYLE_COMMENT.sub("", element.get("style") or "")
    is_selected = not selectors.isdisjoint((tag, *names, *(f"{tag}{name}" for name in names)))
    return is_selected or DISPLAY_NONE.search(own) is not None


def _hiding_selectors(tree: Any) -> set[str]:
    """Return the selectors that hide in the page's own styles.

    Those of one name count (`p`, `.note`, `#aside`, `p.note`), whatever other rules say.
    """
    selectors: set[str] = set()
    for style in tree.iter("style"):
        text = CONDITIONAL.sub("", STYLE_COMMENT.sub("", style.text or ""))
        for names, declarations in RULE.findall(text):
            if DISPLAY_NONE.search(declarations):
                selectors.update(map(str.strip, names.split(",")))
    return selectors


def _main(tree: Any) -> list[Any]:
    """Return the main part, or the parts that the page names as such."""
    for path in MAIN:
        parts = path(tree)
        parts = [part for part in parts if not set(parts).intersection(part.iterancestors())]
        parts = [part for part in parts if part.text_content().strip()]
        if parts:
            return parts
    return [tree]


def _remove_chrome(main: Any) -> None:
    """Remove what surrounds the text."""
    for element in list(main.iter()):
        if not isinstance(element.tag, str) or element is main:
            continue
        href = element.get("href", "") if element.tag == "a" else ""
        if href.startswith("#cmnt_ref"):  # a comment of Google Docs
            element = next(element.iterancestors("div"), element)
        is_left_out = href.startswith("#cmnt") or _is_chrome(element)
        if is_left_out and element.getparent() is not None:
            element.drop_tree()


def _is_chrome(element: Any) -> bool:
    if element.tag == "a" and (_is_edit_link(element) or _is_permalink(element)):
        return True
    is_named = (
        CHROME.search(element.get("class", "")) is not None
        or element.get("id") in CHROME_IDS
        or element.get("role") in CHROME_ROLES
    )
    return _is_last_update(element) or (is_named and not IS_HEADING(element))


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
    _remove_chrome(main)
    length = len(main.text_content())
    for element in list(main.iter(*DROPPED, *EMBEDDED)):
        words = element.text_content().strip()
        if element.tag == "form" and 2 * len(words) > length:
            element.tag = "div"  # ASP.NET writes a form around the page.
        elif element is not main and not TEXT(element):
            skipped["embedded page or media"] += element.tag in EMBEDDED
            skipped["form"] += bool(element.tag == "form" and words)
            element.drop_tree()
    skipped["picture"] += sum(1 for _ in main.iter("img"))
    return markdown_of(main)
