"""Find stored messages that an export lacks, because they were deleted at the provider."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC
from typing import Any

from orgctx.importers.existing import StoredMessages
from orgctx.importers.report import Report
from orgctx.importers.telegram.text import Unfit
from orgctx.importers.telegram.time import instant

HELD_BACK = "deletions held back"
LONGEST_SHIFT = 14 * 3600


class Missing:
    """Marks the messages that the export holds, with 1 byte per stored message."""

    def __init__(self, stored: StoredMessages) -> None:
        self._stored = stored
        self._seen = bytearray(len(stored.ids))
        self._first = self._last = 0
        self._is_other = False

    def see(self, exported: dict[str, Any]) -> None:
        """Mark a message as present, even if it is not imported."""
        number = exported["id"]
        self._first = min(self._first or number, number)
        self._last = max(self._last, number)
        index = self._stored.find(number)
        if index is not None:
            self._seen[index] = 1
            self._is_other = self._is_other or not _is_same(exported, self._stored.sent[index])

    def ids(self, report: Report) -> Iterable[int]:
        """Ids of the missing messages between the export's first and last message.

        Empty, with a report, if the export is not reliable: something in it was refused, it holds
        only one person's messages, or it numbers messages differently.
        """
        between = [
            index for index, id_ in enumerate(self._stored.ids) if self._first <= id_ <= self._last
        ]
        gone = [index for index in between if not self._seen[index]]
        if not gone:
            return []
        if reason := self._doubt(gone, between, report):
            place = f"message {self._stored.ids[gone[0]]}"
            report.skip(f"{HELD_BACK}: {reason}", place, len(gone))
            return []
        return [self._stored.ids[index] for index in gone]

    def _doubt(self, gone: list[int], between: list[int], report: Report) -> str | None:
        """Why the export does not show which messages were deleted; None if it does."""
        senders = self._stored.senders
        known = {senders[index] for index in between if self._seen[index]}
        if report.refused_count:
            return "something was refused"
        if self._is_other or not known:
            return "the export numbers messages otherwise, so another account made it"
        if len(known) == 1 and any(senders[index] not in known for index in gone):
            return "the export holds one person's messages; export those of all"
        return None


def _is_same(exported: dict[str, Any], sent: int) -> bool:
    """Whether the message was sent at that time, in any time zone."""
    try:
        at = instant(exported, "date", UTC)
    except Unfit:
        return True
    difference = abs(int(at.timestamp()) - sent) if at else 0
    return difference <= LONGEST_SHIFT and difference % 900 == 0
