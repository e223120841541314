"""Reduce titles to plain text."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

# In characters: more of a title is not parsed.
LONGEST_PARSED = 1_000
MARKUP = re.compile(r"[\\`*_~\[\]<>&!{:]")
# `{#id}`, `{: .class }`, `{ data-toc-label="x" }`, `{/* #id */}` at the end.
ATTRIBUTES = re.compile(r"\{[ \t]?(?:[#.:]|/\*|[\w-]{1,60}=)[^{}\n]{0,200}\}$")
CODE = re.compile(r"(`[^`]*`)")
# `{{< shortcode >}}` and the mark that replaces it; `{% tag %}`; comments; `{#id}` before badges.
CALL = re.compile(
    r"\{\{[^{}]{0,300}\}\}|\[shortcode: [^\[\]]{0,300}\]|\{%[^{}]{0,300}%\}"
    r"|<!--.{0,300}?-->|\{#[\w:.-]{1,100}\}"
)
# Python's names such as `__init__`, which are not in bold.
DUNDER = re.compile(r"__([a-z0-9]+(?:_[a-z0-9]+)*)__")
REFERENCE = re.compile(r"(?<!\w)!?\[([^\[\]\n]{0,300})\]\[[^\[\]\n]{0,300}\]")
FOOTNOTE = re.compile(r"\[\^[^\[\]\n]{1,100}\]")
EMOJI = re.compile(r"(?<!\S):[a-z0-9_+-]{1,60}:(?:\{[^{}\n]{0,100}\})?(?!\S)")
OPENING_TAG = re.compile(r"<([A-Za-z][\w-]*)>")
EMPTY_TAGS = ("br", "hr", "img", "wbr")


def plain_title(text: str) -> str:
    """Return a title without markup; empty if it has no text, such as a row of badges."""
    text = " ".join(text[:LONGEST_PARSED].split())
    if not MARKUP.search(text):
        return text
    parts = CODE.split(ATTRIBUTES.sub("", text))
    text = "".join(part if part.startswith("`") else _plain_part(part) for part in parts)
    tokens = _parser().parseInline(text)[0].children
    images = [token for token in tokens if token.type == "image"]
    words = "".join(_words(token, text) for token in tokens)
    if not words.strip() and len(images) == 1:
        words = images[0].content
    return " ".join(words.split())


def _plain_part(text: str) -> str:
    """Return a part of a title without the markup that is not CommonMark."""
    text = FOOTNOTE.sub("", EMOJI.sub("", CALL.sub("", text)))
    return REFERENCE.sub(r"\1", DUNDER.sub(r"\_\_\1\_\_", text))


@cache
def _parser() -> Any:
    # Imported here, because only titles with markup need it.
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("strikethrough")


def _words(token: Any, text: str) -> str:
    if token.type in ("softbreak", "hardbreak"):
        return " "
    if token.type == "html_inline":
        return token.content if _is_placeholder(token.content, text) else ""
    return token.content if token.type in ("text", "code_inline") else ""


def _is_placeholder(tag: str, text: str) -> bool:
    """Return whether a tag is text, such as `<T>` in `Vec<T>`: it is never closed."""
    match = OPENING_TAG.fullmatch(tag)
    return match is not None and match[1] not in EMPTY_TAGS and f"</{match[1]}" not in text
