"""Match paths with patterns as in .gitignore, in linear time: each one is an expression of RE2.

Applies the .gitignore files of a folder, and of the repository above it, as git does. Unlike git,
it also ignores files that match but are committed, because it does not read the index.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from os.path import lexists
from pathlib import Path
from typing import Any

from orgctx.importers.report import ImportRejected, Report

REPOSITORY = ".git"
# The number of folders above that are searched for rules outside a repository.
MOST_LEVELS = 3
GITIGNORE = ".gitignore"
EXCLUDE = Path(REPOSITORY, "info", "exclude")
LONGEST_FILE = 64 * 1024
MOST_PATTERNS = 1_000
LONGEST_PATTERN = 1_000
# Separates the names of a path instead of the slash, which a set of characters may contain.
END = "\0"
BELOW = f"(?:.*{END})?"
TOKEN = re.compile(
    r"(?P<stars>\*+)|\[(?P<negation>[!^]?+)(?P<set>\]?+(?:\[:[a-z]{1,10}+:\]|\\.|[^\]\\])*+)\]"
    r"|(?P<unclosed>\[.*+)|\\(?P<escaped>.)|(?P<plain>.)",
    re.DOTALL,
)
# A class of characters in a set, and one that is literal in it.
IN_SET = re.compile(r"(?P<named>\[:[a-z]{1,10}:\])|\\(?P<escaped>.)|(?P<literal>[\[\]])", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line of a file of patterns.

    expression: matches a path; group 1 is what follows the name that matches, if it is a folder.
    """

    expression: Any
    excludes: bool
    only_contents: bool  # ends with `/**`

    def priority(self, path: str) -> int:
        """Return 2 if the path matches, 1 if it is a folder or in one that does, 0 otherwise."""
        match = self.expression.fullmatch(path)
        return 0 if match is None else 1 if match[1] else 2

    def matches(self, path: str) -> bool:
        """Return whether the path itself matches."""
        match = self.expression.fullmatch(path.rstrip(END) if self.only_contents else path)
        return match is not None and match[1] in (None, "", END)


def parse(lines: Iterable[str], place: str, item: str = "pattern") -> list[Pattern]:
    """Parse patterns. Raises ImportRejected for an invalid or long pattern, and for too many.

    Args:
        place: where the patterns are from, for messages.
        item: what a pattern is called in messages, before its number.
    """
    patterns = []
    for number, line in enumerate(lines, 1):
        where = f"{place}: {item} {number}"
        if len(line) > LONGEST_PATTERN:
            raise ImportRejected(where, f"exceeds {LONGEST_PATTERN:,} characters")
        try:
            pattern = _parse(line if line.endswith("\\ ") else line.rstrip())
        except ValueError:
            raise ImportRejected(where, "is not a pattern as in .gitignore") from None
        if pattern:
            patterns.append(pattern)
        if len(patterns) > MOST_PATTERNS:
            reason = f"exceeds {MOST_PATTERNS:,} patterns; exclude folders instead of files"
            raise ImportRejected(where, reason)
    return patterns


class Patterns:
    """Patterns that apply together, in order. The path of a folder ends with `/`."""

    def __init__(self, patterns: Sequence[Pattern] = ()) -> None:
        self._patterns = patterns
        # Nearly all paths match none, which one expression tells; None if it were too large.
        self._any = None
        with suppress(ValueError):
            expressions = (f"(?:{each.expression.pattern})" for each in patterns)
            self._any = compiled("|".join(expressions), never_capture=True) if patterns else None

    def excludes(self, path: str) -> bool:
        """Return whether the patterns exclude a path.

        A later pattern overrides earlier ones, but one that matches a path overrides all that match
        only folders above it.
        """
        path = path.replace("/", END)
        result, highest = False, 0
        for pattern in self._candidates(path):
            priority = pattern.priority(path)
            if priority and priority >= highest:
                result, highest = pattern.excludes, priority
        return result

    def decision(self, path: str) -> bool | None:
        """Return whether the last pattern that matches a path itself excludes it, or None.

        Folders above do not count: git does not look into a folder that is excluded.
        """
        path = path.replace("/", END)
        last_first = reversed(self._candidates(path))
        return next((each.excludes for each in last_first if each.matches(path)), None)

    def _candidates(self, path: str) -> Sequence[Pattern]:
        return self._patterns if self._any is None or self._any.fullmatch(path) else ()


def compiled(expression: str, *, never_capture: bool = False) -> Any:
    """Compile an expression in the syntax of RE2. Raises ValueError."""
    import re2  # an extra installs it

    options = re2.Options()
    options.log_errors, options.dot_nl, options.never_capture = False, True, never_capture
    try:
        return re2.compile(expression, options)
    except re2.error:
        raise ValueError("is not in the syntax of RE2") from None


def _parse(line: str) -> Pattern | None:
    """Return None for a comment, and for an unclosed set, as git does. Raises ValueError."""
    if not line or line[0] == "#" or line == "/":
        return None
    text = line.removeprefix("!")
    if not text:
        raise ValueError("nothing follows the exclamation mark")
    *parts, last = text.removeprefix("/").split("/")
    parts += [last] if last else []
    pairs = zip(parts, [None, *parts], strict=False)
    parts = [part for part, before in pairs if (part, before) != ("**", "**")]
    is_anchored = text.startswith("/") or len(parts) > 1
    if text == "*" or (parts in (["**"], ["**", "*"]) and last):
        return Pattern(compiled(".*()"), text is line, only_contents=False)
    only_contents = False
    if parts[1:] and parts[-1] == "**":
        only_contents = bool(last)
        parts.pop()
    expression = "" if is_anchored else BELOW
    for number, part in enumerate(parts if parts != ["**"] else ["*"], 1):
        name = BELOW if part == "**" else _name(part)
        if name is None:
            return None
        expression += name + (END if number < len(parts) and part != "**" else "")
    rest = f"({END}.*)" if not last else f"{END}.*()" if only_contents else f"({END}.*)?"
    return Pattern(compiled(expression + rest), text is line, only_contents)


def _name(text: str) -> str | None:
    """Translate one name. Returns None if a set is not closed. Raises ValueError."""
    expression = ""
    for token in TOKEN.finditer(text):
        if token["unclosed"]:
            return None
        if token["stars"]:
            expression += f"[^{END}]{'+' if token[0] == text else '*'}"
        elif token["set"] is not None:
            negation = f"^{END}" if token["negation"] else ""
            expression += f"[{negation}{IN_SET.sub(_in_set, token['set'])}]"
        elif token["plain"] == "\\":
            raise ValueError("nothing follows the backslash")
        else:
            is_any = token["plain"] == "?"
            expression += f"[^{END}]" if is_any else re.escape(token["escaped"] or token["plain"])
    return expression


def _in_set(part: re.Match[str]) -> str:
    if part["named"]:
        return part["named"].replace("[:cntrl:]", r"\x01-\x1f\x7f")  # without END
    return re.escape(part["escaped"] or part["literal"])


# The patterns of a file above the imported folder, and the path from that file's folder to the
# imported one: empty, or ending with `/`.
Above = tuple[Patterns, str]


def is_repository(folder: Path) -> bool:
    """Return whether a folder is the root of a repository, of a linked tree or of a submodule."""
    return lexists(folder / REPOSITORY)


def ancestors(root: Path) -> list[Path]:
    """Return the folders above whose rules apply, from the outermost one: those of the repository.

    Outside a repository, these are the next MOST_LEVELS folders.
    """
    folders = [root.resolve(), *root.resolve().parents]
    top = next((number for number, folder in enumerate(folders) if is_repository(folder)), None)
    return folders[MOST_LEVELS if top is None else top : 0 : -1]


class GitIgnore:
    """The patterns that apply to the entries of one folder."""

    def __init__(self, root: Path, report: Report) -> None:
        """Read the files above the folder. Raises ImportRejected."""
        self._above = list(_above(root, report))
        self._by_folder: dict[str, Patterns] = {}

    def enter(self, location: Path, path: str) -> None:
        """Read the file of a folder before its entries are checked. Raises ImportRejected."""
        if patterns := _patterns(location / GITIGNORE, f"{path}/{GITIGNORE}".lstrip("/")):
            self._by_folder[path] = Patterns(patterns)

    def ignores(self, path: str) -> bool:
        """Return whether to ignore an entry; the path of a folder ends with `/`.

        The nearest file that has a matching pattern decides.
        """
        folder = path.rstrip("/")
        while folder:
            folder = folder.rpartition("/")[0]
            if patterns := self._by_folder.get(folder):
                inner = path.removeprefix(f"{folder}/") if folder else path
                if (result := patterns.decision(inner)) is not None:
                    return result
        results = (patterns.decision(base + path) for patterns, base in self._above)
        return next((result for result in results if result is not None), False)


def _above(root: Path, report: Report) -> Iterator[Above]:
    """Yield the patterns of the repository above, the nearest first.

    Leaves out a file that ignores the imported folder itself, because the user asked for it.
    """
    folders = [root.resolve(), *reversed(ancestors(root))]
    top = folders[-1]
    if not is_repository(top):
        return
    files = [(folder / GITIGNORE, folder) for folder in folders[1:]] + [(top / EXCLUDE, top)]
    for location, folder in files:
        base = root.resolve().relative_to(folder).as_posix()
        prefix = "" if base == "." else f"{base}/"
        patterns = Patterns(_patterns(location, str(location)))
        if prefix and patterns.excludes(prefix):
            report.note(f"{location} ignores the whole folder, and was not applied")
        else:
            yield patterns, prefix


def _patterns(location: Path, name: str) -> list[Pattern]:
    if location.is_symlink() or not location.is_file():
        return []
    try:
        with location.open("rb") as file:
            content = file.read(LONGEST_FILE + 1)
        if len(content) > LONGEST_FILE:
            raise ImportRejected(name, f"exceeds {LONGEST_FILE >> 10} KiB")
        # As in git, no other characters end a line.
        lines = content.removeprefix(BOM_UTF8).decode(errors="replace").split("\n")
        return parse((line.removesuffix("\r") for line in lines), name, "line")
    except OSError as error:
        raise ImportRejected(name, f"cannot be read: {error.strerror}") from None
    except ImportRejected as error:
        raise ImportRejected(str(error), "pass --no-gitignore to import all files") from None
