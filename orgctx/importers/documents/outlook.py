"""Convert messages that Outlook saved (.msg)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from io import BytesIO
from struct import iter_unpack
from typing import Any

from olefile import OleFileIO

from orgctx.importers.documents.converted import ConversionError, Converted
from orgctx.importers.documents.decoding import decoded
from orgctx.importers.documents.message import ATTACHMENT, with_facts
from orgctx.importers.documents.web_page import page

# Property ids of MAPI.
SUBJECT, SENDER, ADDRESS, SMTP, TO, CC = "0037", "0C1A", "0C1F", "5D01", "0E04", "0E03"
BCC, BODY, HTML, RTF = "0E02", "1000", "1013", "1009"
SENT, RECEIVED = 0x0039, 0x0E06
UNICODE, STRING8, BINARY, TIME = "001F", "001E", "0102", 0x0040
HEADER_BYTES = 32
EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
MAX_TIME = 1 << 61  # in units of 100 ns since EPOCH; about the year 8900, which datetime can hold


def convert(content: bytes) -> Converted:
    """Convert a message. Attachments and hidden recipients are counted as skipped."""
    try:
        file = OleFileIO(BytesIO(content))
    except OSError:
        raise ConversionError("is damaged or of another type") from None
    document = _body(file)
    times = _times(file)
    document.created = document.updated = times.get(SENT) or times.get(RECEIVED)
    sender, address = (_text(file, name, document) for name in (SENDER, SMTP))
    address = address or _text(file, ADDRESS, document)
    sender = f"{sender} <{address}>" if "@" in address and address != sender else sender
    facts = [
        ("From", sender),
        *((n, _text(file, p, document)) for n, p in (("To", TO), ("Cc", CC))),
    ]
    document.content = with_facts(facts, document.content)
    document.title = _text(file, SUBJECT, document)
    document.skipped["hidden recipients of a mail (Bcc)"] += bool(
        _text(file, BCC, document).strip()
    )
    folders = {path[0] for path in file.listdir(streams=True, storages=True)}
    document.skipped[ATTACHMENT] += sum(name.startswith("__attach_version1.0") for name in folders)
    return document


def _body(file: Any) -> Converted:
    document = Converted()
    if text := _text(file, BODY, document):
        document.content = text.replace("\r\n", "\n")
        return document
    if html := _stream(file, HTML, BINARY) or _text(file, HTML, document).encode():
        return page(html, is_chapter=True)
    document.skipped["text of a mail that is only RTF"] += bool(_stream(file, RTF, BINARY))
    return document


def _text(file: Any, name: str, document: Converted) -> str:
    """Return a property that is text; empty if it is missing."""
    if content := _stream(file, name, UNICODE):
        return content.decode("utf-16-le", errors="replace").rstrip("\0")
    content = _stream(file, name, STRING8)
    return decoded(content, None, document.repaired).rstrip("\0") if content else ""


def _stream(file: Any, name: str, kind: str) -> bytes:
    path = f"__substg1.0_{name}{kind}"
    return bytes(file.openstream(path).read()) if file.exists(path) else b""


def _times(file: Any) -> dict[int, float]:
    """Return the properties that are times, in Unix seconds."""
    path = "__properties_version1.0"
    content = file.openstream(path).read()[HEADER_BYTES:] if file.exists(path) else b""
    entries = iter_unpack("<HHIQ", content[: len(content) // 16 * 16])
    return {
        name: (EPOCH + timedelta(microseconds=value // 10)).timestamp()
        for kind, name, _, value in entries
        if kind == TIME and value < MAX_TIME
    }
