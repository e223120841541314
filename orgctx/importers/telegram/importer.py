"""Convert a JSON export of Telegram Desktop to bundle records.

Messages are streamed, so the longest message bounds the memory. Personal chats, saved messages and
bots are never imported.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from io import BytesIO
from itertools import chain
from pathlib import Path
from time import time
from typing import Any

import orjson

from orgctx.importers.decoding import opened
from orgctx.importers.records import Record, Target, modified_at
from orgctx.importers.report import ImportRejected, Report
from orgctx.importers.telegram.chat import Chat, chat_id
from orgctx.importers.telegram.message import check_id, name
from orgctx.importers.telegram.stream import LONGEST_VALUE, Stream
from orgctx.importers.telegram.text import InvalidMessage

TYPES = {
    "private_group": "group",
    "private_supergroup": "supergroup",
    "public_supergroup": "supergroup",
    "private_channel": "channel",
    "public_channel": "channel",
}
EXPORT_AGAIN = "export again in Telegram Desktop and choose JSON as the format"
STATED = re.compile(rb'"(?:date|edited|last_active)_unixtime" ?: ?"?([0-9]{1,11})\b')
CHUNK = 1024 * 1024
LONGEST_STATED = 64
# An escape, of which the group matches one that is JSON. Telegram Desktop writes control characters
# as `\xNN`.
ESCAPE = re.compile(rb"(\\[^x])|\\x", re.DOTALL)
# Telegram Desktop 4.1 wrote the file of a custom emoji without quotation marks. No string of JSON
# has an end of a line.
UNQUOTED = re.compile(rb'^( *"document_id": )[^"\n]+$', re.MULTILINE)


def records(
    path: Path,
    *,
    target: Target,
    report: Report,
    prune: bool = False,
) -> Iterator[Record]:
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


@dataclass
class _Reader:
    """Reads an export at the stream's cursor."""

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
                yield from self._records(properties, is_single)
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

    def _records(self, properties: dict[str, Any], is_single: bool) -> Iterator[Record]:
        """Yield the records of a chat."""
        place, kind, read_count = self.stream.place(), str(properties.get("type")), self.report.read
        if kind not in TYPES and not is_single:
            self.report.skip(f"chat of type: {kind}", place)
            self.stream.value()
            return
        try:
            chat = self._open(properties, is_single)
        except ImportRejected as error:
            if is_single:
                raise
            self.report.refuse(place, str(error))
            self.stream.value()
            return
        messages = self._messages()
        if first := next(messages, None):
            yield from chat.records(chain([first], messages), self.report, prune=self.prune)
        if self.report.read == read_count:
            self.report.skip("chat without messages", place)

    def _open(self, properties: dict[str, Any], is_single: bool) -> Chat:
        """Open a chat. Raises ImportRejected."""
        kind, number, target = str(properties.get("type")), properties.get("id"), self.target
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
        if self.stream.peek() != b"[":
            raise self.stream.rejection("messages must be an array")
        # A group and a channel may have the same number.
        peer = f"{'chat' if TYPES[kind] == 'group' else 'channel'}{number}"
        title = name(properties.get("name")) or f"Chat {number}"
        if not is_single:
            # A chat of an account stays in the source of this import that has it.
            stored = target.existing.chats.get(chat_id(target, peer))
            source_id = stored.source_id if stored else ""
            is_own = f"{source_id}:".startswith(f"{target.source_id}:")
            target = replace(
                target, source_id=source_id if is_own else f"{target.source_id}:{peer}"
            )
        return Chat(peer, TYPES[kind], title, target, self.exported_at)

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
                continue
            yield exported, place


def _value(raw: bytes | None) -> Any:
    """Parse JSON, also as Telegram Desktop writes it; None if it is none."""
    with suppress(orjson.JSONDecodeError):
        return orjson.loads(raw or b"")
    with suppress(orjson.JSONDecodeError):
        escaped = ESCAPE.sub(lambda escape: escape[1] or rb"\u00", raw or b"")
        return orjson.loads(UNQUOTED.sub(rb"\1null", escaped))
    return None
