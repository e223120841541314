"""Convert texts: they stay as they are, without front matter of Markdown, and without comments.

Each syntax has a function for its comments, and each file only those of its own syntax. What is in
code is text.
"""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from time import time

from markdown_it import MarkdownIt

from orgctx.importers.decoding import decoded_utf8
from orgctx.importers.folder.titles import first_heading, plain_title, title_of
from orgctx.importers.formats import Converted
from orgctx.importers.front_matter import CREATED, UPDATED, split

COMMENT, HIDDEN = "comment", "hidden element"
# Where code or a comment of HTML begins, and whole comments such as `[//]: # (a comment)`.
BEGINNINGS = (
    r"(?P<ticks>`+)|(?<!\\)(?P<html><!--)"
    r"|(?P<link>^ {0,3}\[[^\[\]\n]{1,99}\]:[ \t]*(?:#|<>)[ \t]+"
    r"(?:\((?:[^()\n]|\n(?!\n))*\)|\"[^\"\n]*\"|'[^'\n]*')[ \t]*$)"
)
HIDDEN_TAG = (
    r"<(?P<tag>(?i:template(?=[\s>])|[a-z][a-z0-9]*(?=\s)(?:(?=[^<>]*display\s*:\s*['\"]?none)"
    r"|(?=(?:[^<>\"']|\"[^\"<>]*\"|'[^'<>]*')*?\shidden[\s=/>]))))[^<>]*>"
)
# Of Markdown, MDX and Obsidian.
MARKDOWN, MDX, OBSIDIAN = (
    re.compile(f"{BEGINNINGS}|{HIDDEN_TAG}{more}", re.MULTILINE)
    for more in ("", r"|(?P<mdx>\{\s*/\*)", "|(?P<obsidian>%%)")
)
# Where code in a paragraph may end: a run of backticks, or the end of the paragraph.
CODE_END = re.compile(r"(?P<run>`+)|\n[ \t]*\n")
BRACE = re.compile(r"\s*\}")
MARKER = re.compile(r"<!--|%%|/\*|\]:[ \t]*[#<]|\bhidden\b|display\s*:|<template", re.IGNORECASE)
TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)\b[^<>]*>")
NEWLINE = re.compile("\n")
# The start of a block of MkDocs, whose indented text is no code.
ADMONITION = re.compile(r"[ \t]*(?:!!!|\?\?\?|===)")
DELIMITER = re.compile(r"-{4,}|\.{4,}|`{3,}|/{4,}|\+{4,}")
DIRECTIVE = re.compile(r"\.\.[ \t]+(?:[\w:+.-]+::|_|\[[^\]]+\]|\||__)")
LITERAL = re.compile(r"(?!\.\. ).*::$|\.\. +(?:code|code-block|sourcecode|parsed-literal|raw)::")
HEADLINE = re.compile(r"(\*+)[ \t]+((?:[A-Z]+[ \t]+)?(?:\[#\w+\][ \t]+)?COMMENT\b|.*:noexport:)?")
ORG_BLOCK = re.compile(r"[ \t]*#\+(begin|end)_(\w+)", re.IGNORECASE)
ORG_COMMENT = re.compile(r"[ \t]*#(?:[ \t]|$)")
ORG_SNIPPET = re.compile(r"@@comment:(?:.|\n(?![ \t]*\n))*?@@")
PARSER = MarkdownIt("commonmark").disable("inline")
# Lines of a text to whether each one is shown.
_Shown = Callable[[list[str]], Iterator[bool]]


def markdown(content: bytes, beginnings: re.Pattern[str] = MARKDOWN) -> Converted:
    """Convert Markdown. beginnings: where what is no text may begin."""
    document, text = _read(content)
    text = without_hidden(text, beginnings, document.skipped)
    document.title = document.title or first_heading(text) or ""
    document.content = text + document.content
    return document


def _plain(shown: _Shown, suffix: str, content: bytes) -> Converted:
    """Convert a text in another syntax, without the lines that are not shown."""
    document, _ = _read(content)
    lines = decoded_utf8(content).split("\n")
    are_shown = list(shown(lines))
    document.skipped[COMMENT] += sum(
        not is_shown and before
        for before, is_shown in zip([True, *are_shown], are_shown, strict=False)
    )
    text = "\n".join(line for line, is_shown in zip(lines, are_shown, strict=True) if is_shown)
    document.content, count = ORG_SNIPPET.subn("", text) if suffix == ".org" else (text, 0)
    document.skipped[COMMENT] += count
    document.content_format = "plain_text"
    document.title = document.title or title_of(document.content, suffix) or ""
    return document


def _read(content: bytes) -> tuple[Converted, str]:
    """Return what the front matter says, and the text after it. Raises ValueError."""
    now = time()
    front, text = split(decoded_utf8(content))
    created, updated = (
        next((each for each in front.dates(*names) if each <= now), None)
        for names in (CREATED, UPDATED)
    )
    return Converted(
        title=plain_title(front.text("title")),
        content=front.searchable(text),
        created=created,
        updated=updated,
        reason=front.held_back(now),
        visibility=front.visibility(),
        is_archived=front.text("archived") == "true",
    ), text


def without_hidden(text: str, beginnings: re.Pattern[str], skipped: Counter[str]) -> str:
    """Remove comments and hidden elements of Markdown outside of code, and count them."""
    if not MARKER.search(text):
        return text
    blocks, elements = _code_blocks(text), _elements(text)
    kept, kept_to, position = [], 0, 0
    while match := beginnings.search(text, position):
        start, kind = match.start(), str(match.lastgroup)
        block = bisect_right(blocks, (start, len(text))) - 1
        if block >= 0 and start < blocks[block][1]:
            position = blocks[block][1]
            continue
        end = _end_of_code(match, text) if kind == "ticks" else _end(match, text, elements)
        if kind == "ticks" or not end:
            crosses = block + 1 < len(blocks) and end > blocks[block + 1][0]
            position = match.end() if crosses else max(end, match.end())
            continue
        skipped[HIDDEN if kind == "tag" else COMMENT] += 1
        kept.append(text[kept_to:start])
        is_line = text[start - 1 : start] in ("", "\n") and text[end : end + 1] == "\n"
        kept_to = position = end + is_line
    return "".join([*kept, text[kept_to:]])


def _end(match: re.Match[str], text: str, elements: dict[int, int]) -> int:
    """Return where a comment or hidden element ends; 0 if it is none, because it never does."""

    def after(mark: str) -> int:
        place = text.find(mark, end)
        return place + len(mark) if place >= 0 else 0

    start, end = match.span()
    match match.lastgroup:
        case "link":
            return end
        case "tag":
            return elements.get(end, 0)
        case "mdx":
            closing = after("*/")
            brace = BRACE.match(text, closing) if closing else None
            return brace.end() if brace else 0
        case "obsidian":
            return after("%%") or len(text)
    if text.startswith((">", "->"), end):
        return text.index(">", end) + 1
    is_block = not text[text.rfind("\n", 0, start) + 1 : start].strip(" ")
    return after("-->") or (len(text) if is_block else 0)


def _elements(text: str) -> dict[int, int]:
    """Return where elements end, by where their first tags end."""
    ends: dict[int, int] = {}
    begun: defaultdict[str, list[int]] = defaultdict(list)
    for tag in TAG.finditer(text):
        places = begun[tag[2].lower()]
        if not tag[1]:
            places.append(tag.end())
        elif places:
            ends[places.pop()] = tag.end()
    return ends


def _end_of_code(match: re.Match[str], text: str) -> int:
    """Return where code ends: after as many backticks, in its paragraph; else 0."""
    for end in CODE_END.finditer(text, match.end()):
        if not end["run"]:
            break
        if end["run"] == match[0]:
            return end.end()
    return 0


def _code_blocks(text: str) -> list[tuple[int, int]]:
    """Return where the blocks of code are, in order."""
    starts = [0, *(match.end() for match in NEWLINE.finditer(text)), len(text)]
    blocks = []
    for token in PARSER.parse(text):
        start, end = (starts[min(line, len(starts) - 1)] for line in token.map or (0, 0))
        before = text[:start].rstrip().rpartition("\n")[2] if token.type == "code_block" else ""
        if token.type in ("fence", "code_block") and not ADMONITION.match(before):
            blocks.append((start, end))
    return blocks


def _all(lines: list[str]) -> Iterator[bool]:
    return (True for _ in lines)


def _asciidoc(lines: list[str]) -> Iterator[bool]:
    """Yield whether each line is shown: comments are `//` lines, blocks between `////` and
    paragraphs of the style `[comment]`."""
    block, is_styled = "", False
    for line in lines:
        delimiter = DELIMITER.fullmatch(line.rstrip())
        if delimiter and block in ("", delimiter[0]):
            block = "" if block else delimiter[0]
            yield delimiter[0][0] != "/"
        elif block:
            yield block[0] != "/"
        elif is_styled := line.startswith("[comment") or (is_styled and line.strip() != ""):
            yield False
        else:
            yield not line.startswith("//") or line.startswith("///")


def _restructured_text(lines: list[str]) -> Iterator[bool]:
    """Yield whether each line is shown: a comment begins with `.. ` and has no directive.

    It and a literal block end with their indent.
    """
    depth, is_comment = -1, False
    for number, line in enumerate(lines):
        bare, indent = line.strip(), len(line) - len(line.lstrip())
        if depth >= 0 and (not bare or indent > depth):
            yield not (is_comment and bare)
            continue
        following = lines[number + 1].strip() if number + 1 < len(lines) else ""
        is_comment = bare.startswith(".. ") and not DIRECTIVE.match(bare)
        is_comment |= bare == ".." and following != ""
        depth = indent if is_comment or LITERAL.match(bare) else -1
        yield not is_comment


def _org(lines: list[str]) -> Iterator[bool]:
    """Yield whether each line is shown: comments are `# ` lines, blocks and COMMENT subtrees that
    are a COMMENT or have the tag `noexport`."""
    block, level = "", 0
    for line in lines:
        headline = None if block else HEADLINE.match(line)
        if headline and (not level or len(headline[1]) <= level):
            level = len(headline[1]) if headline[2] else 0
        if mark := ORG_BLOCK.match(line):
            name = mark[2].lower()
            if mark[1].lower() == "begin":
                block = block or name
            elif name == block:
                block = ""
                yield not level and name != "comment"
                continue
        yield not (level or block == "comment" or (not block and ORG_COMMENT.match(line)))


mdx = partial(markdown, beginnings=MDX)
obsidian = partial(markdown, beginnings=OBSIDIAN)
asciidoc = partial(_plain, _asciidoc, ".adoc")
restructured_text = partial(_plain, _restructured_text, ".rst")
org = partial(_plain, _org, ".org")
plain_text = partial(_plain, _all, ".txt")
