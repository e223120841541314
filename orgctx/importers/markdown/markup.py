"""Replace Hugo's shortcodes (`{{< name argument >}}`) and Obsidian's links by their text.

A shortcode that encloses text leaves that text. Any other one without a known meaning becomes the
mark `[shortcode: NAME ARGUMENTS]`. In code, only includes are replaced.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from orgctx.importers.folder.ignore import ancestors
from orgctx.importers.markdown.comments import CODE, FLAGS, LINK, is_code
from orgctx.importers.markdown.front_matter import FrontMatter, plain_name
from orgctx.importers.report import Report

SHORTCODE = (
    r"\{\{(?:<(?:[^{>]|\{(?!\{)|>(?!\}\})){0,2000}>|%(?:[^{%]|\{(?!\{)|%(?!\}\})){0,2000}%)\}\}"
)
IN_CODE = re.compile(SHORTCODE)
TOKEN = re.compile(f"{CODE}|{SHORTCODE}", FLAGS)
NAME = re.compile(r"\s*+(/?)\s*+(\w[\w./-]{0,99})")
ARGUMENT = re.compile(
    r"(?:([\w-]{1,60}+)=)?(?:\"((?:[^\"\\]|\\.?+)*+)(?:\"|\Z)|`([^`]*+)(?:`|\Z)|([^\s\"`]++))",
    re.DOTALL,
)
CLOSING = re.compile(r"\{\{[<%]\s{0,20}/\s{0,20}([\w./-]{1,100})")

# What shortcodes show, by name: tables of data.
INCLUDES = (
    "include", "includes", "includefile", "include-file", "include-md", "readfile", "read-file",
    "import", "snippet", "codenew", "code_sample", "codefile", "code-file",
)  # fmt: skip
FIGURES = ("figure", "image", "img", "picture")
CODE_BLOCKS = ("highlight", "code", "codeblock", "code-block")
# Their first argument is the heading of the text that they enclose.
HEADED = ("tab", "details", "expand", "collapse", "accordion")
# Templates of their arguments.
SHOWN = {
    "ref": "{}",
    "relref": "{}",
    "youtube": "https://www.youtube.com/watch?v={}",
    "vimeo": "https://vimeo.com/{}",
    "gist": "https://gist.github.com/{}/{}",
    "tweet": "https://x.com/{}/status/{}",
    "x": "https://x.com/{}/status/{}",
    "instagram": "https://www.instagram.com/p/{}",
}
# Arguments that name a file, and those that are text.
FILES = ("file", "path", "filename", "src", "name")
SHOWN_AS_TEXT = ("md", "mdx", "markdown", "html", "txt")  # other files are code
TEXTS = ("title", "header", "summary", "heading", "label", "text", "name", "content", "caption")

Include = Callable[[str], str]


class _Tag(NamedTuple):
    """A tag such as `{{< source >}}`."""

    name: str
    is_closing: bool
    is_code: bool
    is_paired: bool
    positional: list[str]
    named: dict[str, str]

    def first(self, *names: str) -> str | None:
        """Return the first of these arguments, else the first without a name."""
        words = [self.named[name] for name in names if self.named.get(name)]
        return next(iter(words + self.positional), None)


def replace_shortcodes(
    text: str, include: Include, front: FrontMatter, path: str, report: Report
) -> str:
    """Return a text with its shortcodes replaced; path: of the page, for the report."""
    paired = frozenset(CLOSING.findall(text))

    def replaced(token: re.Match[str]) -> str:
        if is_code(token):
            return IN_CODE.sub(lambda call: shown(call[0], is_code=True), token[0])
        return shown(token[0], is_code=False)

    def shown(call: str, *, is_code: bool) -> str:
        source = call[3:-3]
        if source.startswith("/*") and source.endswith("*/"):
            return f"{call[:3]}{source[2:-2]}{call[-3:]}"  # a tag that is shown
        name = NAME.match(source)
        if not name or (is_code and name[2] not in INCLUDES):
            return call
        words = source[name.end() :].rstrip()
        values = [
            (key.lower(), quoted.replace('\\"', '"') or raw or word)
            for key, quoted, raw, word in ARGUMENT.findall(words.removesuffix("/"))
        ]
        tag = _Tag(
            name[2],
            bool(name[1]),
            is_code,
            name[2] in paired and not words.endswith("/"),
            [value for key, value in values if not key],
            {key: value for key, value in values if key},
        )
        if (content := _text(tag, include, front)) is None:
            report.skip("shortcode without text, marked", f"{path}: {tag.name}")
            return f"[shortcode: {' '.join(source.split())}]"
        if not tag.is_closing:
            report.repair("shortcodes replaced by their text")
        return content

    return TOKEN.sub(replaced, f"\n{text}")[1:]


def _text(tag: _Tag, include: Include, front: FrontMatter) -> str | None:
    name, words = tag.name, [*tag.named.values(), *tag.positional]
    if name in CODE_BLOCKS and (tag.is_paired or tag.is_closing):
        return "\n```" if tag.is_closing else f"```{tag.first('lang', 'language') or ''}\n"
    if tag.is_closing:
        return ""
    if name in INCLUDES and not tag.is_paired and (file := tag.first(*FILES)):
        text, suffix = include(file), file.rpartition(".")[2].lower()
        is_text = tag.is_code or suffix in SHOWN_AS_TEXT or text.startswith("[not incl")
        return text if is_text else f"```{suffix}\n{text}\n```"
    if name in SHOWN:
        is_complete = len(words) >= SHOWN[name].count("{}")
        return SHOWN[name].format(*words) if is_complete else None
    if name in FIGURES:
        return _figure(tag)
    if name == "param":
        return front.text(plain_name(tag.first("name") or ""))
    heading = next((tag.named[key] for key in TEXTS if tag.named.get(key)), None)
    if tag.is_paired:
        heading = heading or (tag.first() if name in HEADED else None)
        return f"**{heading}**\n" if heading else ""
    return heading


def _figure(tag: _Tag) -> str | None:
    if (source := tag.first("src", "link")) is None:
        return None
    words = [tag.named[key] for key in ("title", "caption", "attr") if tag.named.get(key)]
    alt = tag.named.get("alt") or next(iter(words), "")
    return " ".join([f"![{alt}]({source})", *(word for word in words if word != alt)])


def is_vault(root: Path) -> bool:
    return any((folder / ".obsidian").is_dir() for folder in (root, *ancestors(root)))


def without_obsidian_links(text: str) -> str:
    """Replace `[[Page#Part|words]]` by the words."""

    def words(mark: re.Match[str]) -> str:
        if is_code(mark):
            return mark[0]
        # Without a page, it precedes an embedded one.
        parts = (mark["page"] or "").replace("#^", "#").split("#")
        return mark["words"] or " > ".join(filter(None, parts))

    return LINK.sub(words, f"\n{text}")[1:]
