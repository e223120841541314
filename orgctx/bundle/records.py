"""The record types of a bundle, each with its schema, its table and the steps of a load."""

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import orjson

from orgctx.bundle import schemas
from orgctx.bundle.holds import text_digest
from orgctx.operations.source_kinds import PREFIX_KINDS, SINGLE_KINDS
from orgctx.resources import token, x
from orgctx.resources.assets import Asset
from orgctx.resources.knowledge.schemas import KnowledgeId
from orgctx.resources.telegram.schemas import File
from orgctx.schemas.fields import Enum, Strict, Text
from orgctx.schemas.formats import Uuid
from orgctx.schemas.payload import Payload, StrictSchema
from orgctx.schemas.text import preview, utf16_length
from orgctx.stores.db import sql


def knowledge_row(v: dict[str, Any]) -> tuple[Any, ...]:
    content = v["content"]
    return (
        v["id"], v["source"], v["title"], v["content_format"], v["visibility"], v["archived"],
        v["source_status"], v["source_label"], v["source_href"], v["created_at"], v["updated_at"],
        preview(content), utf16_length(content), sha256(content.encode()).digest(),
        text_digest(v["id"], content),
    )  # fmt: skip


def asset_row(v: dict[str, Any]) -> tuple[Any, ...]:
    uploader = v["uploaded_by"] or {}
    return (
        v["id"], v["parent_id"], v["kind"], v["name"], v["mime"], v["bytes"], v["public"],
        v["public_url"], uploader.get("id"), uploader.get("display_name"),
        v["created_at"], v["updated_at"],
    )  # fmt: skip


def message_row(v: dict[str, Any]) -> tuple[Any, ...]:
    sender = v["sender"]
    return (
        v["chat_id"], v["id"], sender["id"], sender["name"], sender["username"], v["kind"],
        v["text"], v["detail"], _nullable(File, v["file"]), v["reply_to_message_id"],
        v["sent_at"], v["edited_at"],
    )  # fmt: skip


def mention_row(v: dict[str, Any]) -> tuple[Any, ...]:
    author = v["author"]
    return (
        v["id"], v["account"], v["url"], v["text"], v["created_at"],
        _json_text(x.XMetrics.one(v["metrics"])), v["is_reply"], v["is_repost"],
        author["id"], author["username"], author["name"], author["verified"],
        _json_text([x.XMedia.one(medium) for medium in v["media"]]),
        _nullable(x.XQuoted, v["quoted"]),
    )  # fmt: skip


def token_row(v: dict[str, Any]) -> tuple[Any, ...]:
    return (
        _nullable(token.Token, v["token"]), _nullable(token.TokenIndex, v["index"]),
        _nullable(token.TokenHolders, v["holders"]), _nullable(token.TokenFees, v["latest_fees"]),
        v["latest_trade_at"], _json_text(token.TokenSources.one(v["sources"])),
    )  # fmt: skip


def _json_text(value: Any) -> str | None:
    """Serialize a JSON column, with times as in responses."""
    return None if value is None else orjson.dumps(value, option=orjson.OPT_UTC_Z).decode()


def _nullable(payload: type[Payload], value: dict[str, Any] | None) -> str | None:
    return None if value is None else _json_text(payload.one(value))


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
    # Returns their values, unless they are the fields with the same names.
    row: Callable[[dict[str, Any]], tuple[Any, ...]] | None = None
    # The primary key of the table, without organization_id.
    key: tuple[str, ...] = ("id",)
    # The file that merges the staged records.
    merged_by: str = "bundle/merge_records"
    # The file that creates staged_<table>, those of other types and what their merge fills; by
    # default, bundle/create_staged_table creates it alone.
    staged_by: str | None = None
    # The file that finds errors of staged records beside bundle/find_reference_errors, and the one
    # that runs before the merge.
    checked_by: str | None = None
    prepared_by: str | None = None
    # The kind of the record's source, if it has one, or what finds the kind in a record.
    kind: str | Callable[[dict[str, Any]], str] | None = None
    # The type of the record that this one belongs to and is deleted with. bundle/count_of_<parent>
    # counts the records of this type below a parent.
    parent: str | None = "source"
    has_source: bool = True
    # A deletion is staged as a row, in order with the records. Without tombstones, a deletion runs
    # bundle/delete_<name> at once.
    has_tombstones: bool = False
    # There may be millions: bundle/batch_<table> lists the batches that are merged one by one.
    in_batches: bool = False
    # What an approval scans, newest first: the kind of item in a search, and columns or expressions
    # of the title, the time and the texts. Of a type without, decisions/list_texts itself lists the
    # texts, and decisions/list_naming_records the names.
    item: str = ""
    title: str = ""
    time: str = ""
    texts: tuple[str, ...] = ()
    # The texts that may name erased people; by default, all texts.
    names: tuple[str, ...] = ()
    # People write these records. bundle/withhold_<table> deletes those of erased people.
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

    def source_kind(self, values: dict[str, Any]) -> str | None:
        """Return the kind of a record's source."""
        return self.kind(values) if callable(self.kind) else self.kind

    def values(self, values: dict[str, Any]) -> tuple[Any, ...]:
        """Return the values of the columns for a record."""
        return self.row(values) if self.row else tuple(values[name] for name in self.columns)

    def statement(self, name: str) -> str:
        """Return `sql/<name>.sql` with the fields, and the names of tables and columns."""
        columns = ("source_id", *self.columns) if self.parent == "source" else self.columns
        updated = [column for column in columns if column not in self.key]
        parent = "chat_id" if "chat_id" in self.columns else "source_id"
        names = dict(
            vars(self),
            outcomes=sql("bundle/merge_outcomes_of_type").format(parent=parent),
            texts=", ".join(self.texts),
            names=", ".join(self.names or self.texts),
            staging=self.staging,
            key=", ".join(self.key),
            identity=", ".join(("organization_id", *self.key)),
            columns=", ".join(self.columns),
            updated=", ".join(updated),
            stored=", ".join(f"t.{column}" for column in updated),
            excluded=", ".join(f"excluded.{column}" for column in updated),
        )
        return sql(name).format(**names)


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
            merged_by="bundle/merge_organizations",
            columns=("user_id", "display_name", "role"),
            row=lambda v: (v["id"], v["display_name"], v["role"]),
        ),
        RecordType(
            name="source",
            table="sources",
            staged_by="bundle/create_staging",
            id=Text(SOURCE_ID_LENGTH, minimum=1),
            parent="organization",
            schema=schemas.SourceRecord,
            checked_by="bundle/find_source_errors",
            merged_by="bundle/merge_sources",
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
            merged_by="bundle/merge_knowledge",
            columns=(
                "id", "source", "title", "content_format", "visibility", "archived",
                "source_status", "source_label", "source_href", "created_at", "updated_at",
                "preview", "content_units", "content_digest", "text_digest",
            ),
            row=knowledge_row,
            has_tombstones=True,
            check=schemas.check_knowledge,
            condition=schemas.KNOWLEDGE_CONDITION,
        ),
        RecordType(
            name="asset",
            table="assets",
            checked_by="bundle/find_parent_errors",
            id=Uuid(),
            kind="assets",
            schema=Asset,
            columns=(
                "id", "parent_id", "kind", "name", "mime", "bytes", "public", "public_url",
                "uploaded_by_id", "uploaded_by_name", "created_at", "updated_at",
            ),
            row=asset_row,
            names=("name", "mime", "uploaded_by_name"),
            check=schemas.check_asset,
            condition=schemas.ASSET_CONDITION,
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
            merged_by="bundle/merge_telegram_chats",
            columns=(
                "id", "type", "title", "username", "member_count", "linked_at", "updated_at"
            ),
            names=("title", "username"),
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
            merged_by="bundle/merge_telegram_messages",
            columns=(
                "chat_id", "id", "sender_id", "sender_name", "sender_username", "kind", "text",
                "detail", "file", "reply_to_message_id", "sent_at", "edited_at",
            ),
            row=message_row,
            has_tombstones=True,
            in_batches=True,
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
            row=mention_row,
            item="post",
            title="'@' || author_username",
            time="created_at",
            texts=("text", "author_name", "url", "quoted ->> 'text'"),
            names=("text", "author_name", "author_username", "quoted ->> 'text'"),
            has_tombstones=True,
            has_authors=True,
        ),
        RecordType(
            name="token",
            table="tokens",
            id=Text(SOURCE_ID_LENGTH, minimum=1),
            kind="token",
            schema=schemas.TokenRecord,
            key=("source_id",),
            columns=("token", "index", "holders", "latest_fees", "latest_trade_at", "sources"),
            row=token_row,
        ),
    )
}  # fmt: skip


# Statements with a part for each of these types. Other types are in the statement itself.
HAS_PART: dict[str, Callable[[RecordType], object]] = {
    "count_records": lambda one: (
        one.merged_by == "bundle/merge_records" and one.kind not in SINGLE_KINDS
    ),
    "list_texts": lambda one: one.texts,
    "list_naming_records": lambda one: one.names or one.texts,
}


def with_parts(name: str) -> str:
    """Return `sql/<name>.sql` with `sql/<name>_of_type.sql` of these types as {parts}."""
    types = filter(HAS_PART[name.partition("/")[2]], TYPES.values())
    return sql(name).format(parts="".join(one.statement(f"{name}_of_type") for one in types))


class DeleteRecord(StrictSchema):
    type = Enum(*TYPES)
    id = schemas.DeleteId()
    chat_id = Uuid(default=None)
