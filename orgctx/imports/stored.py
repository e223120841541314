"""The stored records that an importer compares with."""

from array import array
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager
from typing import Any
from uuid import UUID

from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier

from orgctx.importers.records import Existing, StoredChat
from orgctx.schemas.payload import camel_case
from orgctx.stores.db import Connection, run, sql

# Opens a read-only transaction.
Reading = Callable[[], AbstractContextManager[Connection]]


def read(reading: Reading, organization_id: UUID, source_id: str, table: str) -> Existing:
    """Return the stored records that an import of one source compares with, from a table."""
    source = {"organization_id": organization_id, "source_id": source_id}

    def messages(chat_id: str) -> "array[int]":
        """Read the messages row by row: a chat may have millions of them."""
        parameters = {"organization_id": organization_id, "chat_id": chat_id}
        with reading() as connection, connection.cursor("m", row_factory=tuple_row) as cursor:
            rows = cursor.execute(sql("imports/list_stored_messages"), parameters)
            return array("i", (id_ for (id_,) in rows))

    def erased(user_ids: AbstractSet[str]) -> set[str]:
        parameters = {"organization_id": organization_id, "user_ids": sorted(user_ids)}
        with reading() as connection:
            rows = run(connection, "imports/list_erased_users", **parameters)
            return {row["user_id"] for row in rows}

    more: dict[str, Any] = {}
    with reading() as connection:
        stored = run(connection, "imports/list_stored_sources", **source)
        sources = {row["id"]: {camel_case(name): row[name] for name in row} for row in stored}
        if table == "telegram_messages":
            chats = run(connection, "imports/list_stored_chats", **source)
            more["chats"] = {str(row.pop("id")): StoredChat(**row) for row in chats}
        elif table != "x_mentions":
            text = SQL(sql("imports/list_stored_ids")).format(table=Identifier(table))
            ids = connection.execute(text, source)
            more["ids"] = frozenset(str(row["id"]) for row in ids)
    return Existing(sources, **more, messages=messages, erased=erased)
