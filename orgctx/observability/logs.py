"""Structured logs on standard error: one line per request, whatever its outcome.

Notes taken during a request become part of its line. A line never contains a key, a DSN, client
input or text of a source. Exceptions are logged by class and traceback, without their messages,
because messages quote values.
"""

import logging
import sys
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime
from errno import errorcode
from traceback import format_tb
from typing import Any

import orjson

from orgctx.errors import ApiError, InsufficientScope, Unauthorized
from orgctx.key_format import KEY_PATTERN

REDACTED = "octx_[redacted]"


@dataclass(slots=True)
class Notes:
    """Notes for the log line of the current request."""

    # Names of the MCP tools that were called.
    tools: list[str] = field(default_factory=list)
    # Bugs, and errors that give a 5xx status.
    faults: list[Exception] = field(default_factory=list)
    # Errors of the caller.
    rejections: list[ApiError] = field(default_factory=list)


_notes: ContextVar[Notes] = ContextVar("notes")
_least_level = logging.INFO
_is_json = False


def configure(level: str, log_format: str) -> None:
    """Set up the log of the process. log_format: `json` or `text`."""
    global _least_level, _is_json
    _least_level = getattr(logging, level)
    _is_json = log_format == "json"


def begin_request() -> None:
    """Start the notes of a request."""
    _notes.set(Notes())


def note_tool(name: str) -> None:
    _notes.get().tools.append(name)


def noted_tools() -> list[str]:
    """Return the MCP tools that were called so far."""
    return _notes.get().tools


def note_error(error: Exception) -> None:
    """Note an error response, or a bug."""
    notes = _notes.get()
    if not isinstance(error, ApiError) or error.status > 500:
        notes.faults.append(error)
    elif error.status < 500:
        notes.rejections.append(error)


def log_request(**members: Any) -> None:
    """Write the line of a request: `members` and its notes."""
    notes = _notes.get()
    if notes.tools:
        members["tools"] = notes.tools
    for rejection in notes.rejections:
        _add_rejection(members, rejection)
    if not notes.faults:
        _write(logging.INFO, "request", members)
        return
    members["faults"] = [
        error.code if isinstance(error, ApiError) else "bug" for error in notes.faults
    ]
    members["causes"] = [_describe(error) for error in notes.faults]
    if bugs := [error for error in notes.faults if not isinstance(error, ApiError)]:
        members["exception"] = "\n".join(map(trace, bugs))
    _write(logging.ERROR, "request", members)


def _add_rejection(members: dict[str, Any], error: ApiError) -> None:
    """Add the code of an error, and what else the log says about it, to the members of a line."""
    members.setdefault("errors", []).append(error.code)
    if isinstance(error, InsufficientScope):
        members.setdefault("missing_scopes", []).append(" or ".join(error.scopes))
    if isinstance(error, Unauthorized):
        members["rejected_because"] = error.reason
        if error.key:
            members["key_id"] = str(error.key.id)
            members["organization_id"] = str(error.key.organization_id)


def log_server(level: int, message: str, error: BaseException | None = None) -> None:
    """Write a line about the server itself."""
    members = {"message": message} | ({"exception": trace(error)} if error else {})
    _write(level, "server", members)


def trace(error: BaseException) -> str:
    """Format the tracebacks of an exception and its causes, first cause first, without messages."""
    return "\n".join(
        "".join([*format_tb(cause.__traceback__), _name(cause)])
        for cause in reversed([*_chain(error)])
    )


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    # An error may be its own cause.
    seen = set[int]()
    while error and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _describe(error: Exception) -> str:
    """Return the cause of an error, and the reason in words if it is known."""
    reason = getattr(error, "reason", "")
    return _name(error.__cause__ or error) + (f": {reason}" if reason else "")


def _name(error: BaseException) -> str:
    """Return the class of an error, and the code if a database or the system reported one."""
    state = getattr(error, "sqlstate", None) or errorcode.get(getattr(error, "errno", 0))
    return type(error).__name__ + (f" {state}" if state else "")


def _write(level: int, event: str, members: dict[str, Any]) -> None:
    if level < _least_level:
        return
    level_name = logging.getLevelName(level).lower()
    line = {**members, "event": event, "level": level_name, "timestamp": datetime.now(UTC)}
    # Redacting is a second safeguard.
    text = KEY_PATTERN.sub(REDACTED, _to_json(line) if _is_json else _to_text(line))
    # The process's own stream, even if `sys.stderr` was replaced; threads may share its buffer.
    stream = (sys.__stderr__ or sys.stderr).buffer
    stream.write(f"{text}\n".encode(errors="backslashreplace"))
    stream.flush()


def _to_json(members: dict[str, Any]) -> str:
    return orjson.dumps(members, repr, orjson.OPT_UTC_Z).decode()


def _to_text(members: dict[str, Any]) -> str:
    """Format a line for people: the values of a request, and below it a traceback."""
    exception = members.pop("exception", None)
    parts = [
        f"{members.pop('timestamp'):%Y-%m-%dT%H:%M:%SZ}",
        members.pop("level"),
        members.pop("event"),
    ]
    for name, value in members.items():
        if value is not None:
            # A message of a server may have several lines.
            text = str(value)
            parts.append(f"{name}={text if text.isprintable() else repr(text)}")
    return " ".join(parts) + (f"\n{exception}" if exception else "")
