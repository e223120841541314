"""Ask before an import replaces or deletes many records of an approved source."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field

import click

from orgctx.bundle import Change
from orgctx.cli.errors import CommandError
from orgctx.cli.output import printable, say

# An import may replace and delete this many records, or this share of a source, without a question.
MOST_REMOVED = 5
LARGEST_SHARE = 0.2


@dataclass(slots=True)
class Approval:
    """Reviews what an import changes in approved sources.

    Attributes:
        yes: whether the user agreed to every change in advance.
        is_dry_run: whether nothing is stored; then nothing is asked.
        visible: ids of the approved sources whose records change.
    """

    yes: bool = False
    is_dry_run: bool = False
    visible: list[str] = field(default_factory=list)
    # How many records of each source the user agreed to replace and delete.
    _agreed: dict[str, int] = field(default_factory=dict)

    def review(self, changes: list[Change]) -> Callable[[], object] | None:
        """Say what changes. Returns a question if too much would go; raises CommandError."""
        self.visible = [change.source_id for change in changes if _total(change)]
        large = [change for change in changes if self._needs_answer(change)]
        if not large:
            for change in changes:
                if _total(change) and change.source_id not in self._agreed:
                    say(f"{_describe(change)} Visible as soon as the import ends.")
            return None
        for change in large:
            say(_describe(change))
        if not sys.stdin.isatty():
            raise CommandError(
                "Nothing was imported: it would replace or delete more than a fifth of an approved "
                "source. Check the path and --source, then pass --yes to import it."
            )
        return lambda: self._ask(large)

    def _needs_answer(self, change: Change) -> bool:
        removed = change.updated + change.deleted
        if self.yes or self.is_dry_run or removed <= self._agreed.get(change.source_id, 0):
            return False
        return removed > max(MOST_REMOVED, LARGEST_SHARE * change.record_count)

    def _ask(self, changes: list[Change]) -> None:
        click.confirm("Continue?", abort=True, err=True)
        self._agreed |= {change.source_id: change.updated + change.deleted for change in changes}


def _total(change: Change) -> int:
    return change.created + change.updated + change.deleted


def _describe(change: Change) -> str:
    return (
        f"{printable(change.source_id)} is approved ({change.record_count:,} records): "
        f"{change.created:,} new, {change.updated:,} replaced, {change.deleted:,} deleted."
    )
