"""The record types of a bundle: the schemas that answers are shaped by, and where they go.

A RecordType turns a checked record into a row of its staging table, whose
columns stand in `sql/load/create_staging.sql`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import orjson
from marshmallow import ValidationError

from orgctx.exposure import KINDS
from orgctx.resources.assets.schemas import Asset
from orgctx.resources.knowledge.schemas import KnowledgeId, KnowledgeSummary
from orgctx.resources.knowledge.segment import MAX_CHUNK_UNITS
from orgctx.resources.telegram.schemas import File, TelegramChat, TelegramMessage
from orgctx.resources.token import schemas as token
from orgctx.resources.x import schemas as x
from orgctx.shapes.excerpt import preview
from orgctx.shapes.fields import Choice, Flag, Instant, Real, Strict, Text, Uuid, Whole
from orgctx.shapes.payload import Payload, Shape

SOURCE_ID_LENGTH = 150
OVERLAP = 199
CHUNK_LENGTH = MAX_CHUNK_UNITS // 2
NOTE_SOURCES = ("team", "answer")


class OrganizationRecord(Shape):
    display_name = Text()
    slug = Text(200, minimum=1)
    created_at = Instant()
    updated_at = Instant()
    plan = Choice("standard", "pro", default="standard")
    verified_holding = Real(default=0)
    preview = Flag(default=False)


class MemberRecord(Shape):
    id = Uuid()
    display_name = Text(nullable=True)
    role = Choice("owner", "admin", "member", "removed")


class SourceRecord(Shape):
    kind = Choice(*KINDS)
    label = Text(minimum=1)
    description = Text()
    href = Text(default=None)
    status = Choice(
        "current", "stale", "unavailable", "synthetic", "not_connected", "available", "error"
    )
    updated_at = Instant(nullable=True)
    stale_after_seconds = Whole(0, 2**31 - 1, default=None)
    account = Text(default=None)


class KnowledgeRecord(KnowledgeSummary):
    class Meta:
        exclude = ("kind", "preview")

    content = Text()
    content_format = Choice("markdown", "plain_text")


class ChatRecord(TelegramChat):
    class Meta:
        exclude = ("tracked_message_count", "last_message_at")


class MessageRecord(TelegramMessage):
    chat_id = Uuid()


class MentionRecord(x.XMention):
    account = Text(minimum=1)


class TokenRecord(token.TokenSummary):
    class Meta:
        exclude = ("connected",)


class DeleteId(Strict):
    """An id of any record type: a string, or an integer for a message."""

    rule = "the id of a record"

    def _parse(self, value: Any) -> str:
        if isinstance(value, bool) or not isinstance(value, str | int) or "\0" in str(value):
            raise self.fault()
        return str(value)


class DeleteRecord(Shape):
    type = Choice(
        "organization", "member", "source", "knowledge", "asset",
        "telegram.chat", "telegram.message", "x.mention", "token",
    )  # fmt: skip
    id = DeleteId()
    chat_id = Uuid(default=None)


@dataclass(frozen=True, kw_only=True)
class RecordType:
    """How one type of record is checked and staged.

    row: the staging columns behind sequence, organization and source.
    has_tombstones: whether deletions are staged in order with the records.
    """

    name: str
    table: str
    schema: type[Shape]
    row: Callable[[dict[str, Any]], tuple[Any, ...]]
    has_source: bool = True
    has_tombstones: bool = False
    check: Callable[[dict[str, Any]], dict[str, str]] | None = None


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
            table="staged_organizations",
            schema=OrganizationRecord,
            has_source=False,
            row=_columns(
                "display_name", "slug", "created_at", "updated_at",
                "plan", "verified_holding", "preview",
            ),
        ),
        RecordType(
            name="member",
            table="staged_members",
            schema=MemberRecord,
            has_source=False,
            row=_columns("id", "display_name", "role"),
        ),
        RecordType(
            name="source",
            table="staged_sources",
            schema=SourceRecord,
            row=_columns(
                "kind", "label", "description", "href", "status",
                "updated_at", "stale_after_seconds", "account",
            ),
        ),
        RecordType(
            name="knowledge",
            table="staged_knowledge",
            schema=KnowledgeRecord,
            row=_knowledge_row,
            has_tombstones=True,
            check=_check_knowledge,
        ),
        RecordType(
            name="asset",
            table="staged_assets",
            schema=Asset,
            row=_asset_row,
            check=_check_asset,
        ),
        RecordType(
            name="telegram.chat",
            table="staged_chats",
            schema=ChatRecord,
            row=_columns(
                "id", "type", "title", "username", "member_count", "linked_at", "updated_at"
            ),
        ),
        RecordType(
            name="telegram.message",
            table="staged_messages",
            schema=MessageRecord,
            row=_message_row,
            has_tombstones=True,
        ),
        RecordType(
            name="x.mention",
            table="staged_mentions",
            schema=MentionRecord,
            row=_mention_row,
            has_tombstones=True,
        ),
        RecordType(name="token", table="staged_tokens", schema=TokenRecord, row=_token_row),
    )
}  # fmt: skip


def utf16_length(text: str) -> int:
    """The length in UTF-16 code units."""
    return len(text.encode("utf-16-le")) // 2


def chunks(content: str) -> Iterator[tuple[int, int, str, str]]:
    """A content in pieces: (first unit, units, text, the next code points for searches)."""
    first_unit = 0
    for start in range(0, len(content), CHUNK_LENGTH):
        end = start + CHUNK_LENGTH
        piece = content[start:end]
        units = utf16_length(piece)
        yield first_unit, units, piece, content[end : end + OVERLAP]
        first_unit += units


def parse_delete_id(record_type: str, text: str) -> Any:
    """The id of a deleted record as its table holds it. Raises ValidationError."""
    if record_type == "telegram.message":
        return Whole(1, 2**31 - 1).parse(Whole().from_text(text))
    if record_type in ("organization", "member", "asset", "telegram.chat"):
        return Uuid().parse(text)
    if record_type == "knowledge":
        return KnowledgeId().parse(text)
    if not text:
        raise ValidationError("must not be empty")
    return text
