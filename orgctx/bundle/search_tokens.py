"""Compute the search tokens of texts as keyed_text_tokens does in the database, but faster.

A token is three consecutive characters of a text; the last two tokens are shorter
(docs/decisions.md, 8). The database has already folded the texts, because the
rules for lower case depend on its locale. The words of a document have tokens too.
"""

import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import lru_cache
from struct import Struct, pack
from typing import Any, NamedTuple
from uuid import UUID

import psycopg

from orgctx.schemas.text import fold, words_of_text
from orgctx.stores.db import sql

# Chunks per batch: about 0.5 MB of text and 4 MB of entries in the pending list of the index, which
# has room for MOST_BATCHES + 1 batches.
BATCH_ROWS, MOST_BATCHES = 60, 3
# The statement that merges the pending list into the index. Key: whether Citus is used.
CLEAN = {False: "bundle/clean_pending_list", True: "bundle/citus/clean_pending_list"}
COPY_CHUNKS = """
COPY knowledge_chunks (
    organization_id, knowledge_id, first_unit, unit_count, content, overlap
) FROM STDIN (FORMAT binary)
"""
COPY_TOKENS = """
COPY knowledge_search (
    organization_id, knowledge_id, first_unit, source_id, updated_at, tokens
) FROM STDIN (FORMAT binary)
"""
WIDTH = 4  # bytes of a character in UTF-32
HEADER = b"PGCOPY\n\xff\r\n\0" + bytes(8)
TRAILER = b"\xff\xff"
COUNT, LENGTH = Struct("!h"), Struct("!i")
WORDS_UNIT = -2  # first_unit of the row with the words of a document
WORD_END = re.compile(r"\w*")
# BM25's k1 and b as its authors advise, and a fixed mean length in words instead of that of the
# stored documents, which would tell of documents that a key may not read.
K1, B, MEAN_WORDS = 1.2, 0.75, 600
# A longer document counts as one of this length, because the answer may be in any part of it.
LONG_WORDS = 1_200
# Levels of impact, a word's share in BM25: a search first reads the documents in which it is large.
LEVELS = 8
# This many words of this length take less than 1 MB, the limit of a tsvector.
MOST_WORDS, LONGEST_WORD = 6_000, 40


class ChangedChunk(NamedTuple):
    """A row of bundle/list_changed_chunks."""

    organization_id: UUID
    id: str
    first_unit: int
    source_id: str
    key: str
    updated_at: bytes | None
    content_units: int
    search_text: str
    unit_count: int
    content: str
    overlap: str


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
    clean_statement = CLEAN[is_distributed]
    for organizations in batches:
        connection.execute(sql("bundle/delete_chunks"), organizations)
        connection.execute(sql("bundle/add_titles"), organizations)
        with connection.cursor("changed_chunks", binary=True) as chunks:
            chunks.execute(sql("bundle/list_changed_chunks"), organizations)
            words = DocumentWords()
            batch = chunks.fetchmany(BATCH_ROWS)
            _copy(connection, batch, words)
            # A small load needs no second connection.
            if len(batch) == BATCH_ROWS:
                with cleaning(database_url, clean_statement) as clean:
                    while batch := chunks.fetchmany(BATCH_ROWS):
                        clean()
                        _copy(connection, batch, words)
    connection.execute(sql(clean_statement))


class OpenDocument(NamedTuple):
    """What is known of a document of which some chunks are read."""

    counts: Counter[str]  # of its words
    unit_count: int = 0
    rest: str = ""  # of the last word, after the last chunk


class DocumentWords:
    """The words of the documents whose chunks are read."""

    def __init__(self) -> None:
        self._open: dict[tuple[Any, ...], OpenDocument] = {}

    def tokens(self, chunk: ChangedChunk) -> bytes | None:
        """Add a chunk; return the tokens of its document if it is the last one."""
        document = self._open.pop(chunk[:2], None) or OpenDocument(Counter())
        text = chunk.search_text
        # The overlap belongs to the next chunk, except the rest of a word.
        end = max(0, len(text) - len(fold(chunk.overlap)))
        is_inside = chunk.overlap and end and not text[end - 1].isspace()
        match = WORD_END.match(text, end) if is_inside else None
        rest = match[0] if match else ""
        start = len(document.rest) if text.startswith(document.rest) else 0
        document.counts.update(words_of_text(text[start : end + len(rest)]))
        unit_count = document.unit_count + chunk.unit_count
        if unit_count >= chunk.content_units:
            return words_tsvector(document.counts, chunk.key)
        self._open[chunk[:2]] = OpenDocument(document.counts, unit_count, rest)
        return None


def _copy(
    connection: psycopg.Connection[Any], batch: Sequence[tuple[Any, ...]], words: DocumentWords
) -> None:
    """Store chunks. Computes the tokens of a batch while the database stores the previous one."""
    changed = [ChangedChunk(*row) for row in batch]
    chunks = (
        (c.organization_id.bytes, c.id, c.first_unit, c.unit_count, c.content, c.overlap)
        for c in changed
    )
    for statement, rows in ((COPY_CHUNKS, chunks), (COPY_TOKENS, _tokens(changed, words))):
        with connection.cursor() as cursor, cursor.copy(statement) as copy:
            copy.write(HEADER)
            for values in rows:
                copy.write(COUNT.pack(len(values)) + b"".join(map(_binary, values)))
            copy.write(TRAILER)


def _tokens(chunks: Iterable[ChangedChunk], words: DocumentWords) -> Iterator[tuple[Any, ...]]:
    """Yield a row for the trigrams of each chunk, and one for the words of each document."""
    for chunk in chunks:
        item, source_id = (chunk.organization_id.bytes, chunk.id), chunk.source_id
        yield *item, chunk.first_unit, source_id, None, tsvector(chunk.search_text, chunk.key)
        if tokens := words.tokens(chunk):
            yield *item, WORDS_UNIT, source_id, chunk.updated_at, tokens


def _binary(value: bytes | str | int | None) -> bytes:
    """Encode a value for binary COPY, after its length."""
    if value is None:
        return LENGTH.pack(-1)
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
    prefix, end = key.encode("utf-32-le"), bytes(3 * WIDTH)
    joined = prefix + (end + prefix).join(tokens) + end
    return pack("!i", len(tokens)) + joined.decode("utf-32-le").encode()


def words_tsvector(counts: Counter[str], key: str) -> bytes:
    """Return a token for each word: the key, a line break, its impact, a digit, and the word."""
    norm = K1 * (1 - B + B * min(counts.total(), LONG_WORDS) / MEAN_WORDS)
    prefixes = [f"{key}\n{level}" for level in range(LEVELS)]
    kept = counts.most_common(MOST_WORDS) if len(counts) > MOST_WORDS else counts.items()
    words = {
        prefixes[int(LEVELS * count / (count + norm))] + word[:LONGEST_WORD] for word, count in kept
    }
    return pack("!i", len(words)) + "".join(f"{word}\0\0\0" for word in words).encode()


@lru_cache(maxsize=64)
def _triples(count: int) -> Struct:
    return Struct(f"{3 * WIDTH}s" * count)


@contextmanager
def cleaning(database_url: str, statement: str) -> Iterator[Callable[[], None]]:
    """Yield a function that merges the entries stored so far, on a second connection.

    The function waits while MOST_BATCHES of its calls are unfinished, because merging takes as long
    as storing. If the connection fails, the function does nothing, and the database merges while it
    stores.

    Args:
        statement: one of CLEAN.
    """
    with _connected(database_url) as connection, ThreadPoolExecutor(1) as executor:
        running: deque[Future[None]] = deque()

        def clean() -> None:
            running.append(executor.submit(_clean, connection, statement))
            if len(running) > MOST_BATCHES:
                running.popleft().result()

        yield clean


@contextmanager
def _connected(database_url: str) -> Iterator[psycopg.Connection[Any] | None]:
    try:
        connection = psycopg.connect(database_url, autocommit=True)
    except psycopg.OperationalError:
        yield None
        return
    with connection:
        yield connection


def _clean(connection: psycopg.Connection[Any] | None, statement: str) -> None:
    if connection:
        with suppress(psycopg.Error):
            connection.execute(sql(statement))
