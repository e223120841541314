"""Quote error messages of the X API without secrets and without HTML pages."""

from __future__ import annotations

import re
from typing import Any

LONGEST = 300
MOST_ERRORS = 3
# Members of errors in v2, OAuth and v1.1, in the order in which to quote them.
MEMBERS = ("status", "code", "title", "error", "detail", "message", "error_description", "reason")
NAMED = re.compile(
    r"(?i)\b(bearer|token|secret|password|key|authorization)(\W{1,4})(?=\S*\d)[\w%.~+/=-]{8,}"
)
# Tokens mix digits and capitals; field names and post ids do not.
TOKEN = re.compile(r"(?=[\w%.~+/=-]{0,200}\d)(?=[\w%.~+/=-]{0,200}[A-Z])[\w%.~+/=-]{20,}")
SIGNS = ("errors", "error", "title", "detail", "message")


def error_of(value: dict[str, Any]) -> str | None:
    """The message of an error body; None if the value is not an error."""
    if value.get("data") is not None or not any(name in value for name in SIGNS):
        return None
    errors = value.get("errors")
    parts = [value, *(errors[:MOST_ERRORS] if isinstance(errors, list) else [errors])]
    texts = [text for part in parts if (text := said(part))]
    return quoted("; ".join(dict.fromkeys(texts)) or "an error without words")


def said(error: Any) -> str:
    """The text of one error, not yet quoted."""
    if isinstance(error, str):
        return error[:LONGEST]
    members = error if isinstance(error, dict) else {}
    known = (members.get(name) for name in MEMBERS)
    texts = [str(value)[:LONGEST] for value in known if isinstance(value, str | int)]
    return " ".join(dict.fromkeys(texts))


def quoted(text: str) -> str:
    """One line of bounded length without anything that could be a secret."""
    line = " ".join(text[: 4 * LONGEST].split())
    line = TOKEN.sub("…", NAMED.sub(r"\1\2…", line))
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
