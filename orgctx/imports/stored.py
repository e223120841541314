"""The stored records that an importer compares with, and what an import stores besides records."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cache
from typing import Any
from uuid import UUID

from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier

from orgctx.importers import Deletions, Existing, StoredChat, StoredMessages
from orgctx.imports import ImportFailed
from orgctx.schemas.payload import camel_case
from orgctx.stores.db import Connection, run, sql

# Deletions to remember for each source; the ones with the oldest evidence are forgotten first.
MOST_DELETIONS = 100_000

# Opens a read-only transaction.
Reading = Callable[[], AbstractContextManager[Connection]]


def read(
    reading: Reading, organization_id: UUID, source_id: str, table: str, *, restores: bool
) -> Existing:
    """Return the stored records that an import of one source compares with, from a table."""
    source = {"organization_id": organization_id, "source_id": source_id}

    def rows(name: str, source_id: str) -> list[dict[str, Any]]:
        with reading() as connection:
            return run(connection, name, **{**source, "source_id": source_id})

    def messages(chat_id: str) -> StoredMessages:
        """Read the messages row by row: a chat may have millions of them."""
        parameters = {"organization_id": organization_id, "chat_id": chat_id}
        with reading() as connection, connection.cursor("m", row_factory=tuple_row) as cursor:
            return StoredMessages(cursor.execute(sql("imports/list_stored_messages"), parameters))

    @cache
    def is_erased(user_id: str) -> bool:
        with reading() as connection:
            return bool(run(connection, "imports/find_erased_user", **source, user_id=user_id))

    eager: dict[str, Any] = {}
    with reading() as connection:
        stored = run(connection, "imports/list_stored_sources", **source)
        sources = {row["id"]: {camel_case(name): row[name] for name in row} for row in stored}
        if table == "telegram_messages":
            chats = run(connection, "imports/list_stored_chats", **source)
            eager["chats"] = {str(row.pop("id")): StoredChat(**row) for row in chats}
        elif table == "knowledge":
            items = run(connection, "imports/list_stored_knowledge", **source)
            eager["made_by"] = {row["id"]: row["importer"] for row in items}
            eager["ids"] = frozenset(eager["made_by"])
        elif table != "x_mentions":
            text = SQL(sql("imports/list_stored_ids")).format(table=Identifier(table))
            ids = connection.execute(text, source)
            eager["ids"] = frozenset(str(row["id"]) for row in ids)
    return Existing(
        sources,
        **eager,
        messages=messages,
        senders=lambda id_: {row["person_id"] for row in rows("imports/list_stored_senders", id_)},
        authors=lambda: [
            (row["id"], row["author_id"]) for row in rows("imports/list_stored_mentions", source_id)
        ],
        is_erased=is_erased,
        deletions=Deletions(
            lambda id_: {
                (row["type"], row["id"]): row["collected_at"]
                for row in rows("imports/list_deleted_records", id_)
            },
            restores=restores,
        ),
    )


def remember(
    connection: Connection,
    organization_id: UUID,
    existing: Existing,
    say: Callable[[str], object],
) -> None:
    """Store deletions, and the importers of documents.

    The caller holds the lock of the organization.
    """
    deletions = existing.deletions
    # The lock is held now, so no other import can delete records of these sources.
    for id_ in deletions.changed_sources():
        raise ImportFailed(
            f"Nothing was imported: another import changed {id_} meanwhile. Run this one again."
        )
    organization = {"organization_id": organization_id}
    for id_, restored in deletions.restored.items():
        if restored:
            types, ids = map(list, zip(*sorted(restored), strict=True))
            source = {**organization, "source_id": id_}
            run(connection, "imports/forget_deletions", **source, types=types, ids=ids)
    for id_, added in deletions.added.items():
        if added:
            types, ids = map(list, zip(*added, strict=True))
            source = {**organization, "source_id": id_}
            records = {"types": types, "ids": ids, "times": [*added.values()]}
            run(connection, "imports/remember_deletions", **source, **records)
            (row,) = run(connection, "imports/limit_deletions", **source, limit=MOST_DELETIONS)
            if count := row["forgotten_count"]:
                say(f"{id_}: {count:,} of the oldest deletions are forgotten.")
    if importers := existing.importers:
        documents = {"ids": [*importers], "importers": [*importers.values()]}
        run(connection, "imports/store_importers", **organization, **documents)
