"""The two ways in which Telegram Desktop has written text that is not JSON, and their repair.

Control characters as `\\xNN`, and custom emoji whose document_id stands without quotes.
"""

from __future__ import annotations

import re

# An escape is matched whole, so that the x of an escaped backslash is left alone.
ESCAPE = re.compile(rb"\\(?:x([0-9A-Fa-f]{2})|.)", re.DOTALL)
# Telegram writes no quote into a path; without one, no byte is looked at twice, whatever the text.
DOCUMENT_ID = re.compile(
    rb'("document_id"[ \t]*:[ \t]*+)([^\r\n"]{0,4096}?)'
    rb'(?=[ \t]{0,8}(?:[\r\n}]|,[ \t]{0,8}[\r\n"}]))'
)


def repair(raw: bytes) -> bytes:
    """The text of a message as the exporter should have written it; NUL is left out."""
    repaired = ESCAPE.sub(_escape, raw)
    return DOCUMENT_ID.sub(_document_id, repaired)


def _escape(found: re.Match[bytes]) -> bytes:
    digits: bytes | None = found[1]
    if digits is None:
        return found[0]
    return b"" if digits == b"00" else b"\\u00" + digits


def _document_id(found: re.Match[bytes]) -> bytes:
    return found[1] + b'"' + found[2].replace(b"\\", b"_") + b'"'
