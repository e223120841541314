"""Find the titles of texts, without markup, and the name of a folder."""

import re
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

from orgctx.schemas.fields import MAX_NAME

ATX = re.compile(r" {0,3}#{1,6}(?=[ \t]|$)")
UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*$")
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
# Lines that are not a heading although the next line is `---`: lists, quotes, tables, code, tags.
NO_PARAGRAPH = re.compile(r"(?:\s*$| {4}|\t| {0,3}(?:[-+*>|<]|\d+[.)]\s))")
# Ends at the next tag of a heading, so that unclosed headings are read once.
HTML = re.compile(
    r"[ \t]*<h([1-6])(?:\s[^<>]*)?>([^<]*+(?:<(?!/?h[1-6])[^<]*+)*)</h[1-6]\s*>", re.IGNORECASE
)
TAG = re.compile(r"<[^<>]*>")
# In characters: the longest HTML heading, and how far to look for a title.
HTML_LENGTH = 2_000
SEARCHED_LENGTH = 100_000
# In characters: more of a title is not parsed.
LONGEST_PARSED = 1_000
MARKUP = re.compile(r"[\\`*_~\[\]<>&!{:]")
# `{#id}`, `{: .class }`, `{ data-toc-label="x" }`, `{/* #id */}` at the end.
ATTRIBUTES = re.compile(r"\{[ \t]?(?:[#.:]|/\*|[\w-]{1,60}=)[^{}\n]{0,200}\}$")
CODE = re.compile(r"(`[^`]*`)")
# `{{< shortcode >}}`; `{% tag %}`; comments; `{#id}` before badges.
CALL = re.compile(r"\{\{[^{}]{0,300}\}\}|\{%[^{}]{0,300}%\}|<!--.{0,300}?-->|\{#[\w:.-]{1,100}\}")
# Python's names such as `__init__`, which are not in bold.
DUNDER = re.compile(r"__([a-z0-9]+(?:_[a-z0-9]+)*)__")
REFERENCE = re.compile(r"(?<!\w)!?\[([^\[\]\n]{0,300})\]\[[^\[\]\n]{0,300}\]")
FOOTNOTE = re.compile(r"\[\^[^\[\]\n]{1,100}\]")
EMOJI = re.compile(r"(?<!\S):[a-z0-9_+-]{1,60}:(?:\{[^{}\n]{0,100}\})?(?!\S)")
OPENING_TAG = re.compile(r"<([A-Za-z][\w-]*)>")
EMPTY_TAGS = ("br", "hr", "img", "wbr")
# Folders whose name says less than that of the project that contains them.
GENERIC = {
    "docs", "doc", "content", "src", "documentation", "site", "website", "pages", "book", "dist",
    "build", "public", "html", "out", "output", "_site", "_build", "_book",
}  # fmt: skip


def first_heading(text: str) -> str | None:
    """Return the first heading outside code blocks that is a title, without markup.

    It is of level 1, or the text begins with it.
    """
    fence = ""
    position, previous_line, is_begun = 0, "", False
    for line in text[:SEARCHED_LENGTH].splitlines(keepends=True):
        bare = line.rstrip("\r\n")
        if marks := FENCE.match(bare):
            fence = _fence(fence, marks[1], bare)
        elif not fence:
            heading, level = _heading(bare, previous_line, text, position)
            if heading and (title := plain_title(heading)):
                return title if level == 1 or not is_begun else None
        is_begun |= bool(previous_line.strip() or fence)
        previous_line = "" if fence or marks else bare
        position += len(line)
    return None


def _fence(fence: str, marks: str, line: str) -> str:
    """Return the fence that is open after the line."""
    if not fence:
        return marks
    closes = marks.startswith(fence) and not line.strip(" \t" + marks[0])
    return "" if closes else fence


def _heading(line: str, previous_line: str, text: str, position: int) -> tuple[str, int]:
    """Return the heading that ends in a line, or an empty one, and its level."""
    heading, level = "", 0
    if mark := ATX.match(line):
        words, level = line[mark.end() :].strip(), mark[0].count("#")
        bare = words.rstrip("#")  # without the closing marks of a heading such as `One ##`
        heading = bare.rstrip() if not bare or bare[-1] in " \t" else words
    elif UNDERLINE.match(line) and not NO_PARAGRAPH.match(previous_line):
        heading, level = previous_line, 1 if "=" in line else 2
    elif html := HTML.match(text, position, position + HTML_LENGTH):
        heading, level = unescape(TAG.sub("", html[2])), int(html[1])
    return " ".join(heading.split()), level


def heading_starts(text: str) -> list[int]:
    """Return the offsets of `#` headings outside code blocks."""
    starts, fence, position = [], "", 0
    for line in text.splitlines(keepends=True):
        if marks := FENCE.match(line):
            fence = _fence(fence, marks[1], line.rstrip("\r\n"))
        elif not fence and ATX.match(line):
            starts.append(position)
        position += len(line)
    return starts


# Patterns of titles in formats other than Markdown, by extension.
TITLES = {
    **dict.fromkeys((".adoc", ".asciidoc"), re.compile(r"^= +(\S[^\n]*)", re.MULTILINE)),
    ".org": re.compile(r"^(?:#\+title:|\*) +(\S[^\n]*)", re.MULTILINE | re.IGNORECASE),
    ".rst": re.compile(
        r"^(\S[^\n]*)\n(?:={3,}|-{3,}|~{3,}|\^{3,}|\*{3,}|#{3,}|\"{3,})[ \t]*$", re.MULTILINE
    ),
}
# An anchor of AsciiDoc.
ANCHOR = re.compile(r"\[\[[^\[\]]{0,200}\]\]")


def title_of(text: str, suffix: str) -> str | None:
    pattern = TITLES.get(suffix)
    match = pattern.search(text[:HTML_LENGTH].replace("\r\n", "\n")) if pattern else None
    return " ".join(ANCHOR.sub("", match[1]).split()) if match else None


def plain_title(text: str) -> str:
    """Return a title without markup; empty if it has no text, such as a row of badges."""
    text = " ".join(text[:LONGEST_PARSED].split())
    if not MARKUP.search(text):
        return text
    parts = CODE.split(ATTRIBUTES.sub("", text))
    for number, part in enumerate(parts):
        if not part.startswith("`"):  # remove the markup that is not CommonMark
            part = FOOTNOTE.sub("", EMOJI.sub("", CALL.sub("", part)))
            parts[number] = REFERENCE.sub(r"\1", DUNDER.sub(r"\_\_\1\_\_", part))
    text = "".join(parts)
    tokens = _parser().parseInline(text)[0].children
    images = [token for token in tokens if token.type == "image"]
    words = "".join(_words(token, text) for token in tokens)
    if not words.strip() and len(images) == 1:
        words = images[0].content
    return " ".join(words.split())


@cache
def _parser() -> Any:
    # Imported here, because only titles with markup need it.
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("strikethrough")


def _words(token: Any, text: str) -> str:
    if token.type in ("softbreak", "hardbreak"):
        return " "
    if token.type == "html_inline":
        # It is text if it is never closed, such as `<T>` in `Vec<T>`.
        tag = OPENING_TAG.fullmatch(token.content)
        is_text = tag and tag[1] not in EMPTY_TAGS and f"</{tag[1]}" not in text
        return token.content if is_text else ""
    return token.content if token.type in ("text", "code_inline") else ""


def label_of(folder: Path) -> str:
    """Return the default label of a folder's source: its name, or a better one above it."""
    names = [each.name for each in (folder.resolve(), *folder.resolve().parents) if each.name]
    name = next((each for each in names if each.lower() not in GENERIC), "".join(names[:1]))
    return "".join(filter(str.isprintable, name))[:MAX_NAME] or "/"
