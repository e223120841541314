"""Wait until a condition is true, on machines that may be busy."""

from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPException
from time import monotonic, sleep

import psycopg
from redis import RedisError

# PostgreSQL takes longest to recover.
PATIENCE_SECONDS = 90
UNREACHABLE = (OSError, HTTPException, psycopg.OperationalError, RedisError)


def until(
    condition: Callable[[], object], what: str = "", *, seconds: float = PATIENCE_SECONDS
) -> None:
    """Wait until a condition is true. It counts as false while a server is unreachable.

    Args:
        condition: called every 20 milliseconds.
        what: message of the error.
        seconds: how long to wait.

    Raises:
        AssertionError: the condition was not true in time.
    """
    end = monotonic() + seconds
    while True:
        with suppress(*UNREACHABLE):
            if condition():
                return
        assert monotonic() < end, what or condition
        sleep(0.02)
