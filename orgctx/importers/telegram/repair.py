"""Repair the two kinds of invalid JSON that Telegram Desktop has written.

It has written control characters as `\\xNN`, and the document_id of custom emoji without quotes.
"""

from __future__ import annotations

import re

# Matches whole escapes, so that an x after an escaped backslash is not changed.
ESCAPE = re.compile(rb"\\(?:x([0-9A-Fa-f]{2})|.)", re.DOTALL)
# Paths contain no quotes; excluding them makes matching linear for any text.
DOCUMENT_ID = re.compile(
    rb'("document_id"[ \t]*:[ \t]*+)([^\r\n"]{0,4096}?)'
    rb'(?=[ \t]{0,8}(?:[\r\n}]|,[ \t]{0,8}[\r\n"}]))'
)


def repair(raw: bytes) -> bytes:
    """Convert the text of a message to valid JSON, without NUL."""
    repaired = ESCAPE.sub(_escape, raw)
    return DOCUMENT_ID.sub(_document_id, repaired)


def _escape(match: re.Match[bytes]) -> bytes:
    digits: bytes | None = match[1]
    if digits is None:
        return match[0]
    return b"" if digits == b"00" else b"\\u00" + digits


def _document_id(match: re.Match[bytes]) -> bytes:
    return match[1] + b'"' + match[2].replace(b"\\", b"_") + b'"'
