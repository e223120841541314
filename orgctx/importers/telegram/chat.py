"""Convert the messages of one chat of an export, and find the stored ones that it lacks."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid5

from orgctx.importers.records import Record, StoredChat, Target
from orgctx.importers.report import ImportRejected, Report
from orgctx.importers.telegram.message import is_kept, message
from orgctx.importers.telegram.text import InvalidMessage
from orgctx.resources.telegram.schemas import LAST_MESSAGE_ID
from orgctx.schemas.formats import instant_text

DESCRIPTION = "Imported from a Telegram export."


def chat_id(target: Target, peer: str) -> str:
    return str(uuid5(UUID(target.organization_id), f"telegram:{peer}"))


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat of an export, and the source that it goes to. exported_at: when the export was made.

    Creating one raises ImportRejected if the source has another chat, or another source has it.
    """

    peer: str  # such as `channel42`
    type: str
    title: str
    target: Target
    exported_at: datetime

    def __post_init__(self) -> None:
        own_id, target = chat_id(self.target, self.peer), self.target
        for id_, stored in target.existing.chats.items():
            is_source = stored.source_id == target.source_id
            if stored.source_id and (id_ == own_id) != is_source:
                raise ImportRejected(
                    self.title,
                    f"{stored.source_id} has the chat {stored.title!r}, and a source has one chat, "
                    "which is in no other source; pass another --source",
                )

    def records(
        self, messages: Iterable[tuple[dict[str, Any], str]], report: Report, *, prune: bool
    ) -> Iterator[Record]:
        """Yield the source, the chat and its messages, which come with their places.

        prune: yield deletions of stored messages that the export lacks within its span.
        """
        id_, existing = chat_id(self.target, self.peer), self.target.existing
        stored = existing.chats.get(id_) or StoredChat()
        linked_at = stored.linked_at or self.exported_at
        yield self.target.source("telegram", self.title, DESCRIPTION, self.exported_at)
        yield self._chat(id_, stored, linked_at, stored.member_count)
        lacked = set(existing.messages(id_)) if prune else set()
        first, last = LAST_MESSAGE_ID, 0
        # Exports do not contain the members. There are at least as many as wrote.
        senders: set[str] = set()
        for exported, place in messages:
            first, last = min(first, exported["id"]), max(last, exported["id"])
            lacked.discard(exported["id"])
            if not is_kept(exported):
                report.skip(f"message of type: {exported.get('type')}", place)
                continue
            try:
                data = message(exported, id_)
            except InvalidMessage as error:
                report.refuse(place, str(error))
                continue
            linked_at = min(linked_at, datetime.fromisoformat(data["sentAt"]))
            senders |= {data["sender"]["id"]} - {None}
            yield self.target.record("telegram.message", data)
        gone = [number for number in sorted(lacked) if first <= number <= last]
        if gone and report.refused_count:
            report.skip("deletions skipped: some input was refused", self.title, len(gone))
        else:
            yield from (self.target.deletion("telegram.message", number, id_) for number in gone)
        # The last record of a chat is stored.
        yield self._chat(id_, stored, linked_at, max(stored.member_count, len(senders), 1))

    def _chat(self, id_: str, stored: StoredChat, linked_at: datetime, member_count: int) -> Record:
        updated_at = max(self.exported_at, stored.updated_at or self.exported_at)
        data = {
            "id": id_,
            "type": self.type,
            "title": self.title,
            "username": stored.username,
            "memberCount": member_count,
            "linkedAt": instant_text(linked_at),
            "updatedAt": instant_text(updated_at),
        }
        return self.target.record("telegram.chat", data)
