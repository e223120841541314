"""All that is used of gunicorn besides its documented settings and hooks, with the reason.

tests/server/test_gunicorn_private.py says which of it a new version lacks.
"""

from __future__ import annotations

from time import monotonic
from typing import Any

# Heads are read whole before they are parsed (heads.py), so reader and parser are joined here.
# What is raised by the parser becomes an answer in the form of the contract (refusals.py).
from gunicorn.http.errors import (
    ExpectationFailed,
    LimitRequestHeaders,
    LimitRequestLine,
    NoMoreData,
    ParseException,
    UnsupportedTransferCoding,
)
from gunicorn.http.parser import RequestParser
from gunicorn.http.unreader import SocketUnreader

# Hanging up without losing the answer that was just sent.
from gunicorn.util import close_graceful

# How connections are accepted and requests handled; `handle` is replaced.
from gunicorn.workers.ggevent import GeventWorker

__all__ = [
    "ExpectationFailed",
    "GeventWorker",
    "LimitRequestHeaders",
    "LimitRequestLine",
    "NoMoreData",
    "ParseException",
    "SocketUnreader",
    "UnsupportedTransferCoding",
    "body_is_read",
    "close_graceful",
    "parser",
]

# gunicorn goes on with the request's method and target, which no log may hold.
FAILED = "Error handling request"
# Of a body that the service refused: what is on its way may still arrive.
LEFTOVER_SECONDS = 0.5
LEFTOVER_BYTES = 64 * 1024


def parser(settings: Any, reader: SocketUnreader, address: Any) -> Any:
    """Gives one request after the other, each parsed from what `reader` hands over."""
    requests = RequestParser(settings, reader.sock, address)
    requests.unreader = reader
    return requests


def body_is_read(requests: Any) -> bool:
    """Whether the last request has been read to its end, perhaps only now."""
    deadline = monotonic() + LEFTOVER_SECONDS
    return bool(requests.finish_body(deadline=deadline, max_bytes=LEFTOVER_BYTES))
