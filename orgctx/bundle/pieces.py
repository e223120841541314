"""Compute the pieces of texts like text_pieces in the database, several times faster.

A piece is three characters of a text; the last two pieces are shorter
(docs/decisions/0008-terms-of-any-length.md). The database has already folded the case of the
texts, because each locale has its own rules.
"""

from __future__ import annotations

from functools import lru_cache
from struct import Struct, pack
from typing import Any

import psycopg

from orgctx.stores.db import sql

# Chunks per batch, about 4 MB of text.
BATCH_ROWS = 500
WIDTH = 4  # bytes of a character in UTF-32
COPY = "COPY staged_pieces FROM STDIN (FORMAT binary)"
HEADER = b"PGCOPY\n\xff\r\n\0" + bytes(8)
TRAILER = b"\xff\xff"
ROW = Struct("!hiqiii")


def add_chunks(connection: psycopg.Connection[Any], organizations: dict[str, Any]) -> None:
    """Store the staged chunks of the changed knowledge items, each with its pieces.

    organizations: those of the stream, as the parameter of a statement.
    """
    connection.execute(sql("load/delete_chunks"), organizations)
    if not _stage(connection):
        return
    connection.execute("ANALYZE staged_pieces")
    connection.execute(sql("load/insert_chunks"))
    connection.execute(sql("load/sort_chunk_index"))


def _stage(connection: psycopg.Connection[Any]) -> int:
    """Compute the pieces of the changed chunks; return the number of chunks."""
    count = 0
    with connection.cursor("changed_chunks", binary=True) as chunks:
        chunks.execute(sql("load/list_changed_chunks"))
        while batch := chunks.fetchmany(BATCH_ROWS):
            with connection.cursor() as cursor, cursor.copy(COPY) as copy:
                copy.write(HEADER)
                for sequence, first_unit, text in batch:
                    pieces = tsvector(text)
                    copy.write(ROW.pack(3, 8, sequence, 4, first_unit, len(pieces)) + pieces)
                copy.write(TRAILER)
            count += len(batch)
    return count


def tsvector(text: str) -> bytes:
    """The pieces of a text in the binary form of a tsvector: each ends with a NUL and a count of
    positions, which is none. The database sorts them."""
    if not text:
        return bytes(4)
    characters = text.encode("utf-32-le")
    pieces = {characters[-WIDTH:], characters[-2 * WIDTH :]}
    for start in range(min(3, len(text))):
        pieces.update(_triples((len(text) - start) // 3).unpack_from(characters, start * WIDTH))
    end = bytes(3 * WIDTH)
    return pack("!i", len(pieces)) + (end.join(pieces) + end).decode("utf-32-le").encode()


@lru_cache(maxsize=64)
def _triples(count: int) -> Struct:
    return Struct(f"{3 * WIDTH}s" * count)
