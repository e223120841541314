"""Convert a JSON export of Telegram Desktop to bundle records.

Messages are streamed, so the longest message bounds the memory. Personal chats, saved
messages and bots are never imported. NUL characters are removed, because PostgreSQL cannot
store them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, tzinfo
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

import orjson

from orgctx.bundle.packed import SUFFIXES
from orgctx.importers.json_file import opened
from orgctx.importers.records import Progress, Record, Target, modified_at, no_progress
from orgctx.importers.report import ImportRejected, Report
from orgctx.importers.telegram.chat import ChatReader
from orgctx.importers.telegram.history import Chat, History
from orgctx.importers.telegram.message import CHAT_SHIFT, USER_SHIFT
from orgctx.importers.telegram.repair import repair
from orgctx.importers.telegram.stream import Stream
from orgctx.importers.telegram.text import cut
from orgctx.importers.telegram.time import collected_at

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
PROPERTIES = ("name", "type", "id")
LISTS = ("chats", "left_chats")
EXPORT_AGAIN = "export again in Telegram Desktop and choose JSON as the format"
BEFORE = "before-migration"
EARLIER = " (before migration)"


def records(
    path: Path,
    *,
    target: Target,
    report: Report,
    timezone: tzinfo = UTC,
    prune: bool = False,
    progress: Progress = no_progress,
) -> Iterator[Record]:
    """Yield the records of an export.

    A single chat goes into the source. Each chat of an account goes into
    `<source>:<telegram id>`, because a source contains one chat. Messages from before a group
    became a supergroup go into `<source>:before-migration`.

    Args:
        path: the file or the folder of the export.
        timezone: the zone of times without one.
        prune: delete stored messages that the export should contain but lacks.
        progress: called with the number of bytes read.

    Raises:
        ImportRejected: the file is truncated or not an export, or the source contains another chat.
    """
    path = _file(path)
    written_at = modified_at(path)
    exported_at = collected_at(path, timezone) or (None if path.is_file() else written_at)
    new_chat = partial(
        Chat, collected_at=exported_at, written_at=written_at, zone=timezone, prune=prune
    )
    with opened(path, EXPORT_AGAIN, progress) as file:
        reader = ChatReader(Stream(file, path.name), report, timezone)
        yield from _Export(reader, report, target, new_chat).records()


def _file(path: Path) -> Path:
    if not path.is_dir():
        return path
    for suffix in ("", *SUFFIXES):
        if (file := path / f"result.json{suffix}").is_file():
            return file
    if next(path.glob("messages*.html"), None):
        raise ImportRejected(path.name, f"is an HTML export; {EXPORT_AGAIN}")
    raise ImportRejected(
        path.name, "contains no result.json; pass the folder or the file of an export"
    )


class _Export:
    def __init__(
        self, reader: ChatReader, report: Report, target: Target, new_chat: Callable[..., Chat]
    ) -> None:
        self._stream, self._reader, self._report = reader.stream, reader, report
        self._target, self._new_chat = target, new_chat
        self._has_chats = False

    def records(self) -> Iterator[Record]:
        stream = self._stream
        if stream.peek() != b"{":
            raise stream.rejection(f"an export begins with {{; {EXPORT_AGAIN}")
        yield from self._object(is_account=True)
        if stream.peek():
            raise stream.rejection("unexpected content after the end of the export")
        if not self._has_chats:
            raise stream.rejection(
                "this is not an export of Telegram Desktop with messages; "
                "choose groups and channels when you export"
            )

    def _object(self, *, is_account: bool) -> Iterator[Record]:
        """Read a chat, or the root object: a single chat, or an account with lists of chats."""
        properties: dict[str, Any] = {}
        for name in self._stream.members():
            if name in PROPERTIES:
                properties[name] = self._property(name)
            elif name == "messages":
                self._has_chats = True
                yield from self._chat(properties, is_account)
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

    def _property(self, name: str) -> Any:
        place = self._stream.place()
        try:
            return orjson.loads(repair(self._stream.value() or b""))
        except orjson.JSONDecodeError:
            self._report.refuse(place, f"{name} of a chat is not JSON")
            return None

    def _chat(self, properties: dict[str, Any], is_single: bool) -> Iterator[Record]:
        place, kind = self._stream.place(), properties.get("type")
        personal = PERSONAL.get(kind) if isinstance(kind, str) else None
        if personal and is_single:
            raise self._stream.rejection(
                f"this is the export of a {personal}, which is never imported"
            )
        if personal:
            self._report.skip(personal, place)
            self._stream.skip()
            return
        if error := _property_error(properties):
            self._report.refuse(place, error)
        elif self._stream.peek() != b"[":
            self._report.refuse(place, "messages must be an array")
        else:
            yield from self._reader.records(
                lambda is_old, is_earlier: History(
                    self._chat_of(properties, is_single, is_old, is_earlier), self._report
                )
            )
            return
        self._stream.skip()

    def _chat_of(
        self, properties: dict[str, Any], is_single: bool, is_old: bool, is_earlier: bool
    ) -> Chat:
        kind, number = TYPES[properties["type"]], properties["id"]
        if is_old and CHAT_SHIFT < number < CHAT_SHIFT + USER_SHIFT:
            number -= CHAT_SHIFT
        name = properties.get("name")
        title = name.replace("\0", "").strip() if isinstance(name, str) else ""
        title = cut(title, "name of a chat", self._report.repair) or f"Chat {number}"
        # A group and a channel may have the same number.
        peer = f"{'chat' if kind == 'group' else 'channel'}{number}"
        parts = [self._target.source_id, *([] if is_single else [peer])]
        if is_earlier:
            parts.append(BEFORE)
            peer, kind, title = f"{peer}:{BEFORE}", "group", f"{title[:480]}{EARLIER}"
        target = self._target
        if target.label is not None and not is_single:
            raise ImportRejected("--label", "names one source, and each chat here gets its own")
        id_ = str(uuid5(UUID(target.organization_id), f"telegram:{peer}"))
        stored = None if is_single and not is_earlier else target.existing.chats.get(id_)
        source_id = (stored.source_id if stored else None) or ":".join(parts)
        label = f"{target.label[:480]}{EARLIER}" if target.label and is_earlier else target.label
        target = replace(target, source_id=source_id, label=label)
        return self._new_chat(id=id_, type=kind, title=title, target=target)


def _property_error(properties: dict[str, Any]) -> str | None:
    """Return which property of a chat is missing or invalid, or None."""
    kind, number = properties.get("type"), properties.get("id")
    if not isinstance(kind, str) or kind not in TYPES:
        return f"type of a chat must precede its messages and be one of {', '.join(TYPES)}"
    if type(number) is not int or not 0 < number < 2**63:
        return "id of a chat must precede its messages and be a positive integer"
    return None
