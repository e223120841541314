"""Replace Hugo's shortcodes (`{{< name argument >}}`) by their text.

A shortcode that encloses text leaves that text; a comment leaves nothing. Any other one without a
known meaning becomes the mark `[shortcode: NAME ARGUMENTS]`. In code, only includes are replaced.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from orgctx.importers.markdown.front_matter import FrontMatter
from orgctx.importers.markdown.snippets import Include
from orgctx.importers.report import Report

LONGEST = 2_000  # characters of one shortcode
TOKEN = re.compile(
    r"^[ \t>]*+(?P<fence>`{3,}+|~{3,}+)[^\n]*+|(?P<ticks>`++)|\n|\{\{(?P<open>[<%])", re.M
)
NAME = re.compile(r"\s*+(/?)\s*+(\w[\w./-]{0,99})")
ARGUMENT = re.compile(
    r"(?:([\w-]{1,60}+)=)?(?:\"((?:[^\"\\]|\\.?+)*+)(?:\"|\Z)|`([^`]*+)(?:`|\Z)|([^\s\"`]++))",
    re.DOTALL,
)
CLOSING = re.compile(r"\{\{[<%]\s{0,20}/\s{0,20}([\w./-]{1,100})")
INCLUDES = (
    "include", "includes", "includefile", "include-file", "include-md", "readfile", "read-file",
    "import", "snippet", "codenew", "code_sample", "codefile", "code-file",
)  # fmt: skip
FILES = ("file", "path", "filename", "src", "name")
FIGURES = ("figure", "image", "img", "picture")
REFERENCES = ("ref", "relref")
CODE = ("highlight", "code", "codeblock", "code-block")
# Shortcodes whose first argument is the heading of the text that they enclose.
HEADED = ("tab", "details", "expand", "collapse", "accordion")
TEXTS = ("title", "header", "summary", "heading", "label", "text", "name", "content", "caption")
ADDRESSES = {
    "youtube": "https://www.youtube.com/watch?v={}",
    "vimeo": "https://vimeo.com/{}",
    "gist": "https://gist.github.com/{}/{}",
    "tweet": "https://x.com/{}/status/{}",
    "x": "https://x.com/{}/status/{}",
    "instagram": "https://www.instagram.com/p/{}",
}


@dataclass(frozen=True, slots=True)
class _Call:
    """One tag of a shortcode."""

    source: str  # between the delimiters
    name: str
    is_closing: bool
    is_paired: bool
    positional: list[str]
    named: dict[str, str]

    def first(self, *names: str) -> str | None:
        """Return the first of these arguments, else the first without a name."""
        words = [self.named[name] for name in names if self.named.get(name)]
        return next(iter(words + self.positional), None)


class _Tag(NamedTuple):
    """A tag in a text."""

    start: int
    end: int
    text: str
    is_code: bool


def replace(text: str, include: Include, front: FrontMatter, path: str, report: Report) -> str:
    """Return a text with its shortcodes replaced; path: of the page, for the report."""
    if "comment" in text:
        text = _without_comments(text, path, report)
    paired = frozenset(CLOSING.findall(text))
    parts: list[str] = []
    position = 0
    for tag in _tags(text):
        call = _parse(tag.text[3:-3], paired)
        replacement = _escaped(tag) or tag.text
        if call and (call.name in INCLUDES or not tag.is_code):
            replacement = _replacement(call, include, front, path, report, is_code=tag.is_code)
        parts += (text[position : tag.start], replacement)
        position = tag.end
    return "".join(parts) + text[position:]


def _escaped(tag: _Tag) -> str | None:
    """Return the text that `{{</* name */>}}` shows, or None for other tags."""
    inner = tag.text[3:-3]
    is_escaped = inner.startswith("/*") and inner.endswith("*/")
    return f"{tag.text[:3]}{inner[2:-2]}{tag.text[-3:]}" if is_escaped else None


def _without_comments(text: str, path: str, report: Report) -> str:
    parts: list[str] = []
    position, start = 0, -1
    for tag in _tags(text):
        call = _parse(tag.text[3:-3], frozenset())
        if call is None or call.name != "comment" or tag.is_code:
            continue
        if call.is_closing and start >= 0:
            report.skip("comment in a shortcode", path)
            parts.append(text[position:start])
            position, start = tag.end, -1
        elif not call.is_closing and start < 0:
            start = tag.start
    return "".join(parts) + text[position:]


def _tags(text: str) -> Iterator[_Tag]:
    """Yield the tags of shortcodes."""
    fence, ticks, end = "", "", 0
    closers = dict.fromkeys("<%", -1)
    for token in TOKEN.finditer(text):
        if token.start() < end:
            continue
        if marks := token["fence"]:
            line = token[0].rstrip()
            if not fence:
                fence = marks
            elif marks.startswith(fence) and line.endswith(marks):
                fence = ""
        elif marks := token["ticks"]:
            ticks = "" if ticks == marks else ticks or marks
        elif opener := token["open"]:
            start = token.end()
            closer = ">}}" if opener == "<" else "%}}"
            if closers[opener] < start:
                end = text.find(closer, start)
                closers[opener] = end if end >= 0 else len(text)
            stop = closers[opener]
            is_closed = stop < len(text) and stop - start <= LONGEST
            if is_closed and text.find("{{", start, stop) < 0:
                end = stop + 3
                yield _Tag(token.start(), end, text[token.start() : end], bool(fence or ticks))
        else:
            ticks = ""


def _parse(source: str, paired: frozenset[str]) -> _Call | None:
    match = NAME.match(source)
    if match is None:
        return None
    words = source[match.end() :].rstrip()
    is_single = words.endswith("/")
    positional: list[str] = []
    named: dict[str, str] = {}
    for key, quoted, raw, word in ARGUMENT.findall(words.removesuffix("/")):
        value = quoted.replace('\\"', '"') or raw or word
        if key:
            named[key.lower()] = value
        else:
            positional.append(value)
    is_paired = match[2] in paired and not is_single
    return _Call(source.strip(), match[2], bool(match[1]), is_paired, positional, named)


def _replacement(
    call: _Call, include: Include, front: FrontMatter, path: str, report: Report, *, is_code: bool
) -> str:
    text = _text(call, include, front, is_code=is_code)
    if text is None:
        report.skip("shortcode without text, marked", f"{path}: {call.name}")
        return f"[shortcode: {' '.join(call.source.split())}]"
    if not call.is_closing:
        report.repair("shortcodes replaced by their text")
    return text


def _text(call: _Call, include: Include, front: FrontMatter, *, is_code: bool) -> str | None:
    """Return the text of a shortcode, or None if it is unknown."""
    name = call.name
    if name in CODE and (call.is_paired or call.is_closing):
        return "\n```" if call.is_closing else f"```{call.first('lang', 'language') or ''}\n"
    if call.is_closing:
        return ""
    if name in INCLUDES and (file := call.first(*FILES)) and not call.is_paired:
        return _included(file, include, is_code=is_code)
    if name in REFERENCES:
        return call.first("path")
    if name in FIGURES:
        return _figure(call)
    if name == "param":
        return front.text((call.first("name") or "").lower().replace("_", "").replace("-", ""))
    if name in ADDRESSES:
        return _address(call)
    heading = next((call.named[key] for key in TEXTS if call.named.get(key)), None)
    if call.is_paired:
        heading = heading or (call.first() if name in HEADED else None)
        return f"**{heading}**\n" if heading else ""
    return heading


def _address(call: _Call) -> str | None:
    words = [*call.named.values(), *call.positional]
    address = ADDRESSES[call.name]
    return address.format(*words) if len(words) >= address.count("{}") else None


def _included(file: str, include: Include, *, is_code: bool) -> str:
    text = include(file, anywhere=True)
    suffix = file.rpartition(".")[2].lower()
    if (
        is_code
        or suffix in ("md", "mdx", "markdown", "html", "txt")
        or text.startswith("[not incl")
    ):
        return text
    return f"```{suffix}\n{text}\n```"


def _figure(call: _Call) -> str | None:
    source = call.first("src", "link")
    if source is None:
        return None
    words = [call.named[key] for key in ("title", "caption", "attr") if call.named.get(key)]
    alt = call.named.get("alt") or (words[0] if words else "")
    more = [word for word in words if word != alt]
    return " ".join([f"![{alt}]({source})", *more])
