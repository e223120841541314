"""Convert a JSON export of Telegram Desktop to bundle records.

Messages are streamed, so the longest message bounds the memory. Personal chats, saved messages and
bots are never imported.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from time import time
from typing import Any
from uuid import UUID, uuid5

import orjson

from orgctx.bundle import packed
from orgctx.importers.json_file import opened
from orgctx.importers.records import Progress, Record, Target, modified_at, no_progress
from orgctx.importers.report import ImportRejected, Report
from orgctx.importers.telegram.chat import Chat, Export
from orgctx.importers.telegram.message import before_migration, check_id, cut, string
from orgctx.importers.telegram.stream import LONGEST_VALUE, Stream, repair
from orgctx.importers.telegram.text import InvalidMessage

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
EXPORT_AGAIN = "export again in Telegram Desktop and choose JSON as the format"
# The chat of a group before it became a supergroup.
BEFORE, EARLIER = "before-migration", " (before migration)"
STATED = re.compile(rb'"(?:date|edited|last_active)_unixtime" ?: ?"?([0-9]{1,11})\b')
CHUNK = 1024 * 1024
LONGEST_STATED = 64


def records(
    path: Path,
    *,
    target: Target,
    report: Report,
    prune: bool = False,
    progress: Progress = no_progress,
) -> Iterator[Record]:
    """Yield the records of an export. Raises ImportRejected if it is truncated, older or none.

    A single chat goes into the source. Each chat of an account goes into
    `<source>:<telegram id>`, because a source contains one chat. Messages from before a group
    became a supergroup go into `<source>:before-migration`.
    """
    path = _file(path)
    written_at = modified_at(path)
    # A pipe can be read only once, so its times are unknown.
    stated_at = _stated_at(path) if path.is_file() else written_at
    with opened(path, EXPORT_AGAIN, progress) as file:
        stream = Stream(file, path.name)
        reader = _Reader(stream, target, Export(report, stated_at, written_at, prune))
        if stream.peek() != b"{":
            raise stream.rejection(f"an export begins with {{; {EXPORT_AGAIN}")
        yield from reader.chat(is_root=True)
        if stream.peek():
            raise stream.rejection("unexpected content after the end of the export")
        if not reader.has_chats:
            raise stream.rejection(
                "this is not an export of Telegram Desktop with messages; "
                "choose groups and channels when you export"
            )


def _file(path: Path) -> Path:
    if not path.is_dir():
        return path
    for suffix in ("", *packed.SUFFIXES):
        file = path / f"result.json{suffix}"
        if file.is_symlink():
            raise ImportRejected(str(file), "is a link, which may lead out of the folder")
        if file.is_file():
            return file
    reason = "contains no result.json; pass the folder or the file of an export"
    if next(path.glob("messages*.html"), None):
        reason = f"is an HTML export; {EXPORT_AGAIN}"
    raise ImportRejected(path.name, reason)


def _stated_at(path: Path) -> datetime | None:
    """Return when the export was made: its newest time that is not in the future, or None."""
    newest, overlap, now = 0, b"", int(time())
    with packed.opened(path) as file:
        while chunk := file.read(CHUNK):
            text = overlap + chunk
            stated = map(int, STATED.findall(text))
            newest = max([newest, *(second for second in stated if second <= now)])
            overlap = text[-LONGEST_STATED:]
    return datetime.fromtimestamp(newest, UTC) if newest else None


@dataclass
class _Reader:
    """Reads an export at the stream's cursor."""

    stream: Stream
    target: Target
    export: Export
    has_chats: bool = False

    def chat(self, *, is_root: bool) -> Iterator[Record]:
        """Read a chat, or the root object: a single chat, or an account with lists of chats."""
        properties: dict[str, Any] = {}
        for name in self.stream.members():
            if name in ("name", "type", "id"):
                properties[name] = _value(self.stream.value() or b"")
            elif name == "messages":
                self.has_chats = True
                yield from self._records(properties, is_root)
            elif is_root and name in ("chats", "left_chats") and self.stream.peek() == b"{":
                yield from self._chats()
            else:
                self.stream.skip()

    def _chats(self) -> Iterator[Record]:
        for name in self.stream.members():
            if name != "list" or self.stream.peek() != b"[":
                self.stream.skip()
                continue
            self.has_chats = True
            for offset in self.stream.elements():
                if self.stream.peek() == b"{":
                    yield from self.chat(is_root=False)
                else:
                    self.export.report.refuse(self.stream.place(offset), "a chat must be an object")
                    self.stream.skip()

    def _records(self, properties: dict[str, Any], is_single: bool) -> Iterator[Record]:
        """Yield the records of a chat, and of the group from which it migrated, if any."""
        place, kind = self.stream.place(), str(properties.get("type"))
        personal = PERSONAL.get(kind)
        if personal and is_single:
            raise self.stream.rejection(
                f"this is the export of a {personal}, which is never imported"
            )
        if personal:
            self.export.report.skip(personal, place)
            self.stream.skip()
            return
        try:
            if reason := self._invalid(properties):
                raise self.stream.rejection(reason)
            chats = {False: self._open(properties, is_single)}
        except ImportRejected as error:
            if is_single or self.target.label is not None:
                raise
            self.export.report.refuse(place, str(error))
            self.stream.skip()
            return
        yield from chats[False].begin()
        for exported, message_place in self._messages():
            is_earlier = exported["id"] < 0
            if is_earlier and is_earlier not in chats:
                chats[True] = self._open(properties, is_single, is_earlier=True)
                yield from chats[True].begin()
            exported = before_migration(exported) if is_earlier else exported
            yield from chats[is_earlier].add(exported, message_place)
        for chat in chats.values():
            yield from chat.end()

    def _invalid(self, properties: dict[str, Any]) -> str | None:
        """Return what is wrong with the properties of a chat, or None."""
        number = properties.get("id")
        if str(properties.get("type")) not in TYPES:
            return f"type of a chat must precede its messages and be one of {', '.join(TYPES)}"
        if type(number) is not int or not 0 < number < 2**63:
            return "id of a chat must precede its messages and be a positive integer"
        return None if self.stream.peek() == b"[" else "messages must be an array"

    def _messages(self) -> Iterator[tuple[dict[str, Any], str]]:
        """Yield the messages that have a valid id, with their places."""
        for offset in self.stream.elements():
            place = self.stream.place(offset)
            raw = self.stream.value()
            self.export.report.read += 1
            exported = _value(raw, self.export.report)
            try:
                if raw is None:
                    raise InvalidMessage(f"a message exceeds {LONGEST_VALUE >> 20} MiB")
                if not isinstance(exported, dict):
                    reason = "is not JSON in UTF-8" if exported is None else "must be an object"
                    raise InvalidMessage(f"a message {reason}")
                place = f"{place}, message {exported.get('id')!s:.40}"
                check_id(exported)
            except InvalidMessage as error:
                self.export.report.refuse(place, str(error))
                continue
            yield exported, place

    def _open(
        self, properties: dict[str, Any], is_single: bool, *, is_earlier: bool = False
    ) -> Chat:
        """Open a chat, or the group from which it migrated. Raises ImportRejected."""
        kind, target, label = TYPES[properties["type"]], self.target, self.target.label
        # A group and a channel may have the same number.
        peer = f"{'chat' if kind == 'group' else 'channel'}{properties['id']}"
        title = cut(string(properties.get("name")), "name of a chat", self.export.report.repair)
        title = title or f"Chat {properties['id']}"
        if label is not None and not is_single:
            raise ImportRejected("--label", "names one source, and each chat here gets its own")
        source_id = target.source_id if is_single else f"{target.source_id}:{peer}"
        if is_earlier:
            source_id, peer, kind = f"{source_id}:{BEFORE}", f"{peer}:{BEFORE}", "group"
            title = f"{title[:480]}{EARLIER}"
            label = f"{label[:480]}{EARLIER}" if label else label
        id_ = str(uuid5(UUID(target.organization_id), f"telegram:{peer}"))
        stored = target.existing.chats.get(id_)
        # A chat of an account stays in the source of this import that has it.
        if stored and f"{stored.source_id}:".startswith(f"{target.source_id}:") and not is_single:
            source_id = stored.source_id or source_id
        target = replace(target, source_id=source_id, label=label)
        return Chat(id_, kind, title, target, self.export)


def _value(raw: bytes | None, report: Report | None = None) -> Any:
    """Parse JSON, also with the escapes that Telegram Desktop writes; None if it is none."""
    try:
        return orjson.loads(raw or b"")
    except orjson.JSONDecodeError:
        pass
    try:
        value = orjson.loads(repair(raw or b""))
    except orjson.JSONDecodeError:
        return None
    if report:
        report.repair("message with invalid escapes")
    return value
