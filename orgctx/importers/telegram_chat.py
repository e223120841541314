"""The messages of one exported chat, behind the source and the chat that they belong to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson

from orgctx.importers.existing import Existing
from orgctx.importers.records import Record, Target
from orgctx.importers.report import Report
from orgctx.importers.telegram_message import message, message_id
from orgctx.importers.telegram_repair import repair
from orgctx.importers.telegram_stream import LONGEST_VALUE, Stream
from orgctx.importers.telegram_text import Unfit
from orgctx.shapes.fields import instant_text

# The loader lets the last copy win, so only an edited message can wrongly lose: its time is
# remembered. So many edits take some 50 MB; past that the oldest are forgotten.
REMEMBERED_EDITS = 250_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """A chat of an export and where it goes."""

    id: str
    type: str
    title: str
    organization_id: str
    source_id: str


class ChatReader:
    """Reads the array of messages that the stream stands before."""

    def __init__(
        self, stream: Stream, report: Report, existing: Existing, exported_at: datetime
    ) -> None:
        self._stream, self._report = stream, report
        self._existing, self._exported_at = existing, exported_at

    def records(self, chat: Chat) -> Iterator[Record]:
        """Source and chat, then the messages: the chat is linked since the first of them."""
        target = Target(chat.organization_id, chat.source_id, self._existing)
        messages = self._messages(chat)
        first = next(messages, None)
        yield target.source(
            "telegram", chat.title, "Imported from a Telegram export.", self._exported_at
        )
        yield target.record("telegram.chat", self._chat(chat, first))
        if first is not None:
            yield target.record("telegram.message", first)
        for data in messages:
            yield target.record("telegram.message", data)

    def _chat(self, chat: Chat, first: dict[str, Any] | None) -> dict[str, Any]:
        linked_at = datetime.fromisoformat(first["sentAt"]) if first else self._exported_at
        stored = self._existing.chats.get(chat.id)
        if stored:
            linked_at = min(linked_at, stored.linked_at) if first else stored.linked_at
        return {
            "id": chat.id,
            "type": chat.type,
            "title": chat.title,
            "username": stored.username if stored else None,
            "memberCount": stored.member_count if stored else 0,
            "linkedAt": instant_text(linked_at),
            "updatedAt": instant_text(self._exported_at),
        }

    def _messages(self, chat: Chat) -> Iterator[dict[str, Any]]:
        edits: dict[int, str] = {}
        for offset in self._stream.elements():
            raw = self._stream.value()
            self._report.read += 1
            exported = self._parse(raw, offset)
            if exported is None or not self._is_wanted(exported, offset):
                continue
            try:
                data = message(exported, chat.id)
            except Unfit as error:
                self._refuse(exported, offset, str(error))
                continue
            edited_at = data["editedAt"] or ""
            if edits.get(data["id"], "") > edited_at:
                self._report.skip("older copy of a message", self._place(exported, offset))
                continue
            if edited_at:
                edits[data["id"]] = edited_at
            if len(edits) > REMEMBERED_EDITS:
                del edits[next(iter(edits))]
            yield data

    def _parse(self, raw: bytes | None, offset: int) -> dict[str, Any] | None:
        """The message as exported; None, and reported, if it cannot be read."""
        place = self._stream.place(offset)
        if raw is None:
            self._report.refuse(place, f"a message is longer than {LONGEST_VALUE >> 20} MiB")
            return None
        try:
            exported = orjson.loads(raw)
        except orjson.JSONDecodeError:
            try:
                exported = orjson.loads(repair(raw))
            except orjson.JSONDecodeError as error:
                at = self._stream.place(offset)
                self._report.refuse(at, f"a message is not JSON in UTF-8: {error.msg}")
                return None
            self._report.repair("message with invalid escapes or an unquoted document_id")
        if isinstance(exported, dict):
            return exported
        self._report.refuse(place, "a message must be an object")
        return None

    def _is_wanted(self, exported: dict[str, Any], offset: int) -> bool:
        """Whether to convert it; if not, the report says why."""
        kind = exported.get("type", "message")
        if kind != "message":
            known = kind if kind in ("service", "unsupported") else "unknown kind of"
            self._report.skip(f"{known} message", self._place(exported, offset))
            return False
        try:
            number = message_id(exported)
        except Unfit as error:
            self._refuse(exported, offset, str(error))
            return False
        if number < 0:
            reason = "message of the group before its migration (negative id)"
            self._report.skip(reason, self._place(exported, offset))
        return number > 0

    def _refuse(self, exported: dict[str, Any], offset: int, reason: str) -> None:
        self._report.refuse(self._place(exported, offset), reason)

    def _place(self, exported: dict[str, Any], offset: int) -> str:
        return f"{self._stream.place(offset)}, message {exported.get('id')!r:.40}"
