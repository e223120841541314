"""Compute the search tokens of texts as text_search_tokens does in the database, but faster.

A token is three consecutive characters of a text; the last two tokens are shorter
(docs/decisions/0008-terms-of-any-length.md). The database has already folded the texts, because the
rules for lower case depend on its locale.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from struct import Struct, pack
from typing import Any
from uuid import UUID

import psycopg

from orgctx.bundle.sorting import STATEMENTS, sorting
from orgctx.stores.db import sql

# Chunks per batch: about 0.5 MB of text and 4 MB of entries in the pending list of the index, which
# for knowledge_chunks_search has room for sorting.MOST_BATCHES + 1 batches.
BATCH_ROWS = 60
COPY = """
COPY knowledge_chunks (
    organization_id, knowledge_id, first_unit, unit_count, content, overlap, search_tokens
) FROM STDIN (FORMAT binary)
"""
WIDTH = 4  # bytes of a character in UTF-32
HEADER = b"PGCOPY\n\xff\r\n\0" + bytes(8)
TRAILER = b"\xff\xff"
COLUMNS = pack("!h", 7)
LENGTH = Struct("!i")


def add_chunks(
    connection: psycopg.Connection[Any],
    database_url: str,
    organizations: dict[str, Any],
    *,
    is_distributed: bool,
) -> None:
    """Store the staged chunks of the changed knowledge items, each with its search tokens.

    organizations: {"organization_ids": those of the stream}, a parameter of the statements.
    is_distributed: whether Citus distributes the database.
    """
    sort_index = STATEMENTS[is_distributed]
    connection.execute(sql("load/delete_chunks"), organizations)
    with connection.cursor("changed_chunks", binary=True) as chunks:
        chunks.execute(sql("load/list_changed_chunks"))
        first = chunks.fetchmany(BATCH_ROWS)
        if not first:
            return
        _copy(connection, first)
        if len(first) == BATCH_ROWS:
            with sorting(database_url, sort_index) as sort:
                while batch := chunks.fetchmany(BATCH_ROWS):
                    sort()
                    _copy(connection, batch)
    connection.execute(sql(sort_index))


def _copy(connection: psycopg.Connection[Any], batch: Iterable[tuple[Any, ...]]) -> None:
    """Store chunks. Computes the tokens of a batch while the database stores the previous one."""
    with connection.cursor() as cursor, cursor.copy(COPY) as copy:
        copy.write(HEADER)
        for row in batch:
            copy.write(_binary(*row))
        copy.write(TRAILER)


def _binary(
    organization_id: UUID,
    id_: str,
    first_unit: int,
    unit_count: int,
    content: str,
    overlap: str,
    search_text: str,
) -> bytes:
    """Encode a row for binary COPY: each value after its length."""
    values = (
        organization_id.bytes, id_.encode(), LENGTH.pack(first_unit), LENGTH.pack(unit_count),
        content.encode(), overlap.encode(), tsvector(search_text),
    )  # fmt: skip
    return COLUMNS + b"".join(part for value in values for part in (LENGTH.pack(len(value)), value))


def tsvector(text: str) -> bytes:
    """Return the tokens of a text in the binary form of a tsvector.

    Each ends with a NUL and its number of positions, 0. The database sorts them.
    """
    if not text:
        return bytes(4)
    characters = text.encode("utf-32-le")
    tokens = {characters[-WIDTH:], characters[-2 * WIDTH :]}
    for start in range(min(3, len(text))):
        tokens.update(_triples((len(text) - start) // 3).unpack_from(characters, start * WIDTH))
    end = bytes(3 * WIDTH)
    return pack("!i", len(tokens)) + (end.join(tokens) + end).decode("utf-32-le").encode()


@lru_cache(maxsize=64)
def _triples(count: int) -> Struct:
    return Struct(f"{3 * WIDTH}s" * count)
