"""Detect documents that are stored under a former name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set as AbstractSet
from hashlib import sha256

from orgctx.importers.existing import Existing

# Two texts are versions of one document if at least this share of their lines is equal, as in git.
MIN_SIMILARITY = 0.5


class Renames:
    """The stored documents whose names no longer exist.

    A suppressed document is detected even if it was edited when it was renamed.
    """

    def __init__(self, existing: Existing, contents: AbstractSet[str]) -> None:
        missing = {id_: item for id_, item in existing.items.items() if id_ not in contents}
        self._by_digest = {item.digest: id_ for id_, item in sorted(missing.items())}
        self._suppressed = {
            id_: _lines(item.suppressed)
            for id_, item in missing.items()
            if item.suppressed and item.suppressed.strip()
        }
        # If several stored texts are equal, prefer a suppressed one.
        self._by_digest |= {missing[id_].digest: id_ for id_ in self._suppressed}

    def former_id(self, content: str) -> str | None:
        """Return the former id of a text, or None if the text is new."""
        if not content.strip():
            return None
        if former_id := self._by_digest.get(sha256(content.encode()).digest()):
            return former_id
        lines = _lines(content) if self._suppressed else Counter[str]()
        return next(
            (id_ for id_, stored in self._suppressed.items() if _are_similar(lines, stored)), None
        )


def _lines(text: str) -> Counter[str]:
    return Counter(line.strip() for line in text.splitlines() if line.strip())


def _are_similar(left: Counter[str], right: Counter[str]) -> bool:
    return (left & right).total() >= MIN_SIMILARITY * max(left.total(), right.total(), 1)
