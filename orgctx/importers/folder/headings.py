"""Find headings in Markdown (`# ATX`, underlined or `<h1>`), and titles in other formats."""

from __future__ import annotations

import re
from html import unescape

from orgctx.importers.folder.titles import plain_title

ATX = re.compile(r" {0,3}#{1,6}(?=[ \t]|$)")
UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*$")
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
# Lines that are no heading although the next line is `---`: lists, quotes, tables, code, tags.
NO_PARAGRAPH = re.compile(r"(?:\s*$| {4}|\t| {0,3}(?:[-+*>|<]|\d+[.)]\s))")
# Ends at the next tag of a heading, so that unclosed headings are read once.
HTML = re.compile(
    r"\s*<h[1-6](?:\s[^<>]*)?>([^<]*+(?:<(?!/?h[1-6])[^<]*+)*)</h[1-6]\s*>", re.IGNORECASE
)
TAG = re.compile(r"<[^<>]*>")
# In characters: the longest HTML heading, and how far to look for a title.
HTML_LENGTH = 2_000
SEARCHED_LENGTH = 100_000


def first_heading(text: str) -> str | None:
    """Return the first heading outside code blocks, without markup."""
    fence = ""
    position, previous_line = 0, ""
    for line in text[:SEARCHED_LENGTH].splitlines(keepends=True):
        bare = line.rstrip("\r\n")
        if marks := FENCE.match(bare):
            fence = _fence(fence, marks[1], bare)
        elif not fence:
            heading = _heading(bare, previous_line, text, position)
            if heading and (title := plain_title(heading)):
                return title
        previous_line = "" if fence or marks else bare
        position += len(line)
    return None


def _fence(fence: str, marks: str, line: str) -> str:
    """Return the fence that is open after the line."""
    if not fence:
        return marks
    closes = marks.startswith(fence) and not line.strip(" \t" + marks[0])
    return "" if closes else fence


def _without_closing(words: str) -> str:
    """Remove the closing marks of a heading such as `One ##`."""
    bare = words.rstrip("#")
    return bare.rstrip() if not bare or bare[-1] in " \t" else words


def _heading(line: str, previous_line: str, text: str, position: int) -> str | None:
    heading = None
    if mark := ATX.match(line):
        heading = _without_closing(line[mark.end() :].strip())
    elif UNDERLINE.match(line) and not NO_PARAGRAPH.match(previous_line):
        heading = previous_line
    elif line.lstrip()[:2].lower() == "<h":
        html = HTML.match(text, position, position + HTML_LENGTH)
        heading = unescape(TAG.sub("", html[1])) if html else None
    return " ".join(heading.split()) or None if heading else None


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
    ".adoc": re.compile(r"^= +(\S[^\n]*)", re.MULTILINE),
    ".asciidoc": re.compile(r"^= +(\S[^\n]*)", re.MULTILINE),
    ".org": re.compile(r"^(?:#\+title:|\*) +(\S[^\n]*)", re.MULTILINE | re.IGNORECASE),
    ".rst": re.compile(
        r"^(\S[^\n]*)\n(?:={3,}|-{3,}|~{3,}|\^{3,}|\*{3,}|#{3,}|\"{3,})[ \t]*$", re.MULTILINE
    ),
}


def title_of(text: str, suffix: str) -> str | None:
    """Return the title of a text in a format other than Markdown."""
    pattern = TITLES.get(suffix)
    match = pattern.search(text[:HTML_LENGTH].replace("\r\n", "\n")) if pattern else None
    return " ".join(match[1].split()) if match else None
