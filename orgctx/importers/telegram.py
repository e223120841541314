"""Telegram Desktop's JSON export, of one chat or of an account, as bundle records.

Messages stream: memory is bounded by the longest message. Personal chats, saved messages
and bots are never imported. NUL characters are taken out of texts, which cannot hold them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

import orjson

from orgctx.importers.existing import Existing
from orgctx.importers.records import Progress, Record, modified_at, no_progress
from orgctx.importers.report import Report
from orgctx.importers.telegram_chat import Chat, ChatReader
from orgctx.importers.telegram_repair import repair
from orgctx.importers.telegram_stream import Stream

TYPES = {
    "private_group": "group",
    "private_supergroup": "supergroup",
    "public_supergroup": "supergroup",
    "private_channel": "channel",
    "public_channel": "channel",
}
PERSONAL = {
    "personal_chat": "personal chat",
    "saved_messages": "saved messages",
    "bot_chat": "chat with a bot",
    "replies": "list of replies",
    "verification_codes": "list of verification codes",
}
HEAD = ("name", "type", "id")
LISTS = ("chats", "left_chats")


def records(
    path: Path,
    *,
    organization_id: str,
    source_id: str,
    report: Report,
    existing: Existing,
    progress: Progress = no_progress,
) -> Iterator[Record]:
    """The records of an export; progress: called with bytes read.

    One chat goes into the source; of an account, each chat into `<source>:<telegram id>`,
    since a source links one chat. Raises ImportRefused for a file that is cut off or no export.
    """
    with path.open("rb") as file:
        stream = Stream(file, path.name, progress)
        reader = ChatReader(stream, report, existing, modified_at(path))
        yield from _Export(stream, reader, report, organization_id, source_id).records()


class _Export:
    def __init__(
        self,
        stream: Stream,
        reader: ChatReader,
        report: Report,
        organization_id: str,
        source_id: str,
    ) -> None:
        self._stream, self._reader, self._report = stream, reader, report
        self._organization_id, self._source_id = organization_id, source_id
        self._has_chats = False

    def records(self) -> Iterator[Record]:
        stream = self._stream
        if stream.peek() != b"{":
            raise stream.refusal("an export begins with {: choose JSON when you export")
        yield from self._object(is_account=True)
        if stream.peek():
            raise stream.refusal("the export ended before this")
        if not self._has_chats:
            raise stream.refusal("this is no export of Telegram Desktop: it has no messages")

    def _object(self, *, is_account: bool) -> Iterator[Record]:
        """A chat; or the whole file, which is one, or an account with lists of chats."""
        head: dict[str, Any] = {}
        for name in self._stream.members():
            if name in HEAD:
                head[name] = self._head(name)
            elif name == "messages":
                self._has_chats = True
                yield from self._chat(head, is_account)
            elif is_account and name in LISTS and self._stream.peek() == b"{":
                yield from self._list()
            else:
                self._stream.skip()

    def _list(self) -> Iterator[Record]:
        for name in self._stream.members():
            if name != "list" or self._stream.peek() != b"[":
                self._stream.skip()
                continue
            self._has_chats = True
            for offset in self._stream.elements():
                if self._stream.peek() == b"{":
                    yield from self._object(is_account=False)
                else:
                    self._report.refuse(self._stream.place(offset), "a chat must be an object")
                    self._stream.skip()

    def _head(self, name: str) -> Any:
        place = self._stream.place()
        try:
            return orjson.loads(repair(self._stream.value() or b""))
        except orjson.JSONDecodeError:
            self._report.refuse(place, f"{name} of a chat is not JSON")
            return None

    def _chat(self, head: dict[str, Any], is_single: bool) -> Iterator[Record]:
        place, kind = self._stream.place(), head.get("type")
        personal = PERSONAL.get(kind) if isinstance(kind, str) else None
        if personal and is_single:
            raise self._stream.refusal(f"this exports a {personal}, which is never imported")
        if personal:
            self._report.skip(personal, place)
            self._stream.skip()
            return
        chat = self._new_chat(head, is_single)
        if isinstance(chat, Chat) and self._stream.peek() == b"[":
            yield from self._reader.records(chat)
            return
        self._report.refuse(place, chat if isinstance(chat, str) else "messages must be an array")
        self._stream.skip()

    def _new_chat(self, head: dict[str, Any], is_single: bool) -> Chat | str:
        """The chat, or what is wrong with it."""
        kind, number, name = (head.get(member) for member in ("type", "id", "name"))
        if not isinstance(kind, str) or kind not in TYPES:
            return f"type of a chat, before its messages, must be one of {', '.join(TYPES)}"
        if type(number) is not int or number < 1:
            return "id of a chat, before its messages, must be a positive integer"
        title = name.replace("\0", "").strip() if isinstance(name, str) else ""
        # A group and a channel may have the same number.
        peer = f"{'chat' if TYPES[kind] == 'group' else 'channel'}{number}"
        return Chat(
            id=str(uuid5(UUID(self._organization_id), f"telegram:{peer}")),
            type=TYPES[kind],
            title=title or f"Chat {number}",
            organization_id=self._organization_id,
            source_id=self._source_id if is_single else f"{self._source_id}:{peer}",
        )
