"""Merge new entries into the index of search tokens while a load stores more texts."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any

import psycopg

from orgctx.stores.db import sql

MOST_BATCHES = 3
# The statement that merges the pending list of the index. Key: whether Citus is used.
STATEMENTS = {False: "load/sort_chunk_index", True: "citus/sort_chunk_index"}


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
