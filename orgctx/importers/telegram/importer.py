"""Convert a JSON export of Telegram Desktop to bundle records.

Messages are streamed, so the longest message bounds the memory. Personal chats, saved messages and
bots are never imported.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from io import BytesIO
from itertools import chain
from pathlib import Path
from time import time
from typing import Any
from uuid import UUID, uuid5

import orjson

from orgctx.importers.decoding import opened
from orgctx.importers.records import Record, StoredChat, Target, modified_at
from orgctx.importers.report import ImportRejected, Report
from orgctx.importers.telegram.message import InvalidMessage, check_id, is_kept, message, name
from orgctx.importers.telegram.stream import LONGEST_VALUE, Stream
from orgctx.resources.telegram.schemas import LAST_MESSAGE_ID
from orgctx.schemas.formats import instant_text

TYPES = {
    "private_group": "group",
    "private_supergroup": "supergroup",
    "public_supergroup": "supergroup",
    "private_channel": "channel",
    "public_channel": "channel",
}
DESCRIPTION = "Imported from a Telegram export."
EXPORT_AGAIN = "export again in Telegram Desktop and choose JSON as the format"
STATED = re.compile(rb'"(?:date|edited|last_active)_unixtime" ?: ?"?([0-9]{1,11})\b')
CHUNK = 1024 * 1024
LONGEST_STATED = 64
# An escape, of which the group matches one that is JSON. Telegram Desktop writes control characters
# as `\xNN`.
ESCAPE = re.compile(rb"(\\[^x])|\\x", re.DOTALL)


def records(path: Path, *, target: Target, report: Report, prune: bool = False) -> Iterator[Record]:
    """Yield the records of an export. Raises ImportRejected if it is truncated, older or none.

    A single chat goes into the source. Each chat of an account goes into
    `<source>:<telegram id>`, because a source contains one chat.
    """
    path = _file(path)
    exported_at = _exported_at(path)
    with opened(path, EXPORT_AGAIN) as file:
        stream = Stream(file, path.name)
        yield from _Reader(stream, target, report, exported_at, prune).read()
        if stream.peek():
            raise stream.rejection("unexpected content after the end of the export")


def _file(path: Path) -> Path:
    if not path.is_dir():
        return path
    file = path / "result.json"
    if file.is_symlink():
        raise ImportRejected(str(file), "is a link, which may lead out of the folder")
    if file.is_file():
        return file
    reason = "contains no result.json; pass the folder or the file of an export"
    if next(path.glob("messages*.html"), None):
        reason = f"is an HTML export; {EXPORT_AGAIN}"
    raise ImportRejected(path.name, reason)


def _exported_at(path: Path) -> datetime:
    """Return the newest time in the export that is not in the future, else that of the file."""
    newest, overlap, now = 0, b"", int(time())
    # A pipe can be read only once.
    with path.open("rb") if path.is_file() else BytesIO() as file:
        while chunk := file.read(CHUNK):
            text = overlap + chunk
            seconds = map(int, STATED.findall(text))
            newest = max(newest, max((second for second in seconds if second <= now), default=0))
            overlap = text[-LONGEST_STATED:]
    return datetime.fromtimestamp(newest, UTC) if newest else modified_at(path)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads an export at the stream's cursor. exported_at: when the export was made."""

    stream: Stream
    target: Target
    report: Report
    exported_at: datetime
    prune: bool

    def read(self, *, is_single: bool = True) -> Iterator[Record]:
        """Read a chat, or the root object: a single chat, or an account with lists of chats."""
        properties: dict[str, Any] = {}
        for member in self.stream.members():
            if member in ("name", "type", "id"):
                properties[member] = _value(self.stream.value())
            elif member == "messages":
                yield from self._chat(properties, is_single)
            elif member in ("chats", "left_chats"):
                if self.target.label is not None:
                    reason = "names one source, and each chat here gets its own"
                    raise ImportRejected("--label", reason)
                yield from self.read(is_single=False)
            elif member == "list" and not is_single:
                for _ in self.stream.elements():
                    yield from self.read(is_single=False)
            else:
                self.stream.value()

    def _chat(self, properties: dict[str, Any], is_single: bool) -> Iterator[Record]:
        """Yield the records of a chat."""
        place, kind, chat = self.stream.place(), str(properties.get("type")), None
        try:
            if is_single or kind in TYPES:
                target, chat = self._open(properties, kind, is_single)
            else:
                self.report.skip(f"chat of type: {kind}", place)
        except ImportRejected as error:
            if is_single:
                raise
            self.report.refuse(place, str(error))
        if chat is None:
            self.stream.value()
            return
        messages = self._messages()
        if first := next(messages, None):
            yield from self._records(target, chat, chain([first], messages))
        else:
            self.report.skip("chat without messages", place)

    def _open(
        self, properties: dict[str, Any], kind: str, is_single: bool
    ) -> tuple[Target, dict[str, Any]]:
        """Return the source of a chat and the `data` of its record. Raises ImportRejected."""
        number, target = properties.get("id"), self.target
        if kind not in TYPES:
            types = ", ".join(TYPES)
            raise self.stream.rejection(
                f"a chat of type {kind:.40} is never imported; the type must be one of {types}, "
                "and precede the messages"
            )
        if type(number) is not int or not 0 < number < 2**63:
            raise self.stream.rejection(
                "id of a chat must be a positive integer before its messages"
            )
        # A group and a channel may have the same number.
        peer = f"{'chat' if TYPES[kind] == 'group' else 'channel'}{number}"
        chat_id = str(uuid5(UUID(target.organization_id), f"telegram:{peer}"))
        title = name(properties.get("name")) or f"Chat {number}"
        stored = target.existing.chats.get(chat_id) or StoredChat()
        if not is_single:
            # A chat of an account stays in the source of this import that has it.
            is_own = f"{stored.source_id}:".startswith(f"{target.source_id}:")
            source_id = stored.source_id if is_own else f"{target.source_id}:{peer}"
            target = replace(target, source_id=source_id)
        for id_, other in target.existing.chats.items():
            is_source = other.source_id == target.source_id
            if other.source_id and (id_ == chat_id) != is_source:
                raise ImportRejected(
                    title,
                    f"{other.source_id} has the chat {other.title!r}, and a source has one chat, "
                    "which is in no other source; pass another --source",
                )
        return target, {
            "id": chat_id,
            "type": TYPES[kind],
            "title": title,
            "username": stored.username,
            "memberCount": stored.member_count,
            "linkedAt": instant_text(stored.linked_at or self.exported_at),
            "updatedAt": instant_text(max(self.exported_at, stored.updated_at or self.exported_at)),
        }

    def _records(
        self, target: Target, chat: dict[str, Any], messages: Iterable[tuple[dict[str, Any], str]]
    ) -> Iterator[Record]:
        """Yield the source, the chat and its messages, which come with their places."""
        yield target.source("telegram", chat["title"], DESCRIPTION, self.exported_at)
        yield target.record("telegram.chat", chat)
        lacked = set(target.existing.messages(chat["id"])) if self.prune else set()
        first, last, linked_at = LAST_MESSAGE_ID, 0, chat["linkedAt"]
        # Exports do not contain the members. There are at least as many as wrote.
        senders: set[str] = set()
        for exported, place in messages:
            first, last = min(first, exported["id"]), max(last, exported["id"])
            lacked.discard(exported["id"])
            if not is_kept(exported):
                self.report.skip(f"message of type: {exported.get('type')}", place)
                continue
            try:
                data = message(exported, chat["id"])
            except InvalidMessage as error:
                self.report.refuse(place, str(error))
                continue
            linked_at = min(linked_at, data["sentAt"], key=datetime.fromisoformat)
            senders |= {data["sender"]["id"]} - {None}
            yield target.record("telegram.message", data)
        gone = [number for number in sorted(lacked) if first <= number <= last]
        if gone and self.report.refused_count:
            reason = "deletions skipped: some input was refused"
            self.report.skip(reason, chat["title"], len(gone))
        else:
            yield from (target.deletion("telegram.message", each, chat["id"]) for each in gone)
        # The last record of a chat is stored.
        count = max(chat["memberCount"], len(senders), 1)
        yield target.record("telegram.chat", chat | {"linkedAt": linked_at, "memberCount": count})

    def _messages(self) -> Iterator[tuple[dict[str, Any], str]]:
        """Yield the messages of this chat that have a valid id, with their places."""
        for offset in self.stream.elements():
            place = self.stream.place(offset)
            raw = self.stream.value()
            self.report.read += 1
            exported = _value(raw)
            try:
                if raw is None:
                    raise InvalidMessage(f"a message exceeds {LONGEST_VALUE >> 20} MiB")
                if not isinstance(exported, dict):
                    reason = "is not JSON in UTF-8" if exported is None else "must be an object"
                    raise InvalidMessage(f"a message {reason}")
                place = f"{place}, message {exported.get('id')!s:.40}"
                check_id(exported)
            except InvalidMessage as error:
                self.report.refuse(place, str(error))
                continue
            if exported["id"] < 0:
                self.report.skip("message from before a group became a supergroup", place)
            else:
                yield exported, place


def _value(raw: bytes | None) -> Any:
    """Parse JSON, also as Telegram Desktop writes it; None if it is none."""
    with suppress(orjson.JSONDecodeError):
        return orjson.loads(raw or b"")
    with suppress(orjson.JSONDecodeError):
        return orjson.loads(ESCAPE.sub(lambda escape: escape[1] or rb"\u00", raw or b""))
    return None
