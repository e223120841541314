"""Convert the messages of one chat of an export, and find the stored ones that it lacks."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from orgctx.importers.existing import StoredChat
from orgctx.importers.records import Record, Target
from orgctx.importers.report import ImportRejected, Report
from orgctx.importers.telegram.message import InvalidMessage, is_kept, left_out, message
from orgctx.schemas.formats import instant_text

DESCRIPTION = "Imported from a Telegram export."
LACKED = "stored message that the export lacks; pass --prune to delete it"
UNSURE = "deletions skipped: some input was refused"


@dataclass(frozen=True, slots=True)
class Export:
    """What the chats of an export share. stated_at: when it was made, if it is known."""

    report: Report
    stated_at: datetime | None
    written_at: datetime
    prune: bool


@dataclass
class Chat:
    """A chat of an export. Converts its messages to records, one at a time."""

    id: str
    type: str
    title: str
    target: Target
    export: Export
    has_begun: bool = False
    _first_id: int = 0
    _last_id: int = 0

    def __post_init__(self) -> None:
        """Raise ImportRejected if the source has another chat, or another source has this chat."""
        existing, source_id = self.target.existing, self.target.source_id
        self._stored = existing.chats.get(self.id)
        if self._stored and self._stored.source_id not in (None, source_id):
            raise ImportRejected(
                self.title,
                f"is already stored in {self._stored.source_id}; import it there with "
                f"--source {self._stored.source_id}",
            )
        for id_, other in existing.chats.items():
            if other.source_id == source_id and id_ != self.id:
                raise ImportRejected(
                    source_id,
                    f"already contains the chat {other.title!r}, and a source contains one chat; "
                    f"pass another --source for {self.title!r}",
                )
        self._ids = existing.messages(self.id) if self._stored else array("i")
        # Which of these the export has.
        self._seen = bytearray(len(self._ids))
        self._senders = existing.senders(source_id) if self._stored else set()
        self._data: dict[str, Any] = {}

    def add(self, exported: dict[str, Any], place: str) -> Iterator[Record]:
        """Yield the records of a message. The first message also yields the source and the chat."""
        number, report = exported["id"], self.export.report
        self._first_id = min(self._first_id or number, number)
        self._last_id = max(self._last_id, number)
        index = bisect_left(self._ids, number)
        if index < len(self._ids) and self._ids[index] == number:
            self._seen[index] = 1
        if not is_kept(exported):
            type_ = exported.get("type")
            kind = type_ if type_ in ("service", "unsupported") else "unknown kind of"
            report.skip(f"{kind} message", place)
            return
        try:
            data = message(exported, self.id, report.repair)
        except InvalidMessage as error:
            report.refuse(place, str(error))
            return
        if not self.has_begun:
            yield from self._begin(data)
        for reason in left_out(exported):
            report.skip(reason, place)
        self._senders |= {id_ for id_ in (data["sender"]["id"],) if id_}
        yield self.target.record("telegram.message", data)

    def end(self) -> Iterator[Record]:
        """Yield the last records: with `prune`, deletions of messages that the export lacks."""
        if not self.has_begun:
            self.export.report.skip("chat without messages", self.title)
            yield from self._begin(None)
        covered = range(
            bisect_left(self._ids, self._first_id), bisect_right(self._ids, self._last_id)
        )
        for id_ in (self._ids[index] for index in covered if not self._seen[index]):
            place = f"{self.target.source_id}, message {id_}"
            if self.export.report.refused_count:
                self.export.report.skip(UNSURE, place)
            elif self.export.prune:
                yield self.target.deletion("telegram.message", id_, self.id)
            else:
                self.export.report.skip(LACKED, place)
        if len(self._senders) > self._data["memberCount"]:
            # The number of people is known only now; the last record of a chat is stored.
            data = {**self._data, "memberCount": len(self._senders)}
            yield self.target.record("telegram.chat", data)

    def _begin(self, first: dict[str, Any] | None) -> Iterator[Record]:
        self.has_begun = True
        stated_at = self.export.stated_at
        yield self.target.source("telegram", self.title, DESCRIPTION, stated_at, is_stated=True)
        stored = self._stored or StoredChat(self.export.written_at)
        updated_at = linked_at = stated_at or self.export.written_at
        if first:
            linked_at = datetime.fromisoformat(first["sentAt"])
        if self._stored:
            linked_at = min(linked_at, stored.linked_at) if first else stored.linked_at
        self._data = {
            "id": self.id,
            "type": self.type,
            "title": self.title,
            "username": stored.username,
            # Exports do not contain it. There are at least as many members as senders, and one
            # if there is a message.
            "memberCount": max(stored.member_count, len(self._senders), int(first is not None)),
            "linkedAt": instant_text(linked_at),
            "updatedAt": instant_text(max(updated_at, stored.updated_at or updated_at)),
        }
        yield self.target.record("telegram.chat", self._data)
