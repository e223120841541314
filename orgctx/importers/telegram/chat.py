"""Read the messages of one exported chat from the stream."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import tzinfo
from itertools import chain
from typing import Any

import orjson

from orgctx.importers.records import Record
from orgctx.importers.report import Report
from orgctx.importers.telegram.history import History
from orgctx.importers.telegram.message import before_migration, message_id
from orgctx.importers.telegram.repair import repair
from orgctx.importers.telegram.stream import LONGEST_VALUE, Stream
from orgctx.importers.telegram.text import InvalidMessage

# One message and its place.
Exported = tuple[dict[str, Any], str]
# Open the history of a chat. Arguments: whether the export is from before 2021, and whether to open
# the history of the group from which the chat migrated.
Open = Callable[[bool, bool], History]


class ChatReader:
    """Reads the array of messages at the stream's cursor."""

    def __init__(self, stream: Stream, report: Report, zone: tzinfo) -> None:
        self.stream, self._report, self._zone = stream, report, zone

    def records(self, open_history: Open) -> Iterator[Record]:
        """Yield the records of the chat, and of the group from which it migrated, if any."""
        messages = self._messages()
        first_message = next(messages, None)
        is_old = first_message is None or "date_unixtime" not in first_message[0]
        history, group_history = open_history(is_old, False), None
        for exported, place in chain([first_message] if first_message else [], messages):
            if exported["id"] > 0:
                yield from history.add(exported, place)
                continue
            group_history = group_history or open_history(is_old, True)
            yield from group_history.add(before_migration(exported), place)
        yield from history.end()
        if group_history and group_history.has_begun:
            yield from group_history.end()

    def _messages(self) -> Iterator[Exported]:
        """Yield the messages that have a valid id."""
        for offset in self.stream.elements():
            raw = self.stream.value()
            self._report.read += 1
            exported = self._parse(raw, offset)
            if exported is None:
                continue
            place = f"{self.stream.place(offset)}, message {exported.get('id')!s:.40}"
            try:
                message_id(exported)
            except InvalidMessage as error:
                self._report.refuse(place, str(error))
                continue
            if "date" in exported and exported.get("date_unixtime") is None:
                self._report.repair(f"time without a zone, read as {self._zone} (--timezone)")
            yield exported, place

    def _parse(self, raw: bytes | None, offset: int) -> dict[str, Any] | None:
        """Parse a message. Returns None, after reporting it, if it cannot be parsed."""
        place = self.stream.place(offset)
        if raw is None:
            self._report.refuse(place, f"a message exceeds {LONGEST_VALUE >> 20} MiB")
            return None
        try:
            exported = orjson.loads(raw)
        except orjson.JSONDecodeError:
            try:
                exported = orjson.loads(repair(raw))
            except orjson.JSONDecodeError as error:
                self._report.refuse(place, f"a message is not JSON in UTF-8: {error.msg}")
                return None
            self._report.repair("message with invalid escapes or an unquoted document_id")
        if isinstance(exported, dict):
            return exported
        self._report.refuse(place, "a message must be an object")
        return None
