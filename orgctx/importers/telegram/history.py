"""Compare one chat of an export with its stored messages.

The version of a message that was edited later wins. If the edit times are equal, the version from
the later export wins.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from orgctx.importers.existing import OLDER, StoredChat, StoredMessages
from orgctx.importers.records import Record, Target
from orgctx.importers.report import ImportRejected, Report
from orgctx.importers.telegram.message import (
    InvalidMessage,
    instant,
    is_kept,
    left_out,
    message,
)
from orgctx.schemas.formats import instant_text

# An export may contain a message twice, and the loader stores the last copy, even if an earlier one
# was edited later. To skip older copies, History keeps the edit times of the last edited messages,
# in about 50 MB.
MAX_EDITS = 250_000
DESCRIPTION = "Imported from a Telegram export."


@dataclass(kw_only=True)
class History:
    """A chat of an export. Converts its messages to records, one at a time."""

    id: str
    type: str
    title: str
    target: Target
    report: Report
    collected_at: datetime | None  # when the export was made, if known
    written_at: datetime
    prune: bool

    def __post_init__(self) -> None:
        """Raise ImportRejected if the source has another chat, or another source has this chat."""
        existing, source_id = self.target.existing, self.target.source_id
        self._chat = existing.chats.get(self.id)
        if self._chat and self._chat.source_id not in (None, source_id):
            raise ImportRejected(
                self.title,
                f"is already stored in {self._chat.source_id}; import it there with "
                f"--source {self._chat.source_id}",
            )
        for id_, other in existing.chats.items():
            if other.source_id == source_id and id_ != self.id:
                raise ImportRejected(
                    source_id,
                    f"already contains the chat {other.title!r}, and a source contains one chat; "
                    f"pass another --source for {self.title!r}",
                )
        self.has_begun = False
        self._collected_at = self.collected_at or self.written_at
        stored_at = self._chat.updated_at if self._chat else None
        # Whether the export is older than the stored chat.
        self._is_older = bool(stored_at and self.collected_at and self.collected_at < stored_at)
        self._stored = existing.messages(self.id) if self._chat else StoredMessages()
        # Which stored messages the export contains.
        self._seen = bytearray(len(self._stored.ids))
        self._first_id = self._last_id = 0
        self._is_renumbered = False
        self._edits: dict[int, str] = {}
        self._senders = existing.senders(source_id) if self._chat else set()
        self._data: dict[str, Any] = {}

    def add(self, exported: dict[str, Any], place: str) -> Iterator[Record]:
        """Yield the records of a message. The first message also yields the source and the chat."""
        index = self._see(exported)
        if not is_kept(exported):
            type_ = exported.get("type")
            kind = type_ if type_ in ("service", "unsupported") else "unknown kind of"
            self.report.skip(f"{kind} message", place)
            return
        try:
            data = message(exported, self.id, self.report.repair)
        except InvalidMessage as error:
            self.report.refuse(place, str(error))
            return
        if not self.has_begun:
            yield from self._begin(data)
        reason = self._outdated(data, index)
        if not reason and self.target.holds("telegram.message", data["id"], self._collected_at):
            reason = OLDER
        for each in (reason,) if reason else left_out(exported):
            self.report.skip(each, place)
        if not reason:
            self._senders |= {id_ for id_ in (data["sender"]["id"],) if id_}
            yield self.target.record("telegram.message", data)

    def end(self) -> Iterator[Record]:
        """Yield the last records: with `prune`, deletions of messages that the export lacks."""
        if not self.has_begun:
            self.report.skip("chat without messages", self.title)
            yield from self._begin(None)
        for id_ in () if self._is_older else self._missing_ids():
            if self.prune:
                yield self.target.deletion("telegram.message", id_, self._collected_at, self.id)
                continue
            self.report.skip(
                "stored message that the export lacks; pass --prune to delete it",
                f"{self.target.source_id}, message {id_}",
            )
        if len(self._senders) > self._data["memberCount"]:
            # The number of people is known only now; the last record of a chat is stored.
            data = {**self._data, "memberCount": len(self._senders)}
            yield self.target.record("telegram.chat", data)

    def _begin(self, first: dict[str, Any] | None) -> Iterator[Record]:
        self.has_begun = True
        yield self.target.source("telegram", self.title, DESCRIPTION, self.collected_at)
        stored, is_older = self._chat or StoredChat(self.written_at), self._is_older
        updated_at = linked_at = self._collected_at
        if first:
            linked_at = datetime.fromisoformat(first["sentAt"])
        if self._chat:
            linked_at = min(linked_at, stored.linked_at) if first else stored.linked_at
        self._data = {
            "id": self.id,
            "type": stored.type if is_older and stored.type else self.type,
            "title": stored.title if is_older and stored.title else self.title,
            "username": stored.username,
            # Exports do not contain it. There are at least as many members as senders, and one
            # if there is a message.
            "memberCount": max(stored.member_count, len(self._senders), int(first is not None)),
            "linkedAt": instant_text(linked_at),
            "updatedAt": instant_text(max(updated_at, stored.updated_at or updated_at)),
        }
        yield self.target.record("telegram.chat", self._data)

    def _outdated(self, data: dict[str, Any], index: int | None) -> str | None:
        edited_at = data["editedAt"] or ""
        if self._edits.get(data["id"], "") > edited_at:
            return "older copy of a message"
        if edited_at:
            self._edits[data["id"]] = edited_at
        if len(self._edits) > MAX_EDITS:
            del self._edits[next(iter(self._edits))]
        if index is None:
            return None
        seconds = int(datetime.fromisoformat(edited_at).timestamp()) if edited_at else 0
        if seconds < self._stored.edited[index]:
            return "message stored with a later edit"
        if seconds == self._stored.edited[index] and self._is_older:
            return "message stored from a later collection"
        return None

    def _see(self, exported: dict[str, Any]) -> int | None:
        """Mark a message of the export, even if it is not imported; return the stored one."""
        number = exported["id"]
        self._first_id = min(self._first_id or number, number)
        self._last_id = max(self._last_id, number)
        index = self._stored.find(number)
        if index is None:
            return None
        self._seen[index] = 1
        try:
            time = instant(exported, "date_unixtime")
        except InvalidMessage:
            return index
        if time and int(time.timestamp()) != self._stored.sent[index]:
            self._is_renumbered = True
        return index

    def _missing_ids(self) -> list[int]:
        """Return the stored messages, between the first and the last exported one, that it lacks.

        Empty, after reporting why, if the export is not reliable: some input was refused, it
        contains the messages of one person only, or it numbers messages differently.
        """
        ids, senders = self._stored.ids, self._stored.senders
        covered = range(bisect_left(ids, self._first_id), bisect_right(ids, self._last_id))
        missing = [index for index in covered if not self._seen[index]]
        present = {senders[index] for index in covered if self._seen[index]}
        reason = None
        if self.report.refused_count:
            reason = "some input was refused"
        elif self._is_renumbered or not present:
            reason = "another account exported the chat and numbers its messages differently"
        elif len(present) == 1 and any(senders[index] not in present for index in missing):
            reason = "the export contains the messages of one person; export all messages"
        if missing and reason:
            place = f"message {ids[missing[0]]}"
            self.report.skip(f"deletions skipped: {reason}", place, len(missing))
        return [] if reason else [ids[index] for index in missing]
