"""What an import read, skipped, repaired and refused, in bounded memory. Prints nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

MOST_EXAMPLES = 3
MOST_REFUSALS = 20
MOST_REASONS = 50
LONGEST_TEXT = 600


class ImportRefused(Exception):
    """A file that cannot be imported at all; the message names it, the place and the reason."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(_short(f"{place}: {reason}"))


@dataclass(slots=True)
class Skipped:
    """What was left out on purpose for one reason."""

    count: int = 0
    examples: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Report:
    """Counts of one run. read: messages, posts or files that were looked at.

    hides_files: something could not be looked into, so that what is not found may be there.
    """

    read: int = 0
    skipped: dict[str, Skipped] = field(default_factory=dict)
    repaired: dict[str, int] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)
    refused_count: int = 0
    notes: list[str] = field(default_factory=list)
    renamed: list[str] = field(default_factory=list)
    renamed_count: int = 0
    hides_files: bool = False

    def skip(self, reason: str, place: str, count: int = 1) -> None:
        """Leave something out that is not wanted; nobody has to act."""
        if reason not in self.skipped and len(self.skipped) >= MOST_REASONS:
            reason = "other reasons"
        entry = self.skipped.setdefault(reason, Skipped())
        entry.count += count
        if len(entry.examples) < MOST_EXAMPLES:
            entry.examples.append(_short(place))

    def refuse(self, place: str, reason: str) -> None:
        """Leave something out that is wrong; somebody has to look at it."""
        self.refused_count += 1
        if len(self.refused) < MOST_REFUSALS:
            self.refused.append(_short(f"{_ends(place)}: {reason}"))

    def refuse_folder(self, place: str, reason: str) -> None:
        """Leave out a folder that cannot be looked into: nobody knows what it holds."""
        self.hides_files = True
        self.refuse(place, reason)

    def rename(self, before: str, after: str) -> None:
        """A record that goes and one that comes are the same thing under another name."""
        self.renamed_count += 1
        if len(self.renamed) < MOST_EXAMPLES:
            self.renamed.append(_short(f"{before} → {after}"))

    def repair(self, what: str) -> None:
        self.repaired[what] = self.repaired.get(what, 0) + 1

    def note(self, text: str) -> None:
        """Something about the whole run that the operator should know."""
        self.notes.append(_short(text))

    def as_json(self) -> dict[str, Any]:
        """What `--json` prints of it."""
        return {
            "read": self.read,
            "skipped": {
                reason: {"count": entry.count, "examples": entry.examples}
                for reason, entry in self.skipped.items()
            },
            "repaired": self.repaired,
            "refused": {"count": self.refused_count, "first": self.refused},
            "renamed": {"count": self.renamed_count, "first": self.renamed},
            "notes": self.notes,
        }


def _ends(place: str) -> str:
    """A place that leaves room for the reason."""
    half = LONGEST_TEXT // 4
    return place if len(place) <= 2 * half else f"{place[:half]}…{place[-half:]}"


def _short(text: str) -> str:
    """One printable line of bounded length: names in exports are anyone's text."""
    line = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    return line if len(line) <= LONGEST_TEXT else line[: LONGEST_TEXT - 1] + "…"
