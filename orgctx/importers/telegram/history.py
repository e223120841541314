"""Compare one chat of an export with its stored messages.

The version of a message that was edited later wins. If the edit times are equal, the version from
the later export wins.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any

from orgctx.importers.deletions import OLDER
from orgctx.importers.existing import StoredChat, StoredMessages
from orgctx.importers.records import Record, Target
from orgctx.importers.report import ImportRejected, Report
from orgctx.importers.telegram.message import is_kept, message
from orgctx.importers.telegram.missing import MissingMessages
from orgctx.importers.telegram.origin import left_out
from orgctx.importers.telegram.text import InvalidMessage
from orgctx.schemas.formats import instant_text

# An export may contain a message twice, and the loader stores the last copy, even if an earlier one
# was edited later. To skip older copies, History keeps the edit times of the last edited messages,
# in about 50 MB.
MAX_EDITS = 250_000
DESCRIPTION = "Imported from a Telegram export."


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """A chat of an export and where to import it."""

    id: str
    type: str
    title: str
    target: Target
    collected_at: datetime | None  # when the export was made, if known
    written_at: datetime
    zone: tzinfo
    prune: bool = False


class History:
    """Converts the messages of a chat to records, one at a time."""

    def __init__(self, chat: Chat, report: Report) -> None:
        """Raise ImportRejected if the source has another chat, or another source has this chat."""
        self._chat, self._report = chat, report
        existing = chat.target.existing
        self._stored = existing.chats.get(chat.id)
        self._check_source()
        self._messages = existing.messages(chat.id) if self._stored else StoredMessages()
        self._missing = MissingMessages(self._messages)
        self._edits: dict[int, str] = {}
        self._collected_at = chat.collected_at or chat.written_at
        self._senders = existing.senders(chat.target.source_id) if self._stored else set()
        self._data: dict[str, Any] = {}
        self.has_begun = False

    def add(self, exported: dict[str, Any], place: str) -> Iterator[Record]:
        """Yield the records of a message. The first message also yields the source and the chat."""
        self._missing.see(exported)
        if not is_kept(exported):
            type_ = exported.get("type")
            kind = type_ if type_ in ("service", "unsupported") else "unknown kind of"
            self._report.skip(f"{kind} message", place)
            return
        try:
            data = message(exported, self._chat.id, self._chat.zone, self._report.repair)
        except InvalidMessage as error:
            self._report.refuse(place, str(error))
            return
        if not self.has_begun:
            yield from self._begin(data)
        if reason := self._outdated(data):
            self._report.skip(reason, place)
            return
        if self._chat.target.holds("telegram.message", data["id"], self._collected_at):
            self._report.skip(OLDER, place)
            return
        if sender_id := data["sender"]["id"]:
            self._senders.add(sender_id)
        yield self._chat.target.record("telegram.message", data)
        for reason in left_out(exported):
            self._report.skip(reason, place)

    def end(self) -> Iterator[Record]:
        """Yield the last records: with `prune`, deletions of messages that the export lacks."""
        if not self.has_begun:
            self._report.skip("chat without messages", self._chat.title)
            yield from self._begin(None)
        missing_ids = () if self._is_older() else self._missing.ids(self._report)
        for id_ in missing_ids:
            place = f"{self._chat.target.source_id}, message {id_}"
            if not self._chat.prune:
                self._report.skip(
                    "stored message that the export lacks; pass --prune to delete it", place
                )
                continue
            yield self._chat.target.deletion(
                "telegram.message", id_, self._collected_at, self._chat.id
            )
        if len(self._senders) > self._data["memberCount"]:
            # The number of people is known only now; the last record of a chat is stored.
            data = {**self._data, "memberCount": len(self._senders)}
            yield self._chat.target.record("telegram.chat", data)

    def _check_source(self) -> None:
        """Raise ImportRejected if the source has another chat, or another source has this chat."""
        source_id, stored = self._chat.target.source_id, self._stored
        if stored and stored.source_id not in (None, source_id):
            raise ImportRejected(
                self._chat.title,
                f"is already stored in {stored.source_id}; import it there with "
                f"--source {stored.source_id}",
            )
        for id_, other in self._chat.target.existing.chats.items():
            if other.source_id == source_id and id_ != self._chat.id:
                raise ImportRejected(
                    source_id,
                    f"already contains the chat {other.title!r}, and a source contains one chat; "
                    f"pass another --source for {self._chat.title!r}",
                )

    def _begin(self, first: dict[str, Any] | None) -> Iterator[Record]:
        chat, self.has_begun = self._chat, True
        yield chat.target.source("telegram", chat.title, DESCRIPTION, chat.collected_at)
        self._data = self._record(first)
        yield chat.target.record("telegram.chat", self._data)

    def _record(self, first: dict[str, Any] | None) -> dict[str, Any]:
        chat, stored = self._chat, self._stored or StoredChat(self._chat.written_at)
        updated_at = chat.collected_at or chat.written_at
        linked_at = datetime.fromisoformat(first["sentAt"]) if first else updated_at
        if self._stored:
            linked_at = min(linked_at, stored.linked_at) if first else stored.linked_at
        is_older = self._is_older()
        return {
            "id": chat.id,
            "type": stored.type if is_older and stored.type else chat.type,
            "title": stored.title if is_older and stored.title else chat.title,
            "username": stored.username,
            # Exports do not contain it. There are at least as many members as senders, and one
            # if there is a message.
            "memberCount": max(stored.member_count, len(self._senders), int(first is not None)),
            "linkedAt": instant_text(linked_at),
            "updatedAt": instant_text(max(updated_at, stored.updated_at or updated_at)),
        }

    def _is_older(self) -> bool:
        """Return whether the export is older than the stored chat."""
        stored_at = self._stored.updated_at if self._stored else None
        collected_at = self._chat.collected_at
        return stored_at is not None and collected_at is not None and collected_at < stored_at

    def _outdated(self, data: dict[str, Any]) -> str | None:
        """Return why to skip this version of a message, or None to keep it."""
        edited_at = data["editedAt"] or ""
        if self._edits.get(data["id"], "") > edited_at:
            return "older copy of a message"
        if edited_at:
            self._edits[data["id"]] = edited_at
        if len(self._edits) > MAX_EDITS:
            del self._edits[next(iter(self._edits))]
        index = self._messages.find(data["id"])
        if index is None:
            return None
        edited_at_seconds = int(datetime.fromisoformat(edited_at).timestamp()) if edited_at else 0
        stored_at_seconds = self._messages.edited[index]
        if edited_at_seconds < stored_at_seconds:
            return "message stored with a later edit"
        if edited_at_seconds == stored_at_seconds and self._is_older():
            return "message stored from a later collection"
        return None
