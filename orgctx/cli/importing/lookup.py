"""Look up the stored records that an importer compares with."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier

from orgctx.cli.admin import Connection, reading, run
from orgctx.cli.output import camel
from orgctx.importers import Deletions, Existing, StoredChat, StoredItem, StoredMessages
from orgctx.importers.deletions import Key
from orgctx.stores.db import sql


def look_up(
    connection: Connection,
    organization_id: UUID,
    source_id: str,
    stored: str,
    *,
    restores: bool,
) -> Existing:
    """Return the stored records of an organization that an import of one source needs.

    Args:
        stored: the records to look up besides sources: chats, mentions, knowledge, or the table of
            which the ids suffice.
        restores: whether to load deleted records again.
    """
    rows = run(connection, "list_stored_sources", organization_id=organization_id)
    common: dict[str, Any] = {
        "sources": {row["id"]: camel(row) for row in rows},
        "deletions": Deletions(partial(_deletions, organization_id), restores=restores),
    }
    if stored == "chats":
        return _chats(connection, organization_id, common)
    if stored == "mentions":
        return Existing(**common, authors=partial(_authors, organization_id, source_id))
    parameters = {"organization_id": organization_id, "source_id": source_id}
    if stored == "knowledge":
        rows = run(connection, "list_stored_knowledge", **parameters)
        items = {row.pop("id"): _item(row) for row in rows}
        return Existing(**common, ids=frozenset(items), items=items)
    text = SQL(sql("cli/list_stored_ids")).format(table=Identifier(stored))
    return Existing(
        **common, ids=frozenset(str(row["id"]) for row in connection.execute(text, parameters))
    )


def _item(row: dict[str, Any]) -> StoredItem:
    return StoredItem(row["title"], row["content_digest"], row["suppressed"], row["importer"])


def _chats(connection: Connection, organization_id: UUID, common: dict[str, Any]) -> Existing:
    chats = run(connection, "list_stored_chats", organization_id=organization_id)
    return Existing(
        **common,
        chats={str(row.pop("id")): StoredChat(**row) for row in chats},
        messages=partial(_messages, organization_id),
        senders=partial(_senders, organization_id),
    )


def _messages(organization_id: UUID, chat_id: str) -> StoredMessages:
    """Read the messages row by row: a chat may have millions of them."""
    parameters = {"organization_id": organization_id, "chat_id": chat_id}
    with reading() as connection, connection.cursor("messages", row_factory=tuple_row) as rows:
        return StoredMessages(rows.execute(sql("cli/list_stored_messages"), parameters))


def _read(name: str, organization_id: UUID, source_id: str) -> list[dict[str, Any]]:
    with reading() as connection:
        return run(connection, name, organization_id=organization_id, source_id=source_id)


def _authors(organization_id: UUID, source_id: str) -> list[tuple[str, str]]:
    rows = _read("list_stored_mentions", organization_id, source_id)
    return [(row["id"], row["author_id"]) for row in rows]


def _senders(organization_id: UUID, source_id: str) -> set[str]:
    rows = _read("list_stored_senders", organization_id, source_id)
    return {row["person_id"] for row in rows}


def _deletions(organization_id: UUID, source_id: str) -> Mapping[Key, datetime]:
    rows = _read("list_deleted_records", organization_id, source_id)
    return {(row["type"], row["id"]): row["collected_at"] for row in rows}
