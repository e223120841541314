"""Find the front matter of a text in the forms that site generators accept, and parse it.

A block that looks like front matter but cannot be parsed is refused, because it may say that the
page is a draft.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from orgctx.importers.markdown.flags import NAMES, plain_name
from orgctx.importers.markdown.front_matter import (
    MAX_LENGTH,
    BrokenFrontMatter,
    FrontMatter,
    plain_members,
    read_yaml,
)

# Parsing a dotted key of TOML takes quadratic time.
MOST_DOTS = 200
MOST_HEADER_LINES = 100
PROGRAMS = ("js", "javascript", "ts", "typescript", "coffee", "coffeescript", "cson")
# Members that may open a block without an opening line, which Hexo accepts.
FIRST_MEMBERS = NAMES | {
    "title", "date", "updated", "tags", "categories", "layout", "permalink", "author", "password",
}  # fmt: skip

CARRIAGE_RETURN = re.compile(r"\r(?!\n)")
BLANK = re.compile(r"\s*")
OPENING = re.compile(r"(---|\+\+\+|;;;)[ \t]*+([A-Za-z]{0,20})[ \t]*+(?:#[^\n]*|\r?)\n")
CLOSING = {
    "---": re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.MULTILINE),
    "+++": re.compile(r"^\+\+\+[ \t]*(?:\r?\n|\Z)", re.MULTILINE),
    ";;;": re.compile(r"^;;;[ \t]*(?:\r?\n|\Z)", re.MULTILINE),
}
LONG_OPENING = re.compile(r"(-{4,}|;{4,})[ \t]*+\r?\n")
CLOSING_ALONE = re.compile(r"^(-{3,}|;{3,})[ \t]*(?:\r?\n|\Z)", re.MULTILINE)
# The first line that is neither empty nor a comment.
FIRST_LINE = re.compile(r"^[ \t]*([^\s#][^\n]*)", re.MULTILINE)
FIRST_MEMBER = re.compile(r"[\"']?([A-Za-z_][\w.-]{0,60})[\"']?:(?!\S)")
MEMBERS = {
    **dict.fromkeys(("---", ";;;"), FIRST_MEMBER),
    "+++": re.compile(r"[\"\w.-]{1,60}[ \t]{0,60}=|\["),
}
EMPTY_LINE = re.compile(r"^[ \t]*\r?\n", re.MULTILINE)
OPENS_JSON = re.compile(r"[ \t]*\{\s*(?:\"|\}\s*$)", re.MULTILINE)
# `name: value` of Pelican and MkDocs, `name:: value` of Logseq; indented lines continue a value.
HEADER = re.compile(r" {0,3}(?:- )?([A-Za-z][\w-]{0,60}):(:?)[ \t]*+(.{0,2000})")
CONTINUATION = ("    ", "\t")


@dataclass(frozen=True, slots=True)
class Block:
    """A block that may be front matter, from `start` to `end` of the text."""

    start: int
    text: str
    parse: Callable[[str], Any]
    end: int
    # Refuse the page if the block cannot be parsed; other blocks are part of the content then.
    must_parse: bool


def split(text: str, *, is_markdown: bool = True) -> tuple[FrontMatter, str]:
    """Return the front matter and the text after it.

    A text that begins with a horizontal rule has no front matter. Front matter after empty lines or
    a comment is parsed, as some generators do, but is not removed from the text. Raises
    BrokenFrontMatter.
    """
    lines = CARRIAGE_RETURN.sub("\n", text) if "\r" in text else text
    block = _find(lines, is_markdown)
    members = _members(block) if block else None
    if block is None or members is None:
        return FrontMatter(_header(lines)), text
    content = text if block.start else text[block.end :].lstrip("\r\n")
    return FrontMatter(plain_members(members)), content


def _members(block: Block) -> dict[Any, Any] | None:
    """Parse a block. Returns None if it is not front matter."""
    try:
        members = _parse(block) if block.text.strip() else {}
    except BrokenFrontMatter:
        if block.must_parse:
            raise
        return None
    return members if isinstance(members, dict) else None


def _parse(block: Block) -> Any:
    if len(block.text) > MAX_LENGTH:
        raise BrokenFrontMatter(f"its front matter exceeds {MAX_LENGTH >> 10} KiB")
    try:
        return block.parse(block.text)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        # PyYAML's constructors assume that the value after a tag such as !!bool is valid.
        raise BrokenFrontMatter("its front matter contains an invalid value") from None


def _find(text: str, is_markdown: bool) -> Block | None:
    for start in _starts(text):
        if opening := OPENING.match(text, start):
            return _opened(text, opening, is_markdown)
        if OPENS_JSON.match(text, start):
            return _json_object(text, start, is_markdown)
    return _hexo(text, is_markdown)


def _starts(text: str) -> Iterator[int]:
    """Yield where front matter may start: after empty lines, and in or after a comment."""
    start = _first_line(text, 0)
    yield start
    if text.startswith("<!--", start):
        yield _first_line(text, text.find("\n", start) + 1)
        yield _first_line(text, text.find("-->", start) + 3)


def _first_line(text: str, start: int) -> int:
    """Return the start of the next line that is not empty."""
    blank = BLANK.match(text, start, start + 2 * MAX_LENGTH)
    return text.rfind("\n", 0, blank.end() if blank else start) + 1


def _opened(text: str, opening: re.Match[str], is_markdown: bool) -> Block | None:
    delimiter, language = opening[1], opening[2].lower()
    closing = CLOSING[delimiter].search(text, opening.end())
    front = text[opening.end() : closing.start() if closing else opening.end() + MAX_LENGTH]
    line = FIRST_LINE.search(front, 0, MAX_LENGTH)
    is_likely = language in PARSERS or bool(line and MEMBERS[delimiter].match(line[1]))
    if closing is None and is_likely:
        raise BrokenFrontMatter("its front matter has no closing line")
    if closing is None or (language not in ("", *PARSERS) and not is_likely):
        return None
    must_parse = is_likely or (is_markdown and not opening.start())
    parse = PARSERS.get(language or delimiter) or partial(_refuse, language)
    return Block(opening.start(), front, parse, closing.end(), must_parse)


def _json_object(text: str, start: int, is_markdown: bool) -> Block | None:
    start = text.index("{", start)
    try:
        members, end = json.JSONDecoder().raw_decode(text[: start + MAX_LENGTH], start)
    except (ValueError, RecursionError):
        if not is_markdown:
            return None
        raise BrokenFrontMatter(
            f"its front matter is not JSON, or exceeds {MAX_LENGTH >> 10} KiB"
        ) from None
    return Block(start, "{}", lambda _: members, end, must_parse=True)


def _hexo(text: str, is_markdown: bool) -> Block | None:
    """Find a block that begins with a well-known member, as in Hexo.

    It has no opening line, or one of more than three characters that equals the closing line.
    """
    opening = LONG_OPENING.match(text)
    start = opening.end() if opening else 0
    first = FIRST_MEMBER.match(text, start)
    closing = CLOSING_ALONE.search(text, start, MAX_LENGTH) if first else None
    if not first or not closing or plain_name(first[1]) not in FIRST_MEMBERS:
        return None
    if opening and opening[1] != closing[1]:
        return None
    front = text[start : closing.start()]
    must_parse = is_markdown and not EMPTY_LINE.search(front)
    return Block(0, front, PARSERS[closing[1][:3]], closing.end(), must_parse)


def _header(text: str) -> dict[str, str]:
    """Return the properties of a Logseq page, and the members of a header that hold pages back."""
    members = {}
    for number, line in enumerate(text[:MAX_LENGTH].splitlines()[:MOST_HEADER_LINES]):
        match = HEADER.match(line)
        if not match and number and line.startswith(CONTINUATION):
            continue
        if not match:
            break
        if match[2] or plain_name(match[1]) in NAMES:
            members[match[1]] = match[3].strip()
    return plain_members(members)


def _toml(front: str) -> Any:
    if any(line.count(".") > MOST_DOTS for line in front.splitlines()):
        raise BrokenFrontMatter(f"its front matter has a line with more than {MOST_DOTS} dots")
    try:
        return tomllib.loads(front.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        raise BrokenFrontMatter(f"its front matter is not TOML: {error}") from None


def _json(front: str) -> Any:
    """Parse JSON, whose braces Hexo leaves out."""
    try:
        return json.loads(front if front.lstrip().startswith("{") else f"{{{front}}}")
    except (ValueError, RecursionError):
        raise BrokenFrontMatter("its front matter is not JSON") from None


def _refuse(language: str, _: str) -> Any:
    raise BrokenFrontMatter(
        f"its front matter is in {language}, which is not read; use YAML, TOML or JSON"
    )


PARSERS: dict[str, Callable[[str], Any]] = {
    **dict.fromkeys(("---", "yaml", "yml"), read_yaml),
    **dict.fromkeys(("+++", "toml"), _toml),
    **dict.fromkeys((";;;", "json"), _json),
    **{language: partial(_refuse, language) for language in PROGRAMS},
}
