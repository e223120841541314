"""Compute the search tokens of texts as keyed_text_tokens does in the database, but faster.

A token is three consecutive characters of a text; the last two tokens are shorter
(docs/decisions.md, 8). The database has already folded the texts, because the
rules for lower case depend on its locale.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import lru_cache
from struct import Struct, pack
from typing import Any

import psycopg

from orgctx.stores.db import sql

# Chunks per batch: about 0.5 MB of text and 4 MB of entries in the pending list of the index, which
# has room for MOST_BATCHES + 1 batches.
BATCH_ROWS = 60
COPY_CHUNKS = """
COPY knowledge_chunks (
    organization_id, knowledge_id, first_unit, unit_count, content, overlap
) FROM STDIN (FORMAT binary)
"""
COPY_TOKENS = """
COPY knowledge_search (
    organization_id, knowledge_id, first_unit, source_id, tokens
) FROM STDIN (FORMAT binary)
"""
WIDTH = 4  # bytes of a character in UTF-32
HEADER = b"PGCOPY\n\xff\r\n\0" + bytes(8)
TRAILER = b"\xff\xff"
COUNT, LENGTH = Struct("!h"), Struct("!i")


def add_chunks(
    connection: psycopg.Connection[Any],
    database_url: str,
    batches: Iterable[dict[str, Any]],
    *,
    is_distributed: bool,
) -> None:
    """Store the staged chunks of the changed knowledge items, each with its search tokens.

    batches: {"organization_ids": some of those of the stream}, a parameter of the statements.
    is_distributed: whether Citus distributes the database.
    """
    sort_index = STATEMENTS[is_distributed]
    for organizations in batches:
        connection.execute(sql("bundle/delete_chunks"), organizations)
        connection.execute(sql("bundle/add_titles"), organizations)
        with connection.cursor("changed_chunks", binary=True) as chunks:
            chunks.execute(sql("bundle/list_changed_chunks"), organizations)
            first = chunks.fetchmany(BATCH_ROWS)
            _copy(connection, first)
            if len(first) == BATCH_ROWS:
                with sorting(database_url, sort_index) as sort:
                    while batch := chunks.fetchmany(BATCH_ROWS):
                        sort()
                        _copy(connection, batch)
    connection.execute(sql(sort_index))


def _copy(connection: psycopg.Connection[Any], batch: Sequence[tuple[Any, ...]]) -> None:
    """Store chunks. Computes the tokens of a batch while the database stores the previous one."""
    chunks = ((id_.bytes, *rest[:2], *rest[-3:]) for id_, *rest in batch)
    tokens = (
        (id_.bytes, knowledge_id, first_unit, source_id, tsvector(search_text, key))
        for id_, knowledge_id, first_unit, source_id, key, search_text, *_ in batch
    )
    for statement, rows in ((COPY_CHUNKS, chunks), (COPY_TOKENS, tokens)):
        with connection.cursor() as cursor, cursor.copy(statement) as copy:
            copy.write(HEADER)
            for values in rows:
                copy.write(COUNT.pack(len(values)) + b"".join(map(_binary, values)))
            copy.write(TRAILER)


def _binary(value: bytes | str | int) -> bytes:
    """Encode a value for binary COPY, after its length."""
    if isinstance(value, int):
        value = LENGTH.pack(value)
    elif isinstance(value, str):
        value = value.encode()
    return LENGTH.pack(len(value)) + value


def tsvector(text: str, key: str = "") -> bytes:
    """Return the tokens of a text in the binary form of a tsvector.

    Each ends with a NUL and its number of positions, 0. The database sorts them.

    Args:
        key: the beginning of each token.
    """
    if not text:
        return bytes(4)
    characters = text.encode("utf-32-le")
    tokens = {characters[-WIDTH:], characters[-2 * WIDTH :]}
    for start in range(min(3, len(text))):
        tokens.update(_triples((len(text) - start) // 3).unpack_from(characters, start * WIDTH))
    begin, end = key.encode("utf-32-le"), bytes(3 * WIDTH)
    joined = begin + (end + begin).join(tokens) + end
    return pack("!i", len(tokens)) + joined.decode("utf-32-le").encode()


@lru_cache(maxsize=64)
def _triples(count: int) -> Struct:
    return Struct(f"{3 * WIDTH}s" * count)


MOST_BATCHES = 3
# The statement that merges the pending list of the index. Key: whether Citus is used.
STATEMENTS = {False: "bundle/sort_chunk_index", True: "bundle/citus/sort_chunk_index"}


@contextmanager
def sorting(database_url: str, statement: str) -> Iterator[Callable[[], None]]:
    """Yield a function that merges the entries stored so far, on a second connection.

    The function waits while MOST_BATCHES of its calls are unfinished, because merging takes as long
    as storing. If the connection fails, the function does nothing, and the database merges while it
    stores.

    Args:
        statement: one of STATEMENTS.
    """
    with _connected(database_url) as connection, ThreadPoolExecutor(1) as executor:
        sorts: deque[Future[None]] = deque()

        def sort() -> None:
            sorts.append(executor.submit(_sort, connection, statement))
            if len(sorts) > MOST_BATCHES:
                sorts.popleft().result()

        yield sort


@contextmanager
def _connected(database_url: str) -> Iterator[psycopg.Connection[Any] | None]:
    try:
        connection = psycopg.connect(database_url, autocommit=True)
    except psycopg.OperationalError:
        yield None
        return
    with connection:
        yield connection


def _sort(connection: psycopg.Connection[Any] | None, statement: str) -> None:
    if connection:
        with suppress(psycopg.Error):
            connection.execute(sql(statement))
