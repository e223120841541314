"""Find the titles of texts, without markup, and the name of a folder.

A folder is named by the heading of its README, else by its path.
"""

import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

from orgctx.importers.folder.files import opened
from orgctx.schemas.fields import MAX_NAME

ATX = re.compile(r" {0,3}#{1,6}(?=[ \t]|$)")
UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*$")
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
# Lines that are not a heading although the next line is `---`: lists, quotes, tables, code, tags.
NO_PARAGRAPH = re.compile(r"(?:\s*$| {4}|\t| {0,3}(?:[-+*>|<]|\d+[.)]\s))")
# Ends at the next tag of a heading, so that unclosed headings are read once.
HTML = re.compile(
    r"\s*<h[1-6](?:\s[^<>]*)?>([^<]*+(?:<(?!/?h[1-6])[^<]*+)*)</h[1-6]\s*>", re.IGNORECASE
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
README = re.compile(r"readme\.(?:md|markdown|mdx)", re.IGNORECASE)
# Folders whose name says less than that of the project that contains them.
GENERIC = {"docs", "doc", "content", "src", "documentation", "site", "website", "pages", "book"}
FIRST_BYTES = 64 * 1024
# Front matter or a header of members. It may say that the page is a draft.
MEMBERS = re.compile(r"\s*+(?:---|\+\+\+|;;;|\{|[A-Za-z][\w-]{0,60}:)")


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


def _heading(line: str, previous_line: str, text: str, position: int) -> str | None:
    heading = None
    if mark := ATX.match(line):
        words = line[mark.end() :].strip()
        bare = words.rstrip("#")  # without the closing marks of a heading such as `One ##`
        heading = bare.rstrip() if not bare or bare[-1] in " \t" else words
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


def label_of(folder: Path, paths: Collection[str]) -> str:
    """Return the default label of a folder's source, also from the one above if it is generic.

    paths: the files that are not excluded. An excluded README names nothing.
    """
    folder = folder.resolve()
    folders = [folder]
    if folder.name.lower() in GENERIC and folder.parent != folder:
        folders.append(folder.parent)

    labels = (
        name for place in folders for name in _labels(place, paths if place == folder else None)
    )
    printable = ("".join(filter(str.isprintable, name)) for name in labels)
    return next(filter(None, printable), folders[-1].name or "/")[:MAX_NAME]


def _text(path: Path) -> str:
    try:
        if path.is_symlink() or not path.is_file():
            return ""
        with opened(path.parent, path.name) as file:
            content = file.read(FIRST_BYTES)
        return content.decode(errors="replace").replace("\r\n", "\n")
    except OSError:
        return ""


def _labels(folder: Path, included: Collection[str] | None) -> Iterator[str]:
    """Yield the headings of included READMEs without front matter."""
    with suppress(OSError):
        paths = (path for path in folder.iterdir() if README.fullmatch(path.name))
        for path in sorted(path for path in paths if included is None or path.name in included):
            text = _text(path).lstrip("\N{ZERO WIDTH NO-BREAK SPACE}")
            yield "" if MEMBERS.match(text) else first_heading(text) or ""
