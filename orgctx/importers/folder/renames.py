"""Detect documents of a folder that are stored under a former name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set as AbstractSet
from hashlib import sha256

from orgctx.importers.existing import Existing

# The share of equal lines, as in git: with less, two texts are different documents.
LEAST_ALIKE = 0.5


class Renames:
    """The stored documents whose names are gone.

    A suppressed document is recognised even if it was edited while it was renamed.
    """

    def __init__(self, existing: Existing, found: AbstractSet[str]) -> None:
        gone = {id_: item for id_, item in existing.items.items() if id_ not in found}
        self._by_digest = {item.digest: id_ for id_, item in sorted(gone.items())}
        self._suppressed = {
            id_: _lines(item.suppressed)
            for id_, item in gone.items()
            if item.suppressed and item.suppressed.strip()
        }
        # Among equal texts, the suppressed one is taken.
        self._by_digest |= {gone[id_].digest: id_ for id_ in self._suppressed}

    def before(self, content: str) -> str | None:
        """The former id of a text; None if it is new."""
        if not content.strip():
            return None
        if known := self._by_digest.get(sha256(content.encode()).digest()):
            return known
        lines = _lines(content) if self._suppressed else Counter[str]()
        return next((id_ for id_, its in self._suppressed.items() if _are_alike(lines, its)), None)


def _lines(text: str) -> Counter[str]:
    return Counter(line.strip() for line in text.splitlines() if line.strip())


def _are_alike(one: Counter[str], other: Counter[str]) -> bool:
    return (one & other).total() >= LEAST_ALIKE * max(one.total(), other.total(), 1)
