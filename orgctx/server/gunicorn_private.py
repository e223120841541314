"""Every undocumented name of gunicorn that the service uses, and why.

tests/server/test_gunicorn_private.py reports which of them a new version lacks.
"""

from time import monotonic
from typing import Any

# A request head is read completely before it is parsed (request_headers.py), so reader and parser
# are joined here. Errors of the parser become error responses (error_responses.py).
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

# Closes a connection without losing the response that was just sent.
from gunicorn.util import close_graceful

# Accepts connections and handles requests; worker.py overrides `handle`.
from gunicorn.workers.ggevent import GeventWorker

from orgctx.http.body import LEFTOVER_BYTES

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
    "keep_settings",
    "parser",
]

# The start of a log message of gunicorn. Its rest, the request's method and target, must not be
# logged.
FAILED = "Error handling request"
# How long to read a rejected body that is still arriving.
LEFTOVER_SECONDS = 0.5


def parser(settings: Any, reader: SocketUnreader, address: Any) -> Any:
    """Iterate over the parsed requests that `reader` receives."""
    requests = RequestParser(settings, reader.sock, address)
    requests.unreader = reader
    return requests


def keep_settings(settings: Any) -> None:
    """Make the settings attributes of their own.

    gunicorn looks up thirty of them for each request, each by two function calls.
    """
    settings.__dict__.update({name: each.get() for name, each in settings.settings.items()})


def body_is_read(requests: Any) -> bool:
    """Read the rest of the last request; return whether its end was reached."""
    deadline = monotonic() + LEFTOVER_SECONDS
    return bool(requests.finish_body(deadline=deadline, max_bytes=LEFTOVER_BYTES))
