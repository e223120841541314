"""Convert web pages that a browser saved as one file (MHTML)."""

from __future__ import annotations

from email import message_from_bytes
from email.policy import default

from orgctx.importers.documents.converted import ConversionError, Converted
from orgctx.importers.documents.message import payload, sent_at
from orgctx.importers.documents.web_page import page


def convert(content: bytes) -> Converted:
    """Convert the first page of a file; other pages in it are frames, and counted."""
    message = message_from_bytes(content, policy=default)
    pages = [part for part in message.walk() if part.get_content_type() == "text/html"]
    if not pages:
        raise ConversionError("contains no page")
    document = page(payload(pages[0]), pages[0].get_content_charset())
    document.skipped["embedded page or media"] += len(pages) - 1
    document.title = document.title or str(message.get("Subject", ""))
    document.created = document.created or sent_at(message)
    return document
