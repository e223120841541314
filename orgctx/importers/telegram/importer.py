"""Convert a JSON export of Telegram Desktop to bundle records.

Messages are streamed, so the longest message bounds the memory. Personal chats, saved
messages and bots are never imported. NUL characters are removed, because PostgreSQL cannot
store them.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
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
from orgctx.importers.telegram.message import InvalidMessage, before_migration, check_id, cut
from orgctx.importers.telegram.stream import LONGEST_VALUE, Stream, repair

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


class _Reader:
    """Reads an export at the stream's cursor."""

    def __init__(self, stream: Stream, target: Target, export: Export) -> None:
        self._stream, self._target, self._export = stream, target, export
        self._report = export.report
        self.has_chats = False

    def chat(self, *, is_root: bool) -> Iterator[Record]:
        """Read a chat, or the root object: a single chat, or an account with lists of chats."""
        properties: dict[str, Any] = {}
        for name in self._stream.members():
            if name in ("name", "type", "id"):
                place = self._stream.place()
                try:
                    properties[name] = orjson.loads(repair(self._stream.value() or b""))
                except orjson.JSONDecodeError:
                    self._report.refuse(place, f"{name} of a chat is not JSON")
                    properties[name] = None
            elif name == "messages":
                self.has_chats = True
                yield from self._records(properties, is_root)
            elif is_root and name in ("chats", "left_chats") and self._stream.peek() == b"{":
                yield from self._chats()
            else:
                self._stream.skip()

    def _chats(self) -> Iterator[Record]:
        for name in self._stream.members():
            if name != "list" or self._stream.peek() != b"[":
                self._stream.skip()
                continue
            self.has_chats = True
            for offset in self._stream.elements():
                if self._stream.peek() == b"{":
                    yield from self.chat(is_root=False)
                else:
                    self._report.refuse(self._stream.place(offset), "a chat must be an object")
                    self._stream.skip()

    def _records(self, properties: dict[str, Any], is_single: bool) -> Iterator[Record]:
        """Yield the records of a chat, and of the group from which it migrated, if any."""
        place, kind = self._stream.place(), str(properties.get("type"))
        if reason := self._invalid(properties):
            self._report.refuse(place, reason)
        elif personal := PERSONAL.get(kind):
            if is_single:
                reason = f"this is the export of a {personal}, which is never imported"
                raise self._stream.rejection(reason)
            self._report.skip(personal, place)
        elif not is_single and (other := self._elsewhere(self._chat_id(_peer(properties)))):
            reason = f"chat is already stored in {other}; import it there with --source {other}"
            self._report.refuse(place, reason)
        else:
            chat = self._chat(properties, is_single)
            group = None
            for exported, place in self._messages():
                if exported["id"] > 0:
                    yield from chat.add(exported, place)
                    continue
                group = group or self._chat(properties, is_single, is_earlier=True)
                yield from group.add(before_migration(exported), place)
            yield from chat.end()
            if group and group.has_begun:
                yield from group.end()
            return
        self._stream.skip()

    def _invalid(self, properties: dict[str, Any]) -> str | None:
        """Return what is wrong with the properties of a chat, or None."""
        kind, number = str(properties.get("type")), properties.get("id")
        if kind in PERSONAL:
            return None
        if kind not in TYPES:
            return f"type of a chat must precede its messages and be one of {', '.join(TYPES)}"
        if type(number) is not int or not 0 < number < 2**63:
            return "id of a chat must precede its messages and be a positive integer"
        return None if self._stream.peek() == b"[" else "messages must be an array"

    def _messages(self) -> Iterator[tuple[dict[str, Any], str]]:
        """Yield the messages that have a valid id, with their places."""
        for offset in self._stream.elements():
            place = self._stream.place(offset)
            try:
                exported = self._message()
                place = f"{place}, message {exported.get('id')!s:.40}"
                check_id(exported)
            except InvalidMessage as error:
                self._report.refuse(place, str(error))
                continue
            yield exported, place

    def _message(self) -> dict[str, Any]:
        raw = self._stream.value()
        self._report.read += 1
        if raw is None:
            raise InvalidMessage(f"a message exceeds {LONGEST_VALUE >> 20} MiB")
        try:
            exported = orjson.loads(raw)
        except orjson.JSONDecodeError:
            try:
                exported = orjson.loads(repair(raw))
            except orjson.JSONDecodeError as error:
                raise InvalidMessage(f"a message is not JSON in UTF-8: {error.msg}") from None
            self._report.repair("message with invalid escapes or an unquoted document_id")
        if not isinstance(exported, dict):
            raise InvalidMessage("a message must be an object")
        return exported

    def _chat(
        self, properties: dict[str, Any], is_single: bool, *, is_earlier: bool = False
    ) -> Chat:
        """Open a chat, or the group from which it migrated (`is_earlier`)."""
        kind, name, peer = TYPES[properties["type"]], properties.get("name"), _peer(properties)
        title = name.replace("\0", "").strip() if isinstance(name, str) else ""
        title = cut(title, "name of a chat", self._report.repair) or f"Chat {properties['id']}"
        target, label = self._target, self._target.label
        if label is not None and not is_single:
            raise ImportRejected("--label", "names one source, and each chat here gets its own")
        source_id = target.source_id if is_single else f"{target.source_id}:{peer}"
        if is_earlier:
            source_id, peer, kind = f"{source_id}:{BEFORE}", f"{peer}:{BEFORE}", "group"
            title = f"{title[:480]}{EARLIER}"
            label = f"{label[:480]}{EARLIER}" if label else label
        id_ = self._chat_id(peer)
        stored = None if is_single and not is_earlier else target.existing.chats.get(id_)
        if stored and stored.source_id and not self._elsewhere(id_):
            source_id = stored.source_id
        target = replace(target, source_id=source_id, label=label)
        return Chat(id_, kind, title, target, self._export)

    def _chat_id(self, peer: str) -> str:
        return str(uuid5(UUID(self._target.organization_id), f"telegram:{peer}"))

    def _elsewhere(self, id_: str) -> str | None:
        """Return the source that stores a chat, unless its id begins with that of the account."""
        stored = self._target.existing.chats.get(id_)
        source_id = stored.source_id if stored else None
        is_own = f"{source_id}:".startswith(f"{self._target.source_id}:")
        return None if is_own else source_id


def _peer(properties: dict[str, Any]) -> str:
    """Return the name of a chat in ids. A group and a channel may have the same number."""
    kind = "chat" if TYPES[properties["type"]] == "group" else "channel"
    return f"{kind}{properties['id']}"
