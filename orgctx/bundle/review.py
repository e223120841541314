"""Review what a load changes in approved sources, before it is stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Change(NamedTuple):
    """What a load changes in an approved source. record_count: records before the load."""

    source_id: str
    record_count: int
    created: int
    updated: int
    deleted: int


# Called in the transaction after all records are merged. Returns None to store them, or a function
# that asks a question. Then the merge is undone, so that no lock is held while the user thinks. The
# function raises to stop the load; otherwise the records are merged and reviewed again.
Review = Callable[[list[Change]], Callable[[], object] | None]
