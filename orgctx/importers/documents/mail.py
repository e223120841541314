"""Convert a mail that is a file of its own."""

from __future__ import annotations

from email import message_from_bytes
from email.policy import default

from orgctx.importers.documents.converted import Converted
from orgctx.importers.documents.message import converted


def convert(content: bytes) -> Converted:
    """Convert a mail."""
    document = converted(message_from_bytes(content, policy=default))
    document.key = ""
    return document
