"""The record types of a bundle, each with its schema, its table and the steps of a load."""

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import orjson

from orgctx.bundle import schemas
from orgctx.bundle.holds import text_digest
from orgctx.operations.source_kinds import PREFIX_KINDS
from orgctx.resources import token, x
from orgctx.resources.assets import Asset
from orgctx.resources.knowledge.schemas import KnowledgeId
from orgctx.resources.telegram.schemas import File
from orgctx.schemas.fields import Enum, Strict, Text
from orgctx.schemas.formats import Uuid
from orgctx.schemas.payload import Payload, StrictSchema
from orgctx.schemas.text import preview, utf16_length
from orgctx.stores.db import fill_slots, sql


def _texts(v: dict[str, Any]) -> dict[str, Any]:
    """Return the columns that a load computes of the content of a document."""
    content = v["content"]
    return {
        "preview": preview(content),
        "content_units": utf16_length(content),
        "content_digest": sha256(content.encode()).digest(),
        "text_digest": text_digest(v["id"], content),
    }


def _uploader(v: dict[str, Any]) -> dict[str, Any]:
    uploader = v["uploaded_by"] or {}
    names = {"uploaded_by_id": "id", "uploaded_by_name": "display_name"}
    return {column: uploader.get(name) for column, name in names.items()}


def _member(name: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Return what finds the columns `<name>_<member>` in the object with that name."""
    return lambda v: {f"{name}_{member}": value for member, value in v[name].items()}


def _json_text(payload: type[Payload], value: Any) -> str | None:
    """Serialize a JSON column, with times as in responses."""
    if value is None:
        return None
    members = [*map(payload.one, value)] if isinstance(value, list) else payload.one(value)
    return orjson.dumps(members, option=orjson.OPT_UTC_Z).decode()


SOURCE_ID_LENGTH = 150


@dataclass(frozen=True, kw_only=True)
class RecordType:
    """What a load needs to know about a type of record."""

    name: str
    table: str
    schema: type[StrictSchema]
    # The field that identifies a record in a deletion.
    id: Strict
    # The columns of staged_<table>, with their types in the table.
    columns: tuple[str, ...]
    # Returns the columns that are not fields of a record.
    derived: Callable[[dict[str, Any]], dict[str, Any]] = lambda _: {}
    # The columns of JSON, and the schema of their objects.
    json: dict[str, type[Payload]] = field(default_factory=dict)
    # The primary key of the table, without organization_id.
    key: tuple[str, ...] = ("id",)
    # The statement that merges the staged records.
    merged_by: str = "bundle/merge_records"
    # The part of bundle/merge_records that notes the sources of what is replaced or deleted. It is
    # the first, because Citus runs the parts of a statement one after the other.
    touched_by: str | None = "bundle/touched_sources_of_type"
    # The part that notes which records changed.
    noted_by: str | None = None
    # Which merged records count as changes of their source.
    counted: str = "true"
    # The statements that create staged_<table>, those of other types and what their merge fills; by
    # default, bundle/create_staged_table creates it alone.
    staged_by: str | None = None
    # The statement that finds errors of staged records beside bundle/find_reference_errors, and the
    # one that runs before the merge.
    checked_by: str | None = None
    prepared_by: str | None = None
    # The kind of the record's source, if it has one, or what finds the kind in a record.
    kind: str | Callable[[dict[str, Any]], str] | None = None
    # The type of the record that this one belongs to and is deleted with.
    parent: str | None = "source"
    has_source: bool = True
    # The statement that deletes a record at once; if empty, a deletion is staged as a row, in
    # order with the records.
    deleted_by: str = ""
    # People write these records. bundle/withhold_<table> deletes those of erased people.
    has_authors: bool = False
    # Rules between fields: returns messages by field name.
    check: Callable[[dict[str, Any]], dict[str, str]] | None = None

    @property
    def staging(self) -> str:
        """The name of the staging table."""
        return f"staged_{self.table}"

    def source_kind(self, values: dict[str, Any]) -> str | None:
        """Return the kind of a record's source."""
        return self.kind(values) if callable(self.kind) else self.kind

    def column_values(self, values: dict[str, Any]) -> tuple[Any, ...]:
        """Return the values of the columns for a record."""
        row = values | self.derived(values)
        return tuple(
            _json_text(self.json[name], row[name]) if name in self.json else row[name]
            for name in self.columns
        )

    def statement(self, name: str) -> str:
        """Return a statement with the fields, and the names of tables and columns."""
        columns = ("source_id", *self.columns) if self.parent == "source" else self.columns
        updated = [column for column in columns if column not in self.key]
        # The id of a source is where other records have that of theirs.
        staged_key = self.key if {*self.key} <= {*self.columns} else ("source_id",)
        identity = ("organization_id", *self.key)
        slots = dict(
            vars(self),
            touched=sql(self.touched_by) if self.touched_by else "",
            noted=sql(self.noted_by) if self.noted_by else "",
            owner_id=f"{(self.parent or '').rpartition('.')[2]}_id",
            staging=self.staging,
            key=", ".join(self.key),
            identity=", ".join(identity),
            t_identity=", ".join(f"t.{column}" for column in identity),
            l_identity=", ".join(f"l.{column}" for column in identity),
            staged_identity=", ".join(("organization_id", *staged_key)),
            columns=", ".join(self.columns),
            updated=", ".join(updated),
            stored=", ".join(f"t.{column}" for column in updated),
            excluded=", ".join(f"excluded.{column}" for column in updated),
        )
        return fill_slots(sql(name), slots)


TYPES: dict[str, RecordType] = {
    record_type.name: record_type
    for record_type in (
        RecordType(
            name="organization",
            table="organizations",
            staged_by="bundle/create_staging",
            id=Uuid(),
            parent=None,
            schema=schemas.OrganizationRecord,
            has_source=False,
            key=(),
            merged_by="bundle/merge_organizations",
            deleted_by="bundle/delete_organization",
            columns=(
                "display_name", "slug", "created_at", "updated_at",
                "plan", "verified_holding", "preview",
            ),
        ),
        RecordType(
            name="member",
            table="members",
            id=Uuid(),
            parent="organization",
            schema=schemas.MemberRecord,
            has_source=False,
            key=("user_id",),
            prepared_by="bundle/sign_out_promoted",
            merged_by="bundle/merge_organizations",
            deleted_by="bundle/delete_record",
            columns=("user_id", "display_name", "role"),
            derived=lambda v: {"user_id": v["id"]},
        ),
        RecordType(
            name="source",
            table="sources",
            staged_by="bundle/create_staging",
            id=Text(SOURCE_ID_LENGTH, minimum=1),
            parent="organization",
            schema=schemas.SourceRecord,
            checked_by="bundle/find_source_errors",
            prepared_by="bundle/limit_times",
            merged_by="bundle/merge_organizations",
            deleted_by="bundle/delete_source",
            columns=(
                "kind", "label", "description", "href", "status",
                "updated_at", "stale_after_seconds", "account",
            ),
        ),
        RecordType(
            name="knowledge",
            table="knowledge",
            staged_by="bundle/create_knowledge_staging",
            prepared_by="bundle/copy_contents",
            id=KnowledgeId(),
            kind=lambda v: PREFIX_KINDS[v["id"].partition(":")[0]],
            schema=schemas.KnowledgeRecord,
            noted_by="bundle/changed_knowledge_of_type",
            columns=(
                "id", "source", "title", "content_format", "visibility", "archived",
                "source_status", "source_label", "source_href", "created_at", "updated_at",
                "preview", "content_units", "content_digest", "text_digest",
            ),
            derived=_texts,
            check=schemas.check_knowledge,
        ),
        RecordType(
            name="asset",
            table="assets",
            checked_by="bundle/find_parent_errors",
            id=Uuid(),
            kind="assets",
            schema=Asset,
            deleted_by="bundle/delete_asset",
            columns=(
                "id", "parent_id", "kind", "name", "mime", "bytes", "public", "public_url",
                "uploaded_by_id", "uploaded_by_name", "created_at", "updated_at",
            ),
            derived=_uploader,
            check=schemas.check_asset,
        ),
        RecordType(
            name="telegram.chat",
            table="telegram_chats",
            staged_by="bundle/create_telegram_staging",
            checked_by="bundle/find_chat_errors",
            prepared_by="bundle/fill_touched_chats",
            id=Uuid(),
            kind="telegram",
            schema=schemas.ChatRecord,
            counted="NOT is_new",
            deleted_by="bundle/delete_telegram_chat",
            columns=(
                "id", "type", "title", "username", "member_count", "linked_at", "updated_at"
            ),
        ),
        RecordType(
            name="telegram.message",
            table="telegram_messages",
            staged_by="bundle/create_telegram_staging",
            checked_by="bundle/find_chat_errors",
            prepared_by="bundle/fill_touched_chats",
            id=schemas.MessageId(),
            parent="telegram.chat",
            kind="telegram",
            schema=schemas.MessageRecord,
            key=("chat_id", "id"),
            touched_by=None,
            columns=(
                "chat_id", "id", "sender_id", "sender_name", "sender_username", "kind", "text",
                "detail", "file", "reply_to_message_id", "sent_at", "edited_at",
            ),
            derived=_member("sender"),
            json={"file": File},
            has_authors=True,
        ),
        RecordType(
            name="x.mention",
            table="x_mentions",
            id=Text(200, minimum=1),
            kind="x",
            schema=schemas.MentionRecord,
            columns=(
                "id", "account", "url", "text", "created_at", "metrics", "is_reply", "is_repost",
                "author_id", "author_username", "author_name", "author_verified", "media", "quoted",
            ),
            derived=_member("author"),
            json={"metrics": x.XMetrics, "media": x.XMedia, "quoted": x.XQuoted},
            has_authors=True,
        ),
        RecordType(
            name="token",
            table="tokens",
            id=Text(SOURCE_ID_LENGTH, minimum=1),
            kind="token",
            schema=schemas.TokenRecord,
            key=("source_id",),
            deleted_by="bundle/delete_record",
            columns=("token", "index", "holders", "latest_fees", "latest_trade_at", "sources"),
            json={
                "token": token.Token, "index": token.TokenIndex, "holders": token.TokenHolders,
                "latest_fees": token.TokenFees, "sources": token.TokenSources,
            },
        ),
    )
}  # fmt: skip


class DeleteRecord(StrictSchema):
    type = Enum(*TYPES)
    id = schemas.DeleteId()
    chat_id = Uuid(default=None)
