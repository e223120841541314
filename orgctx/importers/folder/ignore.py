"""Match paths with patterns as in .gitignore, in time that no pattern can make exponential.

A pattern as one regular expression takes exponential time for some names. Here each `*` and `**`
ends at the first place where what follows it matches. The next one can match what is skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from orgctx.importers.report import ImportRejected

MOST_PATTERNS = 1_000
LONGEST_PATTERN = 1_000
# A character or a set of characters in a pattern.
TOKEN = re.compile(
    r"\[(?P<negation>[!^]?+)(?P<set>\]?+(?:\[:[a-z]{1,10}+:\]|\\.|[^\]\\])*+)\]"
    r"|(?P<unclosed>\[.*+)|\\(?P<escaped>.)|(?P<plain>.)",
    re.DOTALL,
)
# A class of characters in a set, an escaped character, or one with a meaning in Python's sets only.
IN_SET = re.compile(
    r"\[:(?P<named>[a-z]{1,10}):\]|\\(?P<escaped>.)|(?P<special>[\[&~|])", re.DOTALL
)
CLASSES = {
    "alnum": "a-zA-Z0-9", "alpha": "a-zA-Z", "blank": r" \t", "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9", "graph": "!-\\~", "lower": "a-z", "print": " -\\~",
    "punct": r"!-/:-@\[-`{-\~", "space": r"\s", "upper": "A-Z", "xdigit": "0-9A-Fa-f",
}  # fmt: skip

Names = tuple[re.Pattern[str], ...]


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line of a file of patterns."""

    # The names between two `**`; empty at the start if the pattern matches in every folder.
    groups: tuple[Names, ...]
    excludes: bool
    only_contents: bool  # ends with `/**`
    only_folders: bool  # ends with `/`
    is_everything: bool
    # What the last name of a path that matches itself must match; None if any may.
    last_name: re.Pattern[str] | None

    def priority(self, names: Sequence[str], *, is_folder: bool) -> int:
        """Return 2 if the path matches, 1 if a folder that contains it does, 0 otherwise."""
        if self.is_everything:
            return 2
        final = len(names) - len(self.groups[-1])
        starts = self._starts(names)
        if not is_folder and final in starts:
            if not (self.only_contents or self.only_folders):
                return 2
            starts.remove(final)
        return (2 if self.only_contents else 1) if starts else 0

    def matches(self, names: Sequence[str], *, is_folder: bool) -> bool:
        """Return whether the path itself matches."""
        if self.is_everything:
            return True
        final = len(names) - len(self.groups[-1])
        starts = self._starts(names)
        if self.only_contents:
            return bool(starts - {final})
        return final in starts and (is_folder or not self.only_folders)

    def _starts(self, names: Sequence[str]) -> set[int]:
        """Return where the last group matches, after the others matched at their first place."""
        *groups, last = self.groups
        start = 0
        for number, group in enumerate(groups):
            starts = range(start, len(names) if number else 1)
            first = next((index for index in starts if _begins(group, names, index)), None)
            if first is None:
                return set()
            start = first + len(group)
        final = len(names) - len(last)
        starts = range(start, final + 1 if groups else min(final + 1, 1))
        return {index for index in starts if _begins(last, names, index)}


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
        except (ValueError, re.error):
            raise ImportRejected(where, "is not a pattern as in .gitignore") from None
        if pattern:
            patterns.append(pattern)
        if len(patterns) > MOST_PATTERNS:
            reason = f"exceeds {MOST_PATTERNS:,} patterns; exclude folders instead of files"
            raise ImportRejected(where, reason)
    return patterns


def is_excluded(patterns: Iterable[Pattern], path: str) -> bool:
    """Return whether the patterns exclude a path; the path of a folder ends with `/`.

    A later pattern overrides earlier ones, but one that matches a path overrides all that match
    only folders above it.
    """
    names, is_folder = path.rstrip("/").split("/"), path.endswith("/")
    result, highest = False, 0
    for pattern in patterns:
        priority = pattern.priority(names, is_folder=is_folder)
        if priority and priority >= highest:
            result, highest = pattern.excludes, priority
    return result


def decision(patterns: Sequence[Pattern], path: str) -> bool | None:
    """Return whether the last pattern that matches a path itself excludes it, or None.

    Folders above do not count: git does not look into a folder that is excluded.
    """
    names, is_folder = path.rstrip("/").split("/"), path.endswith("/")
    for pattern in reversed(patterns):
        # Nearly all patterns end here.
        if pattern.last_name is not None and not pattern.last_name.fullmatch(names[-1]):
            continue
        if pattern.matches(names, is_folder=is_folder):
            return pattern.excludes
    return None


def _begins(group: Names, names: Sequence[str], start: int) -> bool:
    """Return whether the names from a start match a group."""
    if start + len(group) > len(names):
        return False
    return all(name.fullmatch(names[start + index]) for index, name in enumerate(group))


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
    only_folders, only_contents = not last, False
    is_everything = text == "*" or (parts in (["**"], ["**", "*"]) and not only_folders)
    if parts[1:] and parts[-1] == "**":
        only_contents = not only_folders
        parts.pop()
    groups: list[list[re.Pattern[str]]] = [[]] if is_anchored else [[], []]
    for part in parts if parts != ["**"] else ["*"]:
        if part == "**":
            groups.append([])
            continue
        name = _name(part)
        if name is None:
            return None
        groups[-1].append(name)
    names = tuple(map(tuple, groups))
    is_any = is_everything or only_contents or not names[-1]
    last_name = None if is_any else names[-1][-1]
    return Pattern(names, text is line, only_contents, only_folders, is_everything, last_name)


def _in_set(part: re.Match[str]) -> str:
    """Translate a part of a set. Raises ValueError for an unknown class."""
    if name := part["named"]:
        if name not in CLASSES:
            raise ValueError("the class of characters is unknown")
        return CLASSES[name]
    return re.escape(part["escaped"] or part["special"])


def _name(text: str) -> re.Pattern[str] | None:
    """Translate one name. Returns None if a set is not closed; raises ValueError or re.error."""
    chunks = [""]
    for token in TOKEN.finditer(text):
        if token["unclosed"]:
            return None
        if token["set"] is not None:
            negation = "^" if token["negation"] else ""
            characters = IN_SET.sub(_in_set, token["set"])
            chunks[-1] += f"[{negation}{characters}]"
        elif token["plain"] == "*":
            chunks.append("")
        elif token["plain"] == "\\":
            raise ValueError("nothing follows the backslash")
        else:
            character = re.escape(token["escaped"] or token["plain"])
            chunks[-1] += "." if token["plain"] == "?" else character
    first, *middle = chunks
    last = f".*{middle.pop()}" if middle else ""
    # Atomic groups take the first place.
    return re.compile(first + "".join(f"(?>.*?{c})" for c in middle) + last, re.DOTALL)
