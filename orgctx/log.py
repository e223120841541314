"""Structured logs on standard error. Never a key, a DSN or the text of a source."""

from __future__ import annotations

import logging
import sys
from typing import Any, TextIO

import orjson
import structlog

from orgctx.errors import ApiError


def configure(level: str, form: str) -> None:
    """Set up structlog once for the process. form: `json` or `text`."""
    renderer: Any
    factory: Any
    if form == "json":
        renderer = structlog.processors.JSONRenderer(serializer=orjson.dumps)
        factory = structlog.BytesLoggerFactory(file=_standard_error().buffer)
    else:
        renderer = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
        factory = structlog.PrintLoggerFactory(file=_standard_error())
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level)),
        logger_factory=factory,
        cache_logger_on_first_use=True,
    )


def _standard_error() -> TextIO:
    """The process's own, also where something has put another in its place."""
    return sys.__stderr__ or sys.stderr


log = structlog.get_logger()


def log_fault(error: Exception, request_id: str) -> None:
    """Log what is behind an answer of the 5xx kind: of a bug its traceback, which no caller
    gets to see, of a dependency's fault the kind of its cause."""
    if not isinstance(error, ApiError):
        log.error("bug", request_id=request_id, exc_info=error)
    elif error.status > 500:
        cause = error.__cause__
        log.error(error.code, request_id=request_id, cause=type(cause).__name__ if cause else None)
