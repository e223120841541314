"""The record types of a bundle, each with its schema, its table and the steps of a load."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from orgctx.bundle import rows, schemas
from orgctx.operations.source_kinds import PREFIX_KINDS
from orgctx.resources.assets.schemas import Asset
from orgctx.resources.knowledge.schemas import KnowledgeId
from orgctx.schemas.fields import Enum, Text
from orgctx.schemas.formats import Uuid
from orgctx.schemas.payload import StrictSchema
from orgctx.schemas.strict import Strict

SOURCE_ID_LENGTH = 150


@dataclass(frozen=True, kw_only=True)
class RecordType:
    """What a load needs to know about a type of record."""

    name: str
    # staged_<table> has the columns of `row`; load/merge_<table> merges them into the table.
    table: str
    schema: type[StrictSchema]
    # The field that identifies a record in a deletion.
    id: Strict
    row: Callable[[dict[str, Any]], tuple[Any, ...]]
    # The kind of the record's source, if it has one.
    source_kind: Callable[[dict[str, Any]], str | None]
    # The type of the record that this one belongs to and is deleted with. load/count_of_<parent>
    # counts the records of this type below a parent.
    parent: str | None = "source"
    has_source: bool = True
    # A deletion is staged as a row, in order with the records. Without tombstones, a deletion runs
    # load/delete_<name> at once.
    has_tombstones: bool = False
    # People write these records. load/withhold_<table> deletes those of erased people.
    has_authors: bool = False
    # Rules between fields: returns messages by field name.
    check: Callable[[dict[str, Any]], dict[str, str]] | None = None
    # Keywords of JSON Schema for the same rules, as far as it can express them.
    condition: dict[str, Any] = field(default_factory=dict)

    @property
    def parent_name(self) -> str:
        """The parent as it is spelled in names of SQL files: `telegram_chat`; empty if none."""
        return (self.parent or "").replace(".", "_")

    @property
    def staging(self) -> str:
        """The name of the staging table."""
        return f"staged_{self.table}"


def _kind(kind: str | None = None) -> Callable[[dict[str, Any]], str | None]:
    return lambda _: kind


def _knowledge_kind(v: dict[str, Any]) -> str:
    return PREFIX_KINDS[v["id"].partition(":")[0]]


TYPES: dict[str, RecordType] = {
    record_type.name: record_type
    for record_type in (
        RecordType(
            name="organization",
            table="organizations",
            id=Uuid(),
            parent=None,
            source_kind=_kind(),
            schema=schemas.OrganizationRecord,
            has_source=False,
            row=rows.columns(
                "display_name", "slug", "created_at", "updated_at",
                "plan", "verified_holding", "preview",
            ),
        ),
        RecordType(
            name="member",
            table="members",
            id=Uuid(),
            parent="organization",
            source_kind=_kind(),
            schema=schemas.MemberRecord,
            has_source=False,
            row=rows.columns("id", "display_name", "role"),
        ),
        RecordType(
            name="source",
            table="sources",
            id=Text(SOURCE_ID_LENGTH, minimum=1),
            parent="organization",
            source_kind=_kind(),
            schema=schemas.SourceRecord,
            row=rows.columns(
                "kind", "label", "description", "href", "status",
                "updated_at", "stale_after_seconds", "account",
            ),
        ),
        RecordType(
            name="knowledge",
            table="knowledge",
            id=KnowledgeId(),
            source_kind=_knowledge_kind,
            schema=schemas.KnowledgeRecord,
            row=rows.knowledge_row,
            has_tombstones=True,
            check=schemas.check_knowledge,
            condition=schemas.KNOWLEDGE_CONDITION,
        ),
        RecordType(
            name="asset",
            table="assets",
            id=Uuid(),
            source_kind=_kind("assets"),
            schema=Asset,
            row=rows.asset_row,
            check=schemas.check_asset,
            condition=schemas.ASSET_CONDITION,
        ),
        RecordType(
            name="telegram.chat",
            table="telegram_chats",
            id=Uuid(),
            source_kind=_kind("telegram"),
            schema=schemas.ChatRecord,
            row=rows.columns(
                "id", "type", "title", "username", "member_count", "linked_at", "updated_at"
            ),
        ),
        RecordType(
            name="telegram.message",
            table="telegram_messages",
            id=schemas.MessageId(),
            parent="telegram.chat",
            source_kind=_kind("telegram"),
            schema=schemas.MessageRecord,
            row=rows.message_row,
            has_tombstones=True,
            has_authors=True,
        ),
        RecordType(
            name="x.mention",
            table="x_mentions",
            id=Text(200, minimum=1),
            source_kind=_kind("x"),
            schema=schemas.MentionRecord,
            row=rows.mention_row,
            has_tombstones=True,
            has_authors=True,
        ),
        RecordType(
            name="token",
            table="tokens",
            id=Text(SOURCE_ID_LENGTH, minimum=1),
            source_kind=_kind("token"),
            schema=schemas.TokenRecord,
            row=rows.token_row,
        ),
    )
}  # fmt: skip


class DeleteRecord(StrictSchema):
    type = Enum(*TYPES)
    id = schemas.DeleteId()
    chat_id = Uuid(default=None)
