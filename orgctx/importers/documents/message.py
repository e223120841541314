"""Write a mail as Markdown: who wrote to whom, and its text."""

from __future__ import annotations

from collections.abc import Iterable
from email.message import EmailMessage
from hashlib import sha256
from typing import Any

from orgctx.importers.documents.converted import Converted
from orgctx.importers.documents.decoding import decoded
from orgctx.importers.documents.web_page import page

# Bcc is left out: the recipients of a mail do not see it.
SHOWN = ("From", "To", "Cc")
ATTACHMENT = "attachment of a mail"


def converted(message: EmailMessage) -> Converted:
    """Convert a mail. Attachments and hidden recipients are counted."""
    document = body(message)
    skipped = document.skipped
    skipped["hidden recipients of a mail (Bcc)"] += bool(_header(message, "Bcc"))
    document.content = with_facts(
        [(name, _header(message, name)) for name in SHOWN], document.content
    )
    document.title = _header(message, "Subject")
    document.created = document.updated = sent_at(message)
    document.key = _key(message, document)
    return document


def body(message: EmailMessage) -> Converted:
    """Return the text of a mail, from the plain form if there is one, otherwise from HTML."""
    part = message.get_body(("plain", "html"))
    if part is None:
        document = Converted()
    elif part.get_content_type() == "text/html":
        document = page(payload(part), part.get_content_charset(), is_chapter=True)
    else:
        document = Converted()
        charset = part.get_content_charset()
        text = decoded(payload(part), charset, document.repaired)
        document.content = text.replace("\r\n", "\n")
    related = sum(1 for _ in message.iter_attachments())
    document.skipped[ATTACHMENT] += related
    encrypted = message.get_content_type() in ("multipart/encrypted", "application/pkcs7-mime")
    document.skipped["encrypted text of a mail"] += encrypted
    return document


def with_facts(facts: Iterable[tuple[str, str]], text: str) -> str:
    """Return a text below a list of what is known about it, without empty values."""
    lines = [f"- {name}: {' '.join(value.split())}" for name, value in facts if value.strip()]
    return "\n".join(lines) + f"\n\n{text}"


def payload(part: Any) -> bytes:
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""


def sent_at(message: EmailMessage) -> float | None:
    """Return the time of a mail in Unix seconds; None if it is missing or invalid."""
    try:
        time = message["Date"].datetime
        return time.timestamp() if time else None
    except (AttributeError, TypeError, ValueError, OverflowError):
        return None


def _header(message: EmailMessage, name: str) -> str:
    try:
        return str(message.get(name, ""))
    except Exception:  # noqa: BLE001 - the parser of damaged headers raises anything
        return ""


def _key(message: EmailMessage, document: Converted) -> str:
    """Identify a mail by its Message-ID, else by its contents."""
    text = _header(message, "Message-ID").strip()
    text = text or f"{document.title}\0{document.created}\0{document.content}"
    return sha256(text.encode(errors="replace")).hexdigest()[:32]
