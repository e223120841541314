"""Count read, skipped, repaired and refused input and keep examples, in bounded memory."""

import re
from dataclasses import asdict, dataclass, field
from typing import Any

MOST_EXAMPLES = 3  # that a report for people shows
KEPT_EXAMPLES = 1_000
MOST_REASONS = 50  # of a kind, which precedes the colon
OTHER = "other reasons"
LONGEST_TEXT = 600
# The position in a reason, and what is quoted from it, which differ from file to file.
POSITION = re.compile(r"\b(line|byte|character|row|page) \d+(?:,\d{3})*(?:: '.*')?")


class ImportRejected(Exception):
    """An input that cannot be imported at all; the message states the place and the reason."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(_short(f"{place}: {reason}"))


@dataclass(slots=True)
class Group:
    """Input that was left out for one reason: its count and its examples."""

    count: int = 0
    examples: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Report:
    """The report of one import. read: number of messages, posts or files.

    hides_files: a folder could not be read, so missing files may be in it.
    """

    read: int = 0
    skipped: dict[str, Group] = field(default_factory=dict)
    repaired: dict[str, int] = field(default_factory=dict)
    refused_groups: dict[str, Group] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    hides_files: bool = False

    @property
    def refused_count(self) -> int:
        return sum(group.count for group in self.refused_groups.values())

    @property
    def refused(self) -> list[str]:
        """The places of refused input with their reasons, by reason."""
        return [text for group in self.refused_groups.values() for text in group.examples]

    def skip(self, reason: str, place: str, count: int = 1) -> None:
        """Count input that is left out on purpose; the operator need not act."""
        _add(self.skipped, reason, place, count)

    def refuse(self, place: str, reason: str) -> None:
        """Count invalid input, which the operator should check."""
        half = LONGEST_TEXT // 4  # so that the reason still fits
        place = place if len(place) <= 2 * half else f"{place[:half]}…{place[-half:]}"
        _add(self.refused_groups, POSITION.sub(r"\1 N", reason), f"{place}: {reason}", 1)

    def repair(self, defect: str, count: int) -> None:
        defect = _short(defect)
        self.repaired[defect] = self.repaired.get(defect, 0) + count

    def note(self, text: str) -> None:
        self.notes.append(_short(text))

    def as_json(self) -> dict[str, Any]:
        """Return the report as `--json` prints it."""
        skipped, reasons = (
            {reason: asdict(group) for reason, group in groups.items()}
            for groups in (self.skipped, self.refused_groups)
        )
        refused = {"count": self.refused_count, "reasons": reasons}
        more = {"repaired": self.repaired, "refused": refused, "notes": self.notes}
        return {"read": self.read, "skipped": skipped, **more}


def _add(groups: dict[str, Group], reason: str, example: str, count: int) -> None:
    """Count input by its reason; if there are too many reasons of its kind, together with others.

    A hundred unsupported types must not hide that pictures were left out.
    """
    reason = _short(reason)
    kind = reason.partition(": ")[0] + ": "
    if reason not in groups and sum(each.startswith(kind) for each in groups) >= MOST_REASONS:
        reason = kind + OTHER
    group = groups.setdefault(reason, Group())
    group.count += count
    if len(group.examples) < KEPT_EXAMPLES:
        group.examples.append(_short(example))


def _short(text: str) -> str:
    """Return one printable line of limited length, because names in exports are untrusted."""
    line = text
    if not text.isprintable():
        line = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    return line if len(line) <= LONGEST_TEXT else line[: LONGEST_TEXT - 1] + "…"
