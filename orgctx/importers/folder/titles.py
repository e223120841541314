"""Find the titles of texts, without markup, and the name of a folder."""

import re
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

from orgctx.schemas.fields import MAX_NAME

# Ends at the next tag of a heading, so that unclosed headings are read once.
HTML = re.compile(
    r"<h([1-6])(?:\s[^<>]*)?>([^<]*+(?:<(?!/?h[1-6])[^<]*+)*)</h[1-6]\s*>", re.IGNORECASE
)
TAG = re.compile(r"<[^<>]*>")
# In characters: how far to look for a title, and how much of one is parsed.
SEARCHED_LENGTH, LONGEST_PARSED = 10_000, 1_000
MARKUP = re.compile(r"[\\`*_~\[\]<>&!{]")
# `{#id}`, `{: .class }`, `{ data-toc-label="x" }`, `{/* #id */}` at the end.
ATTRIBUTES = re.compile(r"\{[ \t]?(?:[#.:]|/\*|[\w-]{1,60}=)[^{}\n]{0,200}\}$")


def first_heading(text: str) -> str | None:
    """Return the first heading of Markdown without markup, if it is of level 1.

    Wikis and vaults show the name of a file as its title, and sections begin at level 2.
    """
    tokens = _parser().parse(text[:SEARCHED_LENGTH])
    for number, token in enumerate(tokens):
        level, title = 0, ""
        if token.type == "heading_open":
            level, title = int(token.tag[1]), plain_title(tokens[number + 1].content)
        elif token.type == "html_block" and (html := HTML.search(token.content)):
            level, title = int(html[1]), " ".join(unescape(TAG.sub("", html[2])).split())
        if title:
            return title if level == 1 else None
    return None


# Patterns of titles in formats other than Markdown, by extension.
TITLES = {
    **dict.fromkeys((".adoc", ".asciidoc"), re.compile(r"^= +(\S[^\n]*)", re.MULTILINE)),
    ".org": re.compile(r"^(?:#\+title:|\*) +(\S[^\n]*)", re.MULTILINE | re.IGNORECASE),
    ".rst": re.compile(
        r"^(\S[^\n]*)\n(?:={3,}|-{3,}|~{3,}|\^{3,}|\*{3,}|#{3,}|\"{3,})[ \t]*$", re.MULTILINE
    ),
}


def title_of(text: str, suffix: str) -> str | None:
    pattern = TITLES.get(suffix)
    match = pattern.search(text[:SEARCHED_LENGTH].replace("\r\n", "\n")) if pattern else None
    return " ".join(match[1].split()) if match else None


def plain_title(text: str) -> str:
    """Return a title without markup; empty if it has no text, such as a row of badges."""
    text = " ".join(text[:LONGEST_PARSED].split())
    if not MARKUP.search(text):
        return text
    tokens = _parser().parseInline(ATTRIBUTES.sub("", text))[0].children
    images = [token.content for token in tokens if token.type == "image"]
    words = " ".join("".join(map(_words, tokens)).split())
    return words or (images[0] if len(images) == 1 else "")


@cache
def _parser() -> Any:
    # Imported here, because the commands of the core do without.
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("strikethrough")


def _words(token: Any) -> str:
    if token.type in ("softbreak", "hardbreak"):
        return " "
    return str(token.content) if token.type in ("text", "code_inline") else ""


def label_of(folder: Path) -> str:
    """Return the default label of a folder's source: its name."""
    return "".join(filter(str.isprintable, folder.resolve().name))[:MAX_NAME] or "/"
