"""The rules of one site: what its configuration excludes, and its defaults."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from posixpath import normpath
from typing import Any

import re2

from orgctx.importers.folder import ignore
from orgctx.importers.report import ImportRejected

MOST_REGEXES = 100
LONGEST_REGEX = 1_000

TEMPLATE = "a template"

Matches = Callable[[str], bool]


@dataclass(slots=True)
class Site:
    """The rules of the site in one folder. Paths are relative to that folder."""

    # Whether a configuration file was read, even one without rules.
    is_configured: bool = False
    is_hugo: bool = False
    # Published folders whose names begin with `_`.
    shown: set[str] = field(default_factory=set)
    # Configuration that is a program, so that its rules are unknown.
    programs: list[str] = field(default_factory=list)
    _exclusions: list[tuple[str, Matches]] = field(default_factory=list)
    _defaults: list[tuple[Matches, dict[str, Any]]] = field(default_factory=list)

    def reason(self, path: str) -> str | None:
        """Return why the site does not publish a file, or None."""
        return next((reason for reason, matches in self._exclusions if matches(path)), None)

    def defaults(self, path: str) -> Iterator[tuple[str, Any]]:
        """Yield the members that a file has unless its front matter says otherwise."""
        for matches, members in self._defaults:
            if matches(path):
                yield from members.items()

    def exclude(self, reason: str, matches: Matches) -> None:
        """Exclude the files that match."""
        self._exclusions.append((reason, matches))

    def exclude_patterns(self, name: str, base: str, patterns: Any) -> None:
        """Exclude patterns as in .gitignore.

        Args:
            name: the file that states them.
            base: the folder to which they are relative.
            patterns: a list of texts, or a text of lines; other values are ignored.
        """
        if lines := texts(patterns):
            self.exclude(f"excluded by {name}", below(base, patterns_match(name, lines)))

    def set_defaults(self, matches: Matches, members: dict[str, Any]) -> None:
        """Set members of the files that match."""
        self._defaults.append((matches, members))


def texts(value: Any) -> list[str]:
    """Return the texts of a list, or the lines of a text."""
    lines = value.splitlines() if isinstance(value, str) else value
    return [line for line in lines if isinstance(line, str)] if isinstance(lines, list) else []


def folder_path(value: Any, default: str) -> str:
    """Return the path of a folder in the site without `./`; empty for the site itself."""
    path = normpath(value if isinstance(value, str) and value else default).strip("/")
    return "" if path == "." else path


def below(folder: str, matches: Matches) -> Matches:
    """Match files below a folder by their path relative to it."""
    base = f"{folder}/" if folder else ""
    return lambda path: path.startswith(base) and matches(path.removeprefix(base))


def within(name: str) -> Matches:
    """Match a file, or the files of a folder."""
    path = name.strip("/")
    return lambda other: other == path or other.startswith(f"{path}/" if path else "")


def patterns_match(name: str, lines: Iterable[str]) -> Matches:
    """Match patterns as in .gitignore. Raises ImportRejected."""
    patterns = ignore.parse(lines, name)
    return lambda path: ignore.is_excluded(patterns, path)


def regex(name: str, pattern: str) -> Any:
    """Compile a regular expression in the syntax of RE2, which takes linear time.

    Raises ImportRejected.
    """
    options = re2.Options()
    options.log_errors = False
    try:
        if len(pattern) <= LONGEST_REGEX:
            return re2.compile(pattern, options)
        reason = f"exceeds {LONGEST_REGEX:,} characters"
    except re2.error:
        reason = "is not in the syntax of RE2"
    raise ImportRejected(
        name,
        f"excludes files with the expression {pattern[:60]!r}, which {reason}. Import a copy of "
        "the folder without that expression, and exclude the files with --exclude",
    )


def regexes(name: str, patterns: list[str]) -> list[Any]:
    """Compile regular expressions. Raises ImportRejected."""
    if len(patterns) > MOST_REGEXES:
        raise ImportRejected(name, f"has more than {MOST_REGEXES} regular expressions")
    return [regex(name, pattern) for pattern in patterns]
