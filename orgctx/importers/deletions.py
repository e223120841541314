"""Remember which records an import deletes, so that older evidence does not restore them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime

# Type and id of a record.
Key = tuple[str, str]
# Returns the remembered deletions of a source: when the evidence of each was collected.
Stored = Callable[[str], Mapping[Key, datetime]]

OLDER = "deleted by an import of later data; pass --restore to load it"


class Deletions:
    """The deletions that imports of one organization remember, by source.

    About 150 bytes of memory for each deletion of the imported sources.
    """

    def __init__(self, stored: Stored = lambda _: {}, *, restores: bool = False) -> None:
        """restores: load deleted records again, whenever they were collected."""
        self._load, self._restores = stored, restores
        self._stored: dict[str, Mapping[Key, datetime]] = {}
        # What this import deletes and loads again, by source.
        self.added: dict[str, dict[Key, datetime]] = defaultdict(dict)
        self.restored: dict[str, set[Key]] = defaultdict(set)

    @property
    def read_sources(self) -> Iterator[str]:
        """The sources whose deletions were read."""
        yield from self._stored

    def stored(self, source_id: str) -> Mapping[Key, datetime]:
        """Return the remembered deletions of a source: when their evidence was collected."""
        if source_id not in self._stored:
            self._stored[source_id] = self._load(source_id)
        return self._stored[source_id]

    def is_current(self, source_id: str) -> bool:
        """Return whether the deletions of a source are still those that were read."""
        return self._load(source_id) == self._stored[source_id]

    def holds(self, source_id: str, key: Key, collected_at: datetime, *, is_state: bool) -> bool:
        """Return whether a record stays deleted. Otherwise its deletion is forgotten.

        Args:
            collected_at: when the record was collected.
            is_state: whether the input is the state of a folder. It may change without a newer
                time, and the last import shows its last state. If two exports are equally old,
                the one that lacks a record is later.
        """
        deleted_at = self.stored(source_id).get(key)
        if deleted_at is None or key in self.restored[source_id]:
            return False
        is_older = collected_at < deleted_at or (collected_at == deleted_at and not is_state)
        if is_older and not self._restores:
            return True
        self.restore(source_id, key)
        return False

    def add(self, source_id: str, key: Key, collected_at: datetime) -> None:
        """Remember a deletion. collected_at: when the evidence was collected."""
        self.restored[source_id].discard(key)
        self.added[source_id][key] = collected_at

    def restore(self, source_id: str, key: Key) -> None:
        """Forget a deletion."""
        self.added[source_id].pop(key, None)
        self.restored[source_id].add(key)
