"""Read texts, and find their front matter in the forms that site generators accept.

A block that looks like front matter but cannot be parsed is refused, because it may say that the
page is a draft. Front matter is untrusted, so size, depth and aliases are checked before a value is
built.
"""

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from os.path import isfile
from typing import Any, NamedTuple

import yaml

from orgctx.importers.decoding import decoded_utf8
from orgctx.importers.folder.conversion import ConversionError
from orgctx.importers.folder.files import File
from orgctx.importers.formats import MAX_FILE_BYTES, TEXTS
from orgctx.importers.markdown import dates
from orgctx.importers.sandbox import TookTooLong, time_limit


def plain_name(name: str) -> str:
    """Normalize a name: `publishDate`, `publish_date` and `Publish-Date` are equal."""
    return name.lower().replace("_", "").replace("-", "")


# The members that hold a page back, which docs/importing.md lists.
# Any value but a clear no holds the page back.
HOLD_IF_TRUE = (
    "draft", "isDraft", "hugo_draft", "private", "unlisted", "unpublished", "hidden", "internal",
    "secret", "confidential", "headless", "eleventyExcludeFromCollections",
)  # fmt: skip
# A clear no holds the page back.
HOLD_IF_FALSE = (
    "published", "isPublished", "publish", "public", "dg-publish", "share", "render", "routable",
)  # fmt: skip
STATUS = "status"
HOLD_IF_STATUS = ("draft", "private", "unpublished", "hidden", "internal", "unlisted", "pending")

YEAR = re.compile(r"\b[2-9]\d{3}\b")
NEVER = (False, "never", "false", "link")
NAMES = frozenset(map(plain_name, (*HOLD_IF_TRUE, *HOLD_IF_FALSE, STATUS)))

MAX_LENGTH = 64 * 1024  # characters
MOST_DEPTH = 32
# An alias counts as all values that it stands for, because merge keys copy them.
MOST_VALUES = 20_000
# Parsing a sexagesimal number takes quadratic time.
LONGEST_WORD = 4_096
MOST_WORDS = 100
FALSE_WORDS = ("false", "no", "off", "0", "n", "f", "never", "")

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
FIELD = re.compile(r"(?::|#\+|\.\. )([A-Za-z][\w-]{0,60}):(?: (.{0,2000}))?$")
# Parsing a dotted key of TOML takes quadratic time.
MOST_DOTS = 200
MOST_HEADER_LINES = 100
PROGRAMS = ("js", "javascript", "ts", "typescript", "coffee", "coffeescript", "cson")
# Members that may open a block without an opening line, which Hexo accepts.
FIRST_MEMBERS = NAMES | {
    "title", "date", "updated", "tags", "categories", "layout", "permalink", "author", "password",
}  # fmt: skip

# PyYAML's constructors assume that the value after a tag such as !!bool is valid.
INVALID_VALUE = (
    ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError,
)  # fmt: skip
CARRIAGE_RETURN = re.compile(r"\r(?!\n)")
BLANK = re.compile(r"\s*")
OPENING = re.compile(r"(---|\+\+\+|;;;)[ \t]*+([A-Za-z]{0,20})[ \t]*+(?:#[^\n]*|\r?)\n")
CLOSING = {
    mark: re.compile(rf"^(?:{pattern})[ \t]*(?:\r?\n|\Z)", re.MULTILINE)
    for mark, pattern in (("---", r"---|\.\.\."), ("+++", r"\+\+\+"), (";;;", ";;;"))
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
# `name: value` of Pelican and MkDocs, `name:: value` of Logseq, `.. name: value` of Nikola, maybe
# in a comment; indented lines continue a value.
HEADER = re.compile(r" {0,3}(?:- |\.\. )?([A-Za-z][\w-]{0,60}):(:?)[ \t]*+(.{0,2000})")
CONTINUATION = ("    ", "\t")


class BrokenFrontMatter(ConversionError):
    """The front matter cannot be parsed, or is too large."""


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """Members by normalized name, because generators accept several spellings."""

    members: dict[str, Any]

    def get(self, *names: str) -> Any:
        return next((self.members[n] for n in names if self.members.get(n) is not None), None)

    def text(self, name: str) -> str | None:
        return text_of(self.members.get(name))

    def flag(self, name: str) -> bool | None:
        """Return whether a member is true; None if it is absent.

        Values are false only if they are unambiguous, so that `draft: "yes"` publishes nothing.
        """
        value = self.members.get(name)
        if value is None:
            return None
        if isinstance(value, str):
            return value.strip().lower() not in FALSE_WORDS
        return value is not False and value != 0

    def time_of(self, *names: str) -> datetime | None:
        """Return the first of these members that is a time; without a zone it is UTC."""
        return next((value for n in names if (value := dates.parse(self.members.get(n)))), None)


def split(text: str, *, is_markdown: bool = True) -> tuple[FrontMatter, str]:
    """Return the front matter and the text after it.

    A text that begins with a horizontal rule has no front matter. Front matter after empty lines or
    a comment is parsed, as some generators do, but is not removed from the text. Raises
    BrokenFrontMatter.
    """
    lines = CARRIAGE_RETURN.sub("\n", text) if "\r" in text else text
    block = _find(lines, is_markdown)
    if block is None:
        return FrontMatter(_header(lines)), text
    content = text if block.start else text[block.end :].lstrip("\r\n")
    return FrontMatter(plain_members(block.members)), content


class _Block(NamedTuple):
    """Front matter, and its place in the text."""

    members: dict[Any, Any]
    start: int
    end: int


def _find(text: str, is_markdown: bool) -> _Block | None:
    # It may start after empty lines, and in or after a comment.
    start = _first_line(text, 0)
    starts = [start]
    if text.startswith("<!--", start):
        ends = (text.find("\n", start) + 1, text.find("-->", start) + 3)
        starts += [_first_line(text, end) for end in ends]
    for start in starts:
        if opening := OPENING.match(text, start):
            return _opened(text, opening, is_markdown)
        if OPENS_JSON.match(text, start):
            return _json_object(text, start, is_markdown)
    return _hexo(text, is_markdown)


def _parsed(
    parse: Callable[[str], Any], front: str, start: int, end: int, *, must_parse: bool
) -> _Block | None:
    """Parse a block.

    Returns None if it is part of the content: it has no members, or need not be front matter.
    """
    try:
        if len(front) > MAX_LENGTH:
            raise BrokenFrontMatter(f"its front matter exceeds {MAX_LENGTH >> 10} KiB")
        members = parse(front) if front.strip() else {}
    except (*INVALID_VALUE, BrokenFrontMatter) as error:
        if not must_parse:
            return None
        is_known = isinstance(error, BrokenFrontMatter)
        reason = str(error) if is_known else "its front matter contains an invalid value"
        raise BrokenFrontMatter(reason) from None
    return _Block(members, start, end) if isinstance(members, dict) else None


def _first_line(text: str, start: int) -> int:
    """Return the start of the next line that is not empty."""
    blank = BLANK.match(text, start, start + 2 * MAX_LENGTH)
    return text.rfind("\n", 0, blank.end() if blank else start) + 1


def _opened(text: str, opening: re.Match[str], is_markdown: bool) -> _Block | None:
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
    return _parsed(parse, front, opening.start(), closing.end(), must_parse=must_parse)


def _json_object(text: str, start: int, is_markdown: bool) -> _Block | None:
    start = text.index("{", start)
    try:
        members, end = json.JSONDecoder().raw_decode(text[: start + MAX_LENGTH], start)
    except (ValueError, RecursionError):
        if not is_markdown:
            return None
        raise BrokenFrontMatter(
            f"its front matter is not JSON, or exceeds {MAX_LENGTH >> 10} KiB"
        ) from None
    return _Block(members, start, end)


def _hexo(text: str, is_markdown: bool) -> _Block | None:
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
    return _parsed(PARSERS[closing[1][:3]], front, 0, closing.end(), must_parse=must_parse)


def _header(text: str) -> dict[str, str]:
    """Return the properties of a Logseq page, and the members of a header that hold pages back."""
    members: dict[str, str] = {}
    text = text[:MAX_LENGTH].removeprefix("<!--").lstrip()
    is_header = HEADER.match(text)
    for line in text.splitlines()[:MOST_HEADER_LINES] if is_header else ():
        match = HEADER.match(line)
        if not (match or line.startswith(CONTINUATION)):
            break
        if match and (match[2] or plain_name(match[1]) in NAMES):
            members[match[1]] = match[3].partition("-->")[0].strip()
    return plain_members(members)


def read_toml(front: str) -> Any:
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


def read_yaml(text: str, loader: Any = LOADER) -> Any:
    """Parse YAML after checking its events. Raises BrokenFrontMatter, or a constructor's error."""
    try:
        # Each level of depth has an indicator, and each other limit exceeds a short text.
        is_small = len(text) <= LONGEST_WORD and "*" not in text
        if not is_small or sum(map(text.count, "[{-?:")) > MOST_DEPTH:
            _check_events(yaml.parse(text, Loader=loader))
        return yaml.load(text, Loader=loader)  # noqa: S506
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f": line {mark.line + 1}" if mark else ""
        for line in text.splitlines()[mark.line : mark.line + 1] if mark else ():
            place += f": {line.strip()[:80]!r}"
        raise BrokenFrontMatter(f"its front matter is not YAML{place}") from None


def _check_events(events: Iterable[Any]) -> None:
    sizes: dict[str, int] = {}
    stack: list[tuple[str | None, int]] = []  # the anchor and start of each open collection
    count = 0
    for event in events:
        # An alias inside the collection that it names stands for more than any limit.
        is_alias = isinstance(event, yaml.AliasEvent)
        count += sizes.get(event.anchor, MOST_VALUES) if is_alias else 1
        if isinstance(event, yaml.CollectionStartEvent):
            stack.append((event.anchor, count))
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, start = stack.pop()
            sizes |= {anchor: count - start} if anchor else {}
        elif isinstance(event, yaml.ScalarEvent):
            sizes |= {event.anchor: 1} if event.anchor else {}
            if not event.style and len(event.value) > LONGEST_WORD and " " not in event.value:
                raise BrokenFrontMatter(
                    f"its front matter has a word of more than {LONGEST_WORD:,} characters"
                )
        if len(stack) > MOST_DEPTH:
            raise BrokenFrontMatter(f"its front matter is nested deeper than {MOST_DEPTH} levels")
        if count > MOST_VALUES:
            raise BrokenFrontMatter(f"its front matter has more than {MOST_VALUES:,} values")


PARSERS: dict[str, Callable[[str], Any]] = {
    **dict.fromkeys(("---", "yaml", "yml"), read_yaml),
    **dict.fromkeys(("+++", "toml"), read_toml),
    **dict.fromkeys((";;;", "json"), _json),
    **{language: partial(_refuse, language) for language in PROGRAMS},
}


def header_fields(text: str) -> dict[str, Any]:
    """Parse header fields: `:name: value` in AsciiDoc and reStructuredText, `#+name:` in Org."""
    matches = (FIELD.match(line) for line in text[:MAX_LENGTH].splitlines()[:MOST_WORDS])
    return plain_members(
        {f[1].removeprefix("page-"): (f[2] or "true").strip() for f in matches if f}
    )


def texts_of(value: Any) -> list[str]:
    """Return the texts of a member, which is a text or a list of texts."""
    values = value if isinstance(value, list) else [value]
    return [text for item in values[:MOST_WORDS] if (text := text_of(item))]


def text_of(value: Any) -> str | None:
    """Return a scalar as one line of text, or None for other values."""
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        return None
    try:
        # JSON may hold half of a pair of UTF-16 units, which no other format can.
        text = str(value).replace("\0", "").encode(errors="replace").decode()
        return " ".join(text.split()) or None
    except ValueError:  # An integer with more digits than Python converts.
        return None


def visibility_of(front: FrontMatter) -> str | None:
    """Return public, team or None. Raises BrokenFrontMatter for others, which may mean secret."""
    value: str | None = front.members.get("visibility")
    if value in (None, "public", "team"):
        return value
    raise BrokenFrontMatter("visibility in its front matter must be public or team")


def format_of(entry: File) -> str | None:
    format_ = TEXTS.get(entry.suffix)
    return format_.content_format if format_ else None


def read(entry: File) -> tuple[FrontMatter, str]:
    """Return the front matter and the content, in which other formats than Markdown keep theirs.

    Raises OSError, BrokenFrontMatter, and ValueError with the reason.
    """
    text, meta = read_plain(entry), entry.location.with_suffix(".meta")
    # Nikola may keep them in a file of their own.
    has_meta = isfile(meta)  # false also if its name is too long
    stated = header_fields(read_plain(File(meta.parent, meta.name))) if has_meta else {}
    if format_of(entry) == "markdown":
        front, text = split(text)
    else:
        front, _ = split(text, is_markdown=False)
        stated |= header_fields(text)
    return FrontMatter({**stated, **front.members}), text


def read_front_matter(entry: File) -> FrontMatter | None:
    """Return the front matter of a file, or None if the file cannot be read."""
    try:
        with time_limit():
            return read(entry)[0] if format_of(entry) else FrontMatter({})
    except (OSError, ValueError, BrokenFrontMatter, TookTooLong):
        return None


def read_plain(entry: File) -> str:
    """Return the text of a file of any type. Raises OSError, and ValueError with the reason."""
    return decoded_utf8(entry.content(MAX_FILE_BYTES))


Rule = Callable[[FrontMatter, datetime], bool | None]


def plain_members(members: dict[Any, Any]) -> dict[str, Any]:
    """Normalize names; members whose name is not a text are left out."""
    return {plain_name(name): value for name, value in members.items() if isinstance(name, str)}


def held_back(front: FrontMatter, now: datetime) -> Iterator[str]:
    """Yield the rules that hold a page back."""
    rules = OTHER_RULES if NAMES.isdisjoint(front.members) else RULES
    return (label for label, rule in rules.items() if front.members and rule(front, now))


def is_scheduled(front: FrontMatter, now: datetime) -> bool:
    for names in (("publishdate", "pubdate", "published"), ("date",)):
        time = front.time_of(*names)
        if time:
            return time > now
        if year := YEAR.search(text_of(front.get(*names)) or ""):
            return int(year[0]) >= now.year  # a later day, perhaps
    return False


def _says(name: str, *, is_true: bool) -> Rule:
    member = plain_name(name)
    return lambda front, _: front.flag(member) is is_true


def _is_word(word: str) -> Rule:
    return lambda front, _: (front.text(STATUS) or "").lower() == word


def _is_not_built(front: FrontMatter, _: datetime) -> bool:
    build = front.get("build")
    members = plain_members(build) if isinstance(build, dict) else {}
    return members.get("render", True) in NEVER or members.get("list", True) in NEVER


# By members that are not in NAMES.
OTHER_RULES: dict[str, Rule] = {
    "build: never": _is_not_built,
    "permalink: false": lambda front, _: (
        front.get("permalink") is False or (front.text("permalink") or "").lower() == "false"
    ),
    "filetags: noexport": lambda front, _: (
        "noexport" in (front.text("filetags") or "").replace(":", " ").split()
    ),
    "a password": lambda front, _: front.get("password") is not None,
    "a publication date in the future": is_scheduled,
    "an expiry date in the past": lambda front, now: (
        (front.time_of("expirydate", "unpublishdate", "expires") or now) < now
    ),
}
RULES: dict[str, Rule] = {
    **{f"{name}: true": _says(name, is_true=True) for name in HOLD_IF_TRUE},
    **{f"{name}: false": _says(name, is_true=False) for name in HOLD_IF_FALSE},
    **{f"{STATUS}: {word}": _is_word(word) for word in HOLD_IF_STATUS},
    **OTHER_RULES,
}
