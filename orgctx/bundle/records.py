"""The record types of a bundle: their schemas and their tables.

A RecordType turns a checked record into a row of its staging table, whose
columns `sql/load/create_staging.sql` lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import orjson

from orgctx.resources.assets.schemas import Asset
from orgctx.resources.knowledge.schemas import NOTE_SOURCES, KnowledgeId, KnowledgeSummary
from orgctx.resources.knowledge.segment import MAX_CHUNK_UNITS
from orgctx.resources.telegram.schemas import File, TelegramChat, TelegramMessage
from orgctx.resources.token import schemas as token
from orgctx.resources.x import schemas as x
from orgctx.shapes.excerpt import preview
from orgctx.shapes.fields import (
    MAX_DESCRIPTION,
    MAX_NAME,
    Choice,
    Flag,
    Instant,
    Link,
    Real,
    Strict,
    Text,
    Uuid,
    Whole,
)
from orgctx.shapes.payload import Payload, Shape
from orgctx.source_kinds import KINDS, PREFIX_KINDS

SOURCE_ID_LENGTH = 150
# Longest username; two of them fit into one index entry.
MAX_ACCOUNT = 100
MAX_CONTENT_UNITS = 10_000_000
OVERLAP = 199
CHUNK_LENGTH = MAX_CHUNK_UNITS // 2


class Content(Text):
    """The content of a document; the API reads no farther than its last offset."""

    def __init__(self) -> None:
        super().__init__(MAX_CONTENT_UNITS)

    def _parse(self, value: Any) -> str:
        text = super()._parse(value)
        if 2 * len(text) > MAX_CONTENT_UNITS and (units := utf16_length(text)) > MAX_CONTENT_UNITS:
            raise self.fault(f", counted in UTF-16 units, not {units}")
        return text


class OrganizationRecord(Shape):
    display_name = Text(MAX_NAME)
    slug = Text(200, minimum=1)
    created_at = Instant()
    updated_at = Instant()
    plan = Choice("standard", "pro", default="standard")
    verified_holding = Real(default=0)
    preview = Flag(default=False)


class MemberRecord(Shape):
    id = Uuid()
    display_name = Text(MAX_NAME, nullable=True)
    role = Choice("owner", "admin", "member", "removed")


class SourceRecord(Shape):
    kind = Choice(*KINDS)
    label = Text(MAX_NAME, minimum=1)
    description = Text(MAX_DESCRIPTION)
    href = Link(default=None)
    status = Choice(
        "current", "stale", "unavailable", "synthetic", "not_connected", "available", "error"
    )
    updated_at = Instant(nullable=True)
    stale_after_seconds = Whole(0, 2**31 - 1, default=None)
    account = Text(MAX_ACCOUNT, default=None)


class KnowledgeRecord(KnowledgeSummary):
    class Meta:
        exclude = ("kind", "preview")

    content = Content()
    content_format = Choice("markdown", "plain_text")


class ChatRecord(TelegramChat):
    class Meta:
        exclude = ("tracked_message_count", "last_message_at")


class MessageRecord(TelegramMessage):
    chat_id = Uuid()


class MentionRecord(x.XMention):
    account = Text(MAX_ACCOUNT, minimum=1)


class TokenRecord(token.TokenSummary):
    class Meta:
        exclude = ("connected",)


class MessageId(Whole):
    """The id of a message, as a deletion writes it."""

    def __init__(self) -> None:
        super().__init__(1, 2**31 - 1)

    def _parse(self, value: Any) -> int:
        return super()._parse(self.from_text(value))


class DeleteId(Strict):
    """An id of any record type: a string, or an integer for a message."""

    rule = "the id of a record"

    def _parse(self, value: Any) -> str:
        if isinstance(value, bool) or not isinstance(value, str | int) or "\0" in str(value):
            raise self.fault()
        return str(value)


@dataclass(frozen=True, kw_only=True)
class RecordType:
    """All facts that a load needs about one type of record.

    table: where it is stored; staged_<table> has the columns of `row`, and
    load/merge_<table> merges them. id: the field that identifies a record in a
    deletion. parent: the type of what a record belongs to and is deleted with;
    load/count_of_<parent> counts them. source_kind: kind of the record's source, if it has one.
    has_source: whether it names a source. has_tombstones: whether deletions
    are staged in order with the records; others run load/delete_<name>.
    """

    name: str
    table: str
    schema: type[Shape]
    id: Strict
    row: Callable[[dict[str, Any]], tuple[Any, ...]]
    source_kind: Callable[[dict[str, Any]], str | None]
    parent: str | None = "source"
    has_source: bool = True
    has_tombstones: bool = False
    check: Callable[[dict[str, Any]], dict[str, str]] | None = None

    @property
    def parent_name(self) -> str:
        """The parent in the name of a SQL file; empty if it has none."""
        return (self.parent or "").replace(".", "_")

    @property
    def staging(self) -> str:
        """The name of the staging table."""
        return f"staged_{self.table}"


def json_text(value: Any) -> str | None:
    """A JSON column; times are written as answers write them."""
    return None if value is None else orjson.dumps(value, option=orjson.OPT_UTC_Z).decode()


def _nullable(payload: type[Payload], value: dict[str, Any] | None) -> str | None:
    return None if value is None else json_text(payload.one(value))


def _knowledge_row(v: dict[str, Any]) -> tuple[Any, ...]:
    content = v["content"]
    return (
        v["id"], v["source"], v["title"], v["content_format"], v["visibility"], v["archived"],
        v["source_status"], v["source_label"], v["source_href"], v["created_at"], v["updated_at"],
        preview(content), utf16_length(content), sha256(content.encode()).digest(),
    )  # fmt: skip


def _asset_row(v: dict[str, Any]) -> tuple[Any, ...]:
    uploader = v["uploaded_by"] or {}
    return (
        v["id"], v["parent_id"], v["kind"], v["name"], v["mime"], v["bytes"], v["public"],
        v["public_url"], uploader.get("id"), uploader.get("display_name"),
        v["created_at"], v["updated_at"],
    )  # fmt: skip


def _message_row(v: dict[str, Any]) -> tuple[Any, ...]:
    sender = v["sender"]
    return (
        v["chat_id"], v["id"], sender["id"], sender["name"], sender["username"], v["kind"],
        v["text"], v["detail"], _nullable(File, v["file"]), v["reply_to_message_id"],
        v["sent_at"], v["edited_at"],
    )  # fmt: skip


def _mention_row(v: dict[str, Any]) -> tuple[Any, ...]:
    author = v["author"]
    return (
        v["id"], v["account"], v["url"], v["text"], v["created_at"],
        json_text(x.XMetrics.one(v["metrics"])), v["is_reply"], v["is_repost"],
        author["id"], author["username"], author["name"], author["verified"],
        json_text([x.XMedia.one(medium) for medium in v["media"]]),
        _nullable(x.XQuoted, v["quoted"]),
    )  # fmt: skip


def _token_row(v: dict[str, Any]) -> tuple[Any, ...]:
    return (
        _nullable(token.Token, v["token"]), _nullable(token.TokenIndex, v["index"]),
        _nullable(token.TokenHolders, v["holders"]), _nullable(token.TokenFees, v["latest_fees"]),
        v["latest_trade_at"], json_text(token.TokenSources.one(v["sources"])),
    )  # fmt: skip


def _of(kind: str | None = None) -> Callable[[dict[str, Any]], str | None]:
    return lambda _: kind


def _knowledge_kind(v: dict[str, Any]) -> str:
    return PREFIX_KINDS[v["id"].partition(":")[0]]


def _columns(*names: str) -> Callable[[dict[str, Any]], tuple[Any, ...]]:
    return lambda v: tuple(v[name] for name in names)


def _check_knowledge(v: dict[str, Any]) -> dict[str, str]:
    prefix = v["id"].partition(":")[0]
    allowed = NOTE_SOURCES if prefix == "note" else (prefix,)
    if v["source"] in allowed:
        return {}
    return {"source": f"must be {' or '.join(allowed)} where id begins with {prefix}:"}


def _check_asset(v: dict[str, Any]) -> dict[str, str]:
    faults = {}
    if v["public_url"] is not None and not v["public"]:
        faults["publicUrl"] = "must be null unless public is true"
    if v["parent_id"] == v["id"]:
        faults["parentId"] = "must not be the asset itself"
    return faults


TYPES: dict[str, RecordType] = {
    record_type.name: record_type
    for record_type in (
        RecordType(
            name="organization",
            table="organizations",
            id=Uuid(),
            parent=None,
            source_kind=_of(),
            schema=OrganizationRecord,
            has_source=False,
            row=_columns(
                "display_name", "slug", "created_at", "updated_at",
                "plan", "verified_holding", "preview",
            ),
        ),
        RecordType(
            name="member",
            table="members",
            id=Uuid(),
            parent="organization",
            source_kind=_of(),
            schema=MemberRecord,
            has_source=False,
            row=_columns("id", "display_name", "role"),
        ),
        RecordType(
            name="source",
            table="sources",
            id=Text(SOURCE_ID_LENGTH, minimum=1),
            parent="organization",
            source_kind=_of(),
            schema=SourceRecord,
            row=_columns(
                "kind", "label", "description", "href", "status",
                "updated_at", "stale_after_seconds", "account",
            ),
        ),
        RecordType(
            name="knowledge",
            table="knowledge",
            id=KnowledgeId(),
            source_kind=_knowledge_kind,
            schema=KnowledgeRecord,
            row=_knowledge_row,
            has_tombstones=True,
            check=_check_knowledge,
        ),
        RecordType(
            name="asset",
            table="assets",
            id=Uuid(),
            source_kind=_of("assets"),
            schema=Asset,
            row=_asset_row,
            check=_check_asset,
        ),
        RecordType(
            name="telegram.chat",
            table="telegram_chats",
            id=Uuid(),
            source_kind=_of("telegram"),
            schema=ChatRecord,
            row=_columns(
                "id", "type", "title", "username", "member_count", "linked_at", "updated_at"
            ),
        ),
        RecordType(
            name="telegram.message",
            table="telegram_messages",
            id=MessageId(),
            parent="telegram.chat",
            source_kind=_of("telegram"),
            schema=MessageRecord,
            row=_message_row,
            has_tombstones=True,
        ),
        RecordType(
            name="x.mention",
            table="x_mentions",
            id=Text(200, minimum=1),
            source_kind=_of("x"),
            schema=MentionRecord,
            row=_mention_row,
            has_tombstones=True,
        ),
        RecordType(
            name="token",
            table="tokens",
            id=Text(SOURCE_ID_LENGTH, minimum=1),
            source_kind=_of("token"),
            schema=TokenRecord,
            row=_token_row,
        ),
    )
}  # fmt: skip


class DeleteRecord(Shape):
    type = Choice(*TYPES)
    id = DeleteId()
    chat_id = Uuid(default=None)


def utf16_length(text: str) -> int:
    """The length in UTF-16 code units."""
    return len(text.encode("utf-16-le")) // 2


def chunks(content: str) -> Iterator[tuple[int, int, str, str]]:
    """Split a content into (first unit, units, text, the next code points for searches)."""
    first_unit = 0
    for start in range(0, len(content), CHUNK_LENGTH):
        end = start + CHUNK_LENGTH
        piece = content[start:end]
        units = utf16_length(piece)
        yield first_unit, units, piece, content[end : end + OVERLAP]
        first_unit += units
