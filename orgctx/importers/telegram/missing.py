"""Find stored messages that an export lacks, because they were deleted in Telegram."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC
from typing import Any

from orgctx.importers.existing import StoredMessages
from orgctx.importers.report import Report
from orgctx.importers.telegram.text import InvalidMessage
from orgctx.importers.telegram.time import instant

DELETIONS_SKIPPED = "deletions skipped"
LONGEST_SHIFT = 14 * 3600


class MissingMessages:
    """Marks which stored messages the export contains, with 1 byte each."""

    def __init__(self, stored: StoredMessages) -> None:
        self._stored = stored
        self._seen = bytearray(len(stored.ids))
        self._first = self._last = 0
        self._is_renumbered = False

    def see(self, exported: dict[str, Any]) -> None:
        """Mark a message of the export, even if it is not imported."""
        number = exported["id"]
        self._first = min(self._first or number, number)
        self._last = max(self._last, number)
        index = self._stored.find(number)
        if index is not None:
            self._seen[index] = 1
            self._is_renumbered = self._is_renumbered or not _is_same(
                exported, self._stored.sent[index]
            )

    def ids(self, report: Report) -> Iterable[int]:
        """Return the ids of missing messages between the first and last message of the export.

        Empty, after reporting why, if the export is not reliable: some input was refused, it
        contains the messages of one person only, or it numbers messages differently.
        """
        covered = [
            index for index, id_ in enumerate(self._stored.ids) if self._first <= id_ <= self._last
        ]
        missing = [index for index in covered if not self._seen[index]]
        if not missing:
            return []
        if reason := self._doubt(missing, covered, report):
            place = f"message {self._stored.ids[missing[0]]}"
            report.skip(f"{DELETIONS_SKIPPED}: {reason}", place, len(missing))
            return []
        return [self._stored.ids[index] for index in missing]

    def _doubt(self, missing: list[int], covered: list[int], report: Report) -> str | None:
        """Return why the export does not show which messages were deleted, or None."""
        senders = self._stored.senders
        present = {senders[index] for index in covered if self._seen[index]}
        if report.refused_count:
            return "some input was refused"
        if self._is_renumbered or not present:
            return "another account exported the chat and numbers its messages differently"
        if len(present) == 1 and any(senders[index] not in present for index in missing):
            return "the export contains the messages of one person; export all messages"
        return None


def _is_same(exported: dict[str, Any], sent: int) -> bool:
    """Return whether the message was sent at that time, in any time zone."""
    try:
        time = instant(exported, "date", UTC)
    except InvalidMessage:
        return True
    difference = abs(int(time.timestamp()) - sent) if time else 0
    return difference <= LONGEST_SHIFT and difference % 900 == 0
