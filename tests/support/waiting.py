"""Wait until something holds, on machines that may be busy."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPException
from time import monotonic, sleep

import psycopg
from redis import RedisError

# PostgreSQL under Patroni takes longest to recover.
PATIENCE_SECONDS = 90
UNREACHABLE = (OSError, HTTPException, psycopg.OperationalError, RedisError)


def until(
    condition: Callable[[], object], what: str = "", *, seconds: float = PATIENCE_SECONDS
) -> None:
    """Wait until a condition holds; it does not while a server that it asks is unreachable.

    Raises:
        AssertionError: it does not hold in time. what: the message.
    """
    end = monotonic() + seconds
    while True:
        with suppress(*UNREACHABLE):
            if condition():
                return
        assert monotonic() < end, what or condition
        sleep(0.02)
