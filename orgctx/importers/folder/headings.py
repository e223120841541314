"""The first heading of a Markdown text: `# ATX`, underlined, or `<h1>` as HTML."""

from __future__ import annotations

import re
from html import unescape

ATX = re.compile(r" {0,3}#{1,6}(?=[ \t]|$)")
UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*$")
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
# Lines that cannot be underlined headings: lists, quotes, tables, code, tags.
NO_PARAGRAPH = re.compile(r"(?:\s*$| {4}|\t| {0,3}(?:[-+*>|<]|\d+[.)]\s))")
HTML = re.compile(r"<h[1-6](?:\s[^>]*)?>(.*?)</h[1-6]\s*>", re.IGNORECASE | re.DOTALL)
TAG = re.compile(r"<[^>]*>")
# A heading in HTML spans few lines, and one far down is no title.
HTML_LENGTH = 2_000
SEARCHED_LENGTH = 100_000


def first_heading(text: str) -> str | None:
    """The text of the first heading outside code blocks, without its markup."""
    fence = ""
    position, above = 0, ""
    for line in text[:SEARCHED_LENGTH].splitlines(keepends=True):
        bare = line.rstrip("\r\n")
        if marks := FENCE.match(bare):
            fence = _fence(fence, marks[1], bare)
        elif not fence:
            found = _heading(bare, above, text, position)
            if found:
                return found
        above = "" if fence or marks else bare
        position += len(line)
    return None


def _fence(fence: str, marks: str, line: str) -> str:
    """The fence that is open after the line."""
    if not fence:
        return marks
    closes = marks.startswith(fence) and not line.strip(" \t" + marks[0])
    return "" if closes else fence


def _without_closing(words: str) -> str:
    """A heading such as `One ##` without its closing marks."""
    bare = words.rstrip("#")
    return bare.rstrip() if not bare or bare[-1] in " \t" else words


def _heading(line: str, above: str, text: str, position: int) -> str | None:
    found = None
    if atx := ATX.match(line):
        found = _without_closing(line[atx.end() :].strip())
    elif UNDERLINE.match(line) and not NO_PARAGRAPH.match(above):
        found = above
    elif line.lstrip()[:2].lower() == "<h":
        html = HTML.match(text[position : position + HTML_LENGTH].lstrip())
        found = unescape(TAG.sub("", html[1])) if html else None
    return " ".join(found.split()) or None if found else None


def heading_starts(text: str) -> list[int]:
    """Offsets of `#` headings outside code blocks."""
    starts, fence, position = [], "", 0
    for line in text.splitlines(keepends=True):
        if marks := FENCE.match(line):
            fence = _fence(fence, marks[1], line.rstrip("\r\n"))
        elif not fence and ATX.match(line):
            starts.append(position)
        position += len(line)
    return starts


# The title of a text that is not Markdown, by file name extension.
TITLES = {
    ".adoc": re.compile(r"^= +(\S[^\n]*)", re.MULTILINE),
    ".asciidoc": re.compile(r"^= +(\S[^\n]*)", re.MULTILINE),
    ".org": re.compile(r"^(?:#\+title:|\*) +(\S[^\n]*)", re.MULTILINE | re.IGNORECASE),
    ".rst": re.compile(
        r"^(\S[^\n]*)\n(?:={3,}|-{3,}|~{3,}|\^{3,}|\*{3,}|#{3,}|\"{3,})[ \t]*$", re.MULTILINE
    ),
}


def title_of(text: str, suffix: str) -> str | None:
    """The title at the head of a text that is not Markdown."""
    pattern = TITLES.get(suffix)
    found = pattern.search(text[:HTML_LENGTH].replace("\r\n", "\n")) if pattern else None
    return " ".join(found[1].split()) if found else None
