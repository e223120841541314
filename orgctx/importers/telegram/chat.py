"""Convert the messages of one chat of an export, and find the stored ones that it lacks."""

from array import array
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from orgctx.importers.existing import StoredChat
from orgctx.importers.records import Record, Target
from orgctx.importers.report import ImportRejected, Report
from orgctx.importers.telegram.message import is_kept, left_out, message
from orgctx.importers.telegram.text import InvalidMessage
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


class Chat:
    """A chat of an export. Converts its messages to records, one at a time."""

    def __init__(self, id_: str, type_: str, title: str, target: Target, export: Export) -> None:
        """Raise ImportRejected if the source has another chat, or another source has this chat."""
        self.id, self._target, self._export = id_, target, export
        existing, source_id = target.existing, target.source_id
        stored = existing.chats.get(id_)
        if stored and stored.source_id not in (None, source_id):
            other = stored.source_id
            reason = f"is already stored in {other}; import it there with --source {other}"
            raise ImportRejected(title, reason)
        for other_id, chat in existing.chats.items():
            if chat.source_id == source_id and other_id != id_:
                raise ImportRejected(
                    source_id,
                    f"already contains the chat {chat.title!r}, and a source contains one chat; "
                    f"pass another --source for {title!r}",
                )
        self._stored_ids = existing.messages(id_) if stored else array("i")
        self._is_seen = bytearray(len(self._stored_ids))
        self._first_id = self._last_id = 0
        # Exports do not contain the members. There are at least as many as wrote.
        self._senders: set[str] = set()
        known = stored or StoredChat(export.stated_at or export.written_at)
        updated_at = export.stated_at or export.written_at
        self._linked_at, self._is_linked, self._has_message = known.linked_at, bool(stored), False
        self._title, self._known_count = title, known.member_count
        self._data = {
            "id": id_,
            "type": type_,
            "title": title,
            "username": known.username,
            "memberCount": known.member_count,
            "linkedAt": instant_text(known.linked_at),
            "updatedAt": instant_text(max(updated_at, known.updated_at or updated_at)),
        }

    def begin(self) -> Iterator[Record]:
        """Yield the source, and the chat as it is known before its messages are read."""
        stated_at = self._export.stated_at
        yield self._target.source("telegram", self._title, DESCRIPTION, stated_at, is_stated=True)
        yield self._target.record("telegram.chat", self._data)

    def add(self, exported: dict[str, Any], place: str) -> Iterator[Record]:
        """Yield the record of a message."""
        number, report = exported["id"], self._export.report
        self._first_id = min(self._first_id or number, number)
        self._last_id = max(self._last_id, number)
        index = bisect_left(self._stored_ids, number)
        if index < len(self._stored_ids) and self._stored_ids[index] == number:
            self._is_seen[index] = 1
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
        for reason in left_out(exported):
            report.skip(reason, place)
        sent_at = datetime.fromisoformat(data["sentAt"])
        self._linked_at = min(self._linked_at, sent_at) if self._is_linked else sent_at
        self._is_linked = self._has_message = True
        self._senders |= {data["sender"]["id"]} - {None}
        yield self._target.record("telegram.message", data)

    def end(self) -> Iterator[Record]:
        """Yield deletions of messages within the span of the export that it lacks, if they are
        asked for, and the chat with what its messages say."""
        report = self._export.report
        if not self._has_message:
            report.skip("chat without messages", self._title)
        for id_, is_seen in zip(self._stored_ids, self._is_seen, strict=True):
            if is_seen or not self._first_id <= id_ <= self._last_id:
                continue
            if self._export.prune and not report.refused_count:
                yield self._target.deletion("telegram.message", id_, self.id)
            else:
                reason = UNSURE if self._export.prune else LACKED
                report.skip(reason, f"{self._target.source_id}, message {id_}")
        count = max(self._known_count, len(self._senders), int(self._has_message))
        data = self._data | {"memberCount": count, "linkedAt": instant_text(self._linked_at)}
        if data != self._data:  # the last record of a chat is stored
            yield self._target.record("telegram.chat", data)
