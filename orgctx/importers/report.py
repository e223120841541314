"""Count read, skipped, repaired and refused input and keep examples, in bounded memory."""

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import asdict, dataclass, field
from typing import Any

MOST_EXAMPLES = 3  # that a report for people shows
KEPT_EXAMPLES = 1_000
KEPT_REFUSALS = 100_000
MOST_REFUSALS = 20
MOST_REASONS = 50  # of a kind, and kinds
OTHER = "other reasons"
LONGEST_TEXT = 600
# The position in a reason, and what is quoted from it, which differ from file to file.
POSITION = re.compile(r"\b(line|byte|character|row|page) \d+(?:,\d{3})*(?:: '.*')?")


class ImportRejected(Exception):
    """An input that cannot be imported at all; the message states the place and the reason."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(_short(f"{place}: {reason}"))


@dataclass(slots=True)
class Skipped:
    """Input that was skipped for one reason: its count and its examples."""

    count: int = 0
    examples: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Report:
    """The report of one import. read: number of messages, posts or files.

    hides_files: a folder could not be read, so missing files may be in it.
    """

    read: int = 0
    skipped: dict[str, Skipped] = field(default_factory=dict)
    repaired: dict[str, int] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)  # the first ones, and one of each reason
    all_refused: list[str] = field(default_factory=list)  # up to KEPT_REFUSALS
    refused_count: int = 0
    refused_reasons: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    template_count: int = 0  # texts that have what looks like an include or a template
    hides_files: bool = False
    _skipped_kinds: Counter[str] = field(default_factory=Counter)
    _refused_kinds: Counter[str] = field(default_factory=Counter)

    def skip(self, reason: str, place: str, count: int = 1) -> None:
        """Count input that is left out on purpose; the operator need not act."""
        reason = _grouped(_short(reason), self.skipped, self._skipped_kinds)
        entry = self.skipped.setdefault(reason, Skipped())
        entry.count += count
        if len(entry.examples) < KEPT_EXAMPLES:
            entry.examples.append(_short(place))

    def refuse(self, place: str, reason: str) -> None:
        """Count invalid input, which the operator should check."""
        self.refused_count += 1
        group = _short(POSITION.sub(r"\1 N", reason))
        group = _grouped(group, self.refused_reasons, self._refused_kinds)
        is_new = group not in self.refused_reasons
        self.refused_reasons[group] = self.refused_reasons.get(group, 0) + 1
        half = LONGEST_TEXT // 4  # so that the reason still fits
        place = place if len(place) <= 2 * half else f"{place[:half]}…{place[-half:]}"
        if is_new or len(self.refused) < MOST_REFUSALS:
            self.refused.append(_short(f"{place}: {reason}"))
        if len(self.all_refused) < KEPT_REFUSALS:
            self.all_refused.append(_short(f"{place}: {reason}"))

    def refuse_folder(self, place: str, reason: str) -> None:
        """Count a folder that cannot be read, so that its contents are unknown."""
        self.hides_files = True
        self.refuse(place, reason)

    def repair(self, defect: str) -> None:
        defect = _short(defect)
        self.repaired[defect] = self.repaired.get(defect, 0) + 1

    def note(self, text: str) -> None:
        self.notes.append(_short(text))

    def as_json(self) -> dict[str, Any]:
        """Return the report as `--json` prints it."""
        return {
            "read": self.read,
            "skipped": {reason: asdict(entry) for reason, entry in self.skipped.items()},
            "repaired": self.repaired,
            "refused": {
                "count": self.refused_count,
                "first": self.refused,
                "all": self.all_refused,
                "reasons": self.refused_reasons,
            },
            "notes": self.notes,
        }


def _grouped(reason: str, known: Collection[str], kinds: Counter[str]) -> str:
    """Return the reason; if there are too many, one for all others of its kind, and count kinds.

    A hundred unsupported types must not hide that pictures were left out.
    """
    kind = reason.partition(": ")[0]
    if reason not in known:
        if kinds[kind] >= MOST_REASONS:
            reason = f"{kind}: {OTHER}"
        elif kind not in kinds and len(kinds) >= MOST_REASONS:
            kind = reason = OTHER
        if reason not in known:
            kinds[kind] += 1
    return reason


def _short(text: str) -> str:
    """Return one printable line of limited length, because names in exports are untrusted."""
    line = text
    if not text.isprintable():
        line = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    return line if len(line) <= LONGEST_TEXT else line[: LONGEST_TEXT - 1] + "…"
