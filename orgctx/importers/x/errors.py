"""Quote error messages of the X API without secrets and without HTML pages."""

from __future__ import annotations

import re
from string import ascii_uppercase
from typing import Any

MAX_LENGTH = 300
MOST_ERRORS = 3
# Members of errors of v2, OAuth and v1.1, in the order in which they are quoted.
MEMBERS = ("status", "code", "title", "error", "detail", "message", "error_description", "reason")
# A name such as `token`, and a value after it that contains a digit.
NAMED_SECRET = re.compile(
    r"(?i)\b(bearer|token|secret|password|key|authorization)(\W{1,4})(?=\S{0,200}\d)[\w%.~+/=-]{8,}"
)
LONG_WORD = re.compile(r"[\w%.~+/=-]{20,}")
# Members that only an error body has.
ERROR_MEMBERS = ("errors", "error", "title", "detail", "message")


def error_of(value: dict[str, Any]) -> str | None:
    """Return the message of an error body, or None if the value is not an error."""
    if value.get("data") is not None or not any(name in value for name in ERROR_MEMBERS):
        return None
    errors = value.get("errors")
    parts = [value, *(errors[:MOST_ERRORS] if isinstance(errors, list) else [errors])]
    texts = [text for part in parts if (text := message_of(part))]
    return quoted("; ".join(dict.fromkeys(texts)) or "an error without a message")


def message_of(error: Any) -> str:
    """Return the text of one error. It may contain secrets; `quoted` removes them."""
    if isinstance(error, str):
        return error[:MAX_LENGTH]
    members = error if isinstance(error, dict) else {}
    values = (members.get(name) for name in MEMBERS)
    texts = [str(value)[:MAX_LENGTH] for value in values if isinstance(value, str | int)]
    return " ".join(dict.fromkeys(texts))


def quoted(text: str) -> str:
    """Return the text on one line of at most MAX_LENGTH characters, without possible secrets."""
    line = " ".join(text[: 4 * MAX_LENGTH].split())
    line = LONG_WORD.sub(_without_token, NAMED_SECRET.sub(r"\1\2…", line))
    return line if len(line) <= MAX_LENGTH else line[: MAX_LENGTH - 1] + "…"


def _without_token(word: re.Match[str]) -> str:
    # Tokens mix digits and capital letters; field names and post ids do not.
    is_token = any(c.isdigit() for c in word[0]) and any(c in ascii_uppercase for c in word[0])
    return "…" if is_token else word[0]
