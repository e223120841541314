"""Insert the files that a page includes, if they are in the imported folder.

A file that is not published as a draft or as private, or whose document is suppressed, is not
inserted. What is not inserted leaves the mark `[not included: NAME]` in the text, and the report
counts it.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache, partial
from posixpath import dirname, normpath
from typing import NamedTuple

from orgctx.importers.folder.files import File
from orgctx.importers.formats import DOCUMENTS
from orgctx.importers.markdown.comments import CODE, FLAGS, is_code, without_comments
from orgctx.importers.markdown.front_matter import (
    BrokenFrontMatter,
    FrontMatter,
    format_of,
    read,
    read_plain,
    split,
)
from orgctx.importers.markdown.include_syntaxes import (
    HEADING,
    OTHER_SHORTCODE,
    RUN,
    SECTION,
    SYNTAXES,
    Syntax,
    marks,
)
from orgctx.importers.markdown.publishing import PARTS, Publishing
from orgctx.importers.report import Report

MOST_DEPTH = 10
# Limits of one page.
MOST_FILES = 200
MAX_LENGTH = 1024 * 1024  # characters
# Limits of one import.
MAX_TOTAL_LENGTH = 64 * 1024 * 1024  # characters
MAX_SEARCHED_LENGTH = 4 * 1024 * 1024 * 1024  # characters of files from which lines are selected
MAX_FILE_BYTES = 1024 * 1024
# Files are looked up by the end of their path only if at most this many have the name.
MOST_EQUAL_NAMES = 100
FILES_IN_MEMORY = 16
# Other formats that may have front matter.
WEB_PAGES = (".html", ".htm", ".xhtml")
WHOLE_PAGE = re.compile(r"<(?:!doctype|html|head|body)\b", re.IGNORECASE)
TABLES = (".csv", ".tsv")

PRIVATE = "a private file"
OTHER_FORMAT = "a document of another format"
TOO_MUCH = "over the limit of included files or text"


ITEMS = ("- ", "* ", "+ ")
NO_WORDS = re.compile(r"[^\w^]+")
RANGES = re.compile(r"[-\d:,]+")
# Names of Antora: `module:partial$file`, `{partialsdir}/file`.
ANTORA = re.compile(
    r"^(?:(?:(?:[\w.@-]{1,100}:)?([\w.-]{0,100}):)?(partial|example|page)\$|\{(partial|example)s(?:dir)?\}/)"
)


class Text(NamedTuple):
    """A text without front matter, whether it is a page, and whether it hides code by default."""

    text: str
    is_published: bool
    hides_code: bool


# Takes the syntax, the name of a file, and the selected lines or section, if any.
Include = Callable[..., str]

# Imports of MDX, which is_anywhere if they begin with the name of a folder.
MDX = Syntax("", None, SECTION)
MDX_STATEMENT = re.compile(r"^[ \t]*+(?:import|export)[\s{*]", re.MULTILINE)
IMPORT = (
    r"import(?=[\s{*])[ \t]*+(?:\*[ \t]++as[ \t]++|\{[ \t]*+default[ \t]++as[ \t]++)?"
    r"(?P<name>[A-Z]\w{0,60})?(?:[^'\"\n]|\n(?![ \t]*+(?:\n|import\b))){0,2000}"
    r"['\"](?P<file>[^'\"\n]{1,500})['\"][ \t]*+;?[ \t]*+(?://[^\n]*+)?(?:$|(?=import\s))"
)
MDX_IMPORT = re.compile(r"[ \t]*+" + IMPORT, re.MULTILINE)
MDX_EXPORT = re.compile(
    r"export\s+(?:(?:const|let|var|type|interface)\s+[\w${\[]|(?:default\s+)?(?:async\s+)?"
    r"(?:function|class)\b|default\b.*[{(=;]|[{*])"
)
# Imports below the first text, and what is imported where it is used.
MDX_PART = re.compile(
    CODE + r"|(?:\n|(?<=; ))" + IMPORT + r"|<(?P<end>/?)(?P<use>[A-Z]\w{0,60})(?:\.default)?"
    r"(?:\s(?:[^<>{}]|\{(?:[^{}]|\{[^{}]{0,200}\}){0,500}\}){0,500})?/?>",
    FLAGS,
)
MOST_LINES = 500  # of one statement
BRACKETS = {**dict.fromkeys("([{", 1), **dict.fromkeys(")]}", -1)}


class NotIncluded(Exception):
    """A file that is not inserted; the message is the reason."""


@dataclass(slots=True)
class _Page:
    """What may still be inserted into a page."""

    path: str
    front: FrontMatter
    files: int
    length: int  # characters
    skipped: Counter[str] = field(default_factory=Counter)


class Includes:
    """The files of one import that pages may include."""

    def __init__(
        self,
        root_name: str,
        entries: Iterable[File],
        publishing: Publishing,
        report: Report,
        *,
        is_vault: bool = False,
    ) -> None:
        """is_vault: whether texts may have comments of Obsidian."""
        self._root_name, self._is_vault = root_name, is_vault
        self._entries = {entry.path: entry for entry in entries}
        self._publishing = publishing
        self._report = report
        # Files of folders of parts that pages contain as a whole.
        self.parts: set[str] = set()
        # Takes the paths of a page and of the file, the file's text, and what of it is inserted.
        self._length = MAX_TOTAL_LENGTH
        self._searched_length = MAX_SEARCHED_LENGTH
        self._by_name: dict[str, list[str]] = {}
        self._text = lru_cache(maxsize=FILES_IN_MEMORY)(self._read)
        self._shown = lru_cache(maxsize=FILES_IN_MEMORY)(self._without_comments)

    def expand(self, entry: File, front: FrontMatter, text: str) -> tuple[str, Counter[str]]:
        """Return a page with includes replaced, and what is left out."""
        page = _Page(entry.path, self._inherited(entry, front), MOST_FILES, MAX_LENGTH)
        return self._expand(text, page, (entry.path,)), page.skipped

    def _expand(self, text: str, page: _Page, stack: tuple[str, ...]) -> str:
        include = partial(self._include, page, stack)
        entry, extension = self._entries[stack[-1]], self._entries[page.path].suffix
        is_markdown = format_of(entry) == "markdown"
        if format_of(entry) or entry.suffix in WEB_PAGES:
            hides_code = _hides_code(page.front) or (
                len(stack) > 1 and self._text(stack[-1]).hides_code
            )
            text = without_comments(
                text, _markup(entry), page.skipped, is_vault=self._is_vault, hides_code=hides_code
            )
        is_mdx = is_markdown and ("import" in text or "export" in text)
        if is_mdx and MDX_STATEMENT.search(text):
            text = self._without_statements(text, include)
        for call in OTHER_SHORTCODE.finditer(f"\n{text}") if is_markdown and "{{" in text else ():
            if call["name"]:
                self._report.skip("shortcode kept as text", f"{page.path}: {call['name']}")
        for syntax in SYNTAXES:
            marker = syntax.marker if extension in syntax.suffixes else ""
            if marker and marker[0] in text and marker in text:
                if syntax.hides_sections:
                    text = "\n".join(line for line in text.split("\n") if not marks(syntax, line))
                replaced = partial(self._replaced, syntax, include)
                text = syntax.pattern.sub(replaced, f"\n{text}")[1:]
        return text

    def _without_statements(self, text: str, include: Include) -> str:
        """Drop the imports and exports above the text of MDX, and insert imported Markdown."""
        lines = text.split("\n")
        position, is_dropped, imports = 0, False, list[re.Match[str]]()
        while position < len(lines):
            if lines[position].strip():
                statement = "\n".join(lines[position : position + MOST_LINES])
                end = 0
                while found := MDX_IMPORT.match(statement, end):
                    imports.append(found)
                    end = found.end()
                if end:
                    position += statement.count("\n", 0, end)
                elif length := _exported(lines[position : position + MOST_LINES]):
                    position += length - 1
                else:
                    break
                is_dropped = True
            position += 1
        if is_dropped:
            self._report.repair("imports and exports of MDX dropped")
        rest = "\n".join(lines[position if is_dropped else 0 :])
        return _with_parts(f"\n{rest}", imports, include)

    def _replaced(self, syntax: Syntax, include: Include, match: re.Match[str]) -> str:
        if "fence" in syntax.pattern.groupindex and is_code(match):
            return match[0]
        groups = match.groupdict("")
        if groups.get("escape"):
            return match[0].replace(groups["escape"], "", 1)
        if "code" in groups and not groups["file"]:
            self._report.repair("title of a browser window dropped")
            return ""
        files = groups.get("files") or groups.get("indent", "") + groups["file"]
        words = "".join(f",{word}" for word in groups.get("words", "").split())
        lines = []
        for line in files.removesuffix("\n").split("\n"):
            target = line.strip()
            is_whole = "lines" in groups or "://" in target
            name, _, selection = target.partition("\n" if is_whole else ":")
            lines_of = groups.get("lines", "").replace(syntax.to, ":").replace(";", ",")
            lines_of = "".join(lines_of.split()).strip(",")
            selection = selection or groups.get("region") or lines_of or groups.get("unknown", "")
            name = name.removeprefix("@") if name.startswith("@/") else name
            if target.startswith(";"):
                continue
            text = include(syntax, name, selection) if target else ""
            indent = line[: len(line) - len(line.lstrip())]
            template = RUN if groups.get("code") else syntax.template
            text = template.format(text=text, words=words)
            lines += [indent + inner if inner else inner for inner in text.split("\n")]
        return "\n".join(lines)

    def _include(
        self, page: _Page, stack: tuple[str, ...], syntax: Syntax, name: str, selection: str = ""
    ) -> str:
        try:
            file = f"{name.removesuffix('.md')}.md" if syntax.is_page else name
            path = self._find(file, stack[-1], is_anywhere=syntax.is_anywhere)
            if path in stack:
                raise NotIncluded("a file that includes itself")
            if len(stack) > MOST_DEPTH or not page.files or page.length <= 0 or self._length <= 0:
                raise NotIncluded(TOO_MUCH)
            page.files -= 1
            text = self._selected(path, syntax, selection)
            page.length -= len(text)
            self._length -= len(text)
            if page.length < 0:
                raise NotIncluded(TOO_MUCH)
            text = self._expand(text, page, (*stack, path))
        except NotIncluded as error:
            self._report.skip(f"not included: {error}", f"{page.path}: {name}")
            # The name of a private file may be private too.
            is_named = str(error) != PRIVATE
            return f"[not included: {name}]" if is_named else "[not included]"
        self._report.repair("includes replaced by the file")
        if not (selection or syntax.is_page) and (part := PARTS.search(path)):
            # A page elsewhere takes nothing away from a folder of somebody else.
            folder = path[: part.start()]
            if not folder or page.path.startswith(f"{folder}/"):
                self.parts.add(path)
        return text

    def _selected(self, path: str, syntax: Syntax, selection: str) -> str:
        text, is_published, _ = self._text(path)
        if syntax.is_page and not is_published:
            raise NotIncluded(PRIVATE)
        if not selection:
            return text
        self._searched_length -= len(text)
        if self._searched_length < 0:
            raise NotIncluded(TOO_MUCH)
        lines = _selected(syntax, selection, self._shown(path, syntax).split("\n"))
        if lines is None:
            raise NotIncluded("no such section or lines")
        return "\n".join(lines)

    def _without_comments(self, path: str, syntax: Syntax) -> str:
        """Return a text whose comments have empty lines, but for those that mark sections."""

        def left(line: str) -> str:
            return line if syntax.section is not HEADING and marks(syntax, line) else ""

        text, _, hides_code = self._text(path)
        return without_comments(
            text, _markup(self._entries[path]), Counter(),
            is_vault=self._is_vault, hides_code=hides_code, left=left,
        )  # fmt: skip

    def _find(self, name: str, page: str, *, is_anywhere: bool) -> str:
        if "://" in name:
            raise NotIncluded("an address")
        for path in self._candidates(name, page, is_anywhere=is_anywhere):
            if path in self._entries:
                return path
        paths = self._ending(name.lstrip("./")) if is_anywhere else []
        if len(paths) == 1:
            self._report.repair("includes found by the end of their path")
            return paths[0]
        raise NotIncluded("no such file in the folder")

    def _candidates(self, name: str, page: str, *, is_anywhere: bool) -> Iterator[str]:
        """Yield paths that a name may mean; one that begins with `/` is in a folder above."""
        name = ANTORA.sub(r"/\1/\2\3s/", name)
        parts = dirname(page).split("/")
        folders = ["/".join(parts[:count]) for count in range(len(parts), 0, -1)]
        is_rooted = name.startswith("/")
        if not is_rooted:
            yield normpath(f"{folders[0]}/{name}").lstrip("/") if folders[0] else normpath(name)
        if is_anywhere or is_rooted:
            plain_name = normpath(name).lstrip("/")
            yield plain_name
            yield plain_name.removeprefix(f"{self._root_name}/")
            for folder in reversed(folders) if is_rooted else folders:
                yield normpath(f"{folder}/{plain_name}")

    def _ending(self, name: str) -> list[str]:
        if not self._by_name:
            for path in self._entries:
                self._by_name.setdefault(path.rpartition("/")[2], []).append(path)
        paths = self._by_name.get(name.rpartition("/")[2], [])
        is_common = len(paths) > MOST_EQUAL_NAMES
        return [] if is_common else [path for path in paths if f"/{path}".endswith(f"/{name}")]

    def _read(self, path: str) -> Text:
        """Read a file. Raises NotIncluded."""
        entry = self._entries[path]
        try:
            if entry.size > MAX_FILE_BYTES:
                raise NotIncluded(TOO_MUCH)
            if entry.suffix in DOCUMENTS and entry.suffix not in (*WEB_PAGES, *TABLES):
                raise NotIncluded(OTHER_FORMAT)
            if format_of(entry):
                front, text = read(entry)
            else:
                front, text = FrontMatter({}), read_plain(entry)
                if entry.suffix in WEB_PAGES:
                    front, _ = split(text, is_markdown=False)
                    if WHOLE_PAGE.search(text):
                        raise NotIncluded(OTHER_FORMAT)
        except (OSError, ValueError, BrokenFrontMatter):
            raise NotIncluded("an unreadable file") from None
        if self._publishing.is_private(entry, front):
            raise NotIncluded(PRIVATE)
        is_published = self._publishing.reason(entry, front) is None
        hides_code = _hides_code(self._inherited(entry, front))
        return Text(text.removesuffix("\n"), is_published, hides_code)

    def _inherited(self, entry: File, front: FrontMatter) -> FrontMatter:
        return FrontMatter(self._publishing.members(entry) | front.members)


def _hides_code(front: FrontMatter) -> bool:
    execute = front.members.get("execute")
    return isinstance(execute, dict) and execute.get("echo") is False


def _markup(entry: File) -> str:
    """Return the suffix of a text; what is inserted of a web page is part of Markdown."""
    return ".md" if entry.suffix in WEB_PAGES else entry.suffix


def _with_parts(text: str, imports: list[re.Match[str]], include: Include) -> str:
    """Drop imports, and insert imported Markdown where it is used. imports: those above."""
    imports += MDX_PART.finditer(text)
    files = {
        found["name"]: found["file"].replace("\\", "")
        for found in imports
        if found["name"] and found["file"].lower().endswith((".md", ".mdx"))
    }

    def insert(part: re.Match[str]) -> str:
        if part["name"]:
            return ""
        file = files.get(part["use"])
        if file is None or part["end"]:
            return part[0] if file is None else ""
        # A name such as `@site/docs/part.md` begins with that of a folder.
        is_anywhere = file.startswith(("@", "~"))
        name = file.partition("/")[2] if is_anywhere else file
        return include(MDX._replace(is_anywhere=is_anywhere), name)

    return MDX_PART.sub(insert, text).removeprefix("\n")


def _selected(syntax: Syntax, selection: str, lines: list[str]) -> list[str] | None:
    """Return a section, or lines such as `2:4`, `:3`, `-5:` or `1:2,8:9`, counted from 1."""
    if syntax.section is HEADING:
        return _below_heading(selection, lines)
    if not RANGES.fullmatch(selection):
        return _of_sections(syntax, selection, lines)
    taken = []
    for span in selection.split(","):
        first, colon, last = span.partition(":")
        if syntax.is_one_line and not colon:
            last = first
        try:
            start, end = int(first or 0), int(last) if last else len(lines)
        except ValueError:
            return None
        start = max(start - 1 if start > 0 else start + len(lines) if start < 0 else 0, 0)
        taken += lines[start : end if end >= 0 else end + len(lines) + 1]
    return taken or None


def _of_sections(syntax: Syntax, names: str, lines: list[str]) -> list[str] | None:
    """Return the lines of sections such as `a;b`, all sections `*`, or all lines but `!a`."""
    chosen = {name.strip(" !"): "!" not in name for name in names.replace(",", ";").split(";")}
    is_base_shown = chosen.pop("**", not any(chosen.values()))
    others = chosen.pop("*", None)
    taken: list[str] = []
    open_sections: list[tuple[str, bool]] = []
    is_shown, is_known = is_base_shown, is_base_shown
    for line in lines:
        mark = marks(syntax, line)
        name = mark["name"] if mark else ""
        if mark is None:
            taken += [line] if is_shown else []
        elif mark["end"]:
            if open_sections and open_sections[-1][0] == name:
                _, is_shown = open_sections.pop()
        elif (is_chosen := chosen.get(name, others)) is not None:
            open_sections.append((name, is_shown))
            is_shown, is_known = is_chosen, is_known or is_chosen
    return taken if is_known else None


def _below_heading(name: str, lines: list[str]) -> list[str] | None:
    """Return a heading such as `One#Two` or `two`, and its lines; or a block such as `^one`."""
    if name.startswith("^"):
        return _block(f" {name}", lines)
    words, level, is_code = NO_WORDS.split(name.rpartition("#")[2].lower()), 0, False
    taken: list[str] = []
    for line in lines:
        is_code ^= line.lstrip().startswith(("```", "~~~"))
        if not is_code and (heading := HEADING.match(line)):
            if level and len(heading[1]) <= level:
                break
            others = NO_WORDS.split(heading[2].lower())
            is_same = [*filter(None, others)] == [*filter(None, words)]
            level = level or is_same * len(heading[1])
        taken += [line] if level else []
    return taken or None


def _block(id_: str, lines: list[str]) -> list[str] | None:
    """Return the paragraph or item that ends with an id of Obsidian, without the id."""
    ends = (number for number, line in enumerate(lines) if f" {line.strip()}".endswith(id_))
    if (end := next(ends, None)) is None:
        return None
    if is_below := f" {lines[end].strip()}" == id_:  # the block
        end = next((n for n in range(end - 1, 0, -1) if lines[n].strip()), 0)
    start = end
    while start and lines[start - 1].strip() and not HEADING.match(lines[start - 1]):
        if not is_below and lines[start].lstrip().startswith(ITEMS):
            break
        start -= 1
    return [*lines[start:end], lines[end].rstrip().removesuffix(id_)]


def _exported(lines: list[str]) -> int | None:
    if not MDX_EXPORT.match(lines[0]):
        return None
    depth = 0
    for number, line in enumerate(lines, 1):
        depth += sum(BRACKETS.get(character, 0) for character in line)
        if depth <= 0 and not line.rstrip().endswith(("=", ",", "=>", "(", "{", "[")):
            return number
    return None
