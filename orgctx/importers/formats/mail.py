"""Convert mails, alone, in mailboxes and as Outlook saved them, and saved web pages (MHTML)."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from hashlib import sha256
from io import BytesIO
from struct import iter_unpack
from typing import Any, BinaryIO

from olefile import OleFileIO

from orgctx.importers.decoding import decoded
from orgctx.importers.folder.conversion import ConversionError, Converted
from orgctx.importers.formats import MIB
from orgctx.importers.formats.html import page, sheet_name

# Bcc is left out: the recipients of a mail do not see it.
SHOWN = ("From", "To", "Cc")
KEY = ("Message-ID", "From", "Date", "Subject")
ATTACHMENT = "attachment of a mail"
BCC = "hidden recipients of a mail (Bcc)"
ENCRYPTED = ("multipart/encrypted", "application/pkcs7-mime")
LONGEST_MAIL = 64 * MIB
LONGEST_LINE = 1 * MIB
# A line that begins a mail; in its text such a line has a `>` before it.
START = re.compile(rb"From (?=\S)[^\n]*\d\d:\d\d")
QUOTED = re.compile(rb"^>(?=>*From )", re.MULTILINE)
BLANK_LINE = re.compile(rb"^\r?\n", re.MULTILINE)
# Obsolete, but valid; Python's parser would end the headers there.
SPACE_BEFORE_COLON = re.compile(rb"^([!-9;-~]{1,100})[ \t]+(?=:)", re.MULTILINE)
HEXADECIMAL = re.compile(r"[0-9a-fA-F]{1,8}\Z")
# What mail programs move or hide. Gmail writes labels, Thunderbird flags.
LABELS = {"spam", "trash", "bin", "drafts", "draft"}
MOZILLA_EXPUNGED = 0x8
# Properties of MAPI, by which Outlook names its streams.
SUBJECT, SENDER, ADDRESS, SMTP, TO, CC = "0037", "0C1A", "0C1F", "5D01", "0E04", "0E03"
HIDDEN_TO, BODY, HTML, RTF = "0E02", "1000", "1013", "1009"
UNICODE, STRING8, BINARY = "001F", "001E", "0102"
SENT, RECEIVED, TIME = 0x0039, 0x0E06, 0x0040
PROPERTIES, HEADER_BYTES = "__properties_version1.0", 32
EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
MAX_TIME = 1 << 61  # in units of 100 ns since EPOCH; about the year 8900, which datetime can hold


def mail(content: bytes) -> Converted:
    return _converted(*_parsed(content))


def _parsed(content: bytes) -> tuple[EmailMessage, bytes]:
    """Return a message, and its body as it is in the file."""
    blank = BLANK_LINE.search(content)
    end = blank.end() if blank else len(content)
    headers = SPACE_BEFORE_COLON.sub(rb"\1", content[:end])
    return message_from_bytes(headers + content[end:], policy=default), content[end:]


def mailbox(file: BinaryIO, start: int) -> Iterator[tuple[Converted, int]]:
    """Yield the mails of an mbox file from an offset on, each with the offset after it."""
    file.seek(start)
    for content, end in _mails(file):
        yield _mail_of_mailbox(content), end


def _mails(file: BinaryIO) -> Iterator[tuple[bytes | None, int]]:
    """Yield the mails, or None for one that is too long, with the offset after each."""
    lines: list[bytes] = []
    length, is_after_blank = 0, True
    while line := file.readline(LONGEST_LINE):
        if is_after_blank and START.match(line) and length:
            yield _joined(lines, length), file.tell() - len(line)
            lines, length = [], 0
        length += len(line)
        if length <= LONGEST_MAIL:
            lines.append(line)
        is_after_blank = line in (b"\n", b"\r\n")
    if length:
        yield _joined(lines, length), file.tell()


def _joined(lines: list[bytes], length: int) -> bytes | None:
    if length > LONGEST_MAIL:
        return None
    return QUOTED.sub(b"", b"".join(lines[1:] if START.match(lines[0]) else lines))


def _mail_of_mailbox(content: bytes | None) -> Converted:
    if content is None:
        return Converted(error=f"a mail exceeds {LONGEST_MAIL >> 20} MiB")
    try:
        message, body = _parsed(content)
        labels = str(message.get("X-Gmail-Labels", "")).split(",")
        if not LABELS.isdisjoint(label.strip().lower() for label in labels):
            return Converted(skipped=Counter({"mail in the trash, a draft or spam": 1}))
        flags = str(message.get("X-Mozilla-Status", "0")).strip()
        is_expunged = HEXADECIMAL.match(flags) and int(flags, 16) & MOZILLA_EXPUNGED
        if is_expunged or "D" in str(message.get("X-Status", "")):  # of mutt and Dovecot
            return Converted(skipped=Counter({"deleted mail": 1}))
        return _converted(message, body)
    except Exception as error:  # noqa: BLE001 - the parser of damaged mails raises anything
        return Converted(error=f"a mail cannot be read: {error}")


def _converted(message: EmailMessage, body: bytes) -> Converted:
    """Convert a mail, from HTML, as mail programs show it, otherwise from the plain form."""
    document = Converted()
    for kind in ("html", "plain"):
        part = message.get_body((kind,))
        if part is None or document.content.strip():
            continue
        content, charset = _payload(part), part.get_content_charset()
        if kind == "html":
            document = page(content, charset, is_chapter=True)
        else:
            document.content = decoded(content, charset, document.repaired).replace("\r\n", "\n")
    document.skipped[ATTACHMENT] += sum(1 for _ in message.iter_attachments())
    document.skipped["encrypted text of a mail"] += message.get_content_type() in ENCRYPTED
    document.skipped[BCC] += bool(_header(message, "Bcc"))
    facts = [(name, _header(message, name)) for name in SHOWN]
    document.content = with_facts(facts, document.content)
    document.title = _header(message, "Subject")
    document.created = document.updated = _sent_at(message)
    # Anybody can send a mail with the Message-ID of another one.
    headers = "\0".join(_header(message, name) for name in KEY)
    document.key = sha256(headers.encode(errors="replace") + body.strip()).hexdigest()[:32]
    return document


def with_facts(facts: Iterable[tuple[str, str]], text: str) -> str:
    """Return a text below a list of what is known about it, without empty values."""
    lines = [f"- {name}: {' '.join(value.split())}" for name, value in facts if value.strip()]
    return "\n".join(lines) + f"\n\n{text}"


def _payload(part: Any) -> bytes:
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""


def _header(message: EmailMessage, name: str) -> str:
    """Return a header; one of 8 bits, which no character set declares, is guessed."""
    try:
        for key, value in message.raw_items():
            if key.lower() == name.lower() and not str(value).isascii():
                raw = str(value).encode("utf-8", "surrogateescape")
                return " ".join(decoded(raw, None, Counter()).split())
        return str(message.get(name, ""))
    except Exception:  # noqa: BLE001 - the parser of damaged headers raises anything
        return ""


def _sent_at(message: EmailMessage) -> float | None:
    """Return the time of a mail in Unix seconds; None if it is missing or invalid."""
    try:
        time = message["Date"].datetime
        return time.timestamp() if time else None
    except (AttributeError, TypeError, ValueError, OverflowError):
        return None


def saved_page(content: bytes) -> Converted:
    """Convert the first page of a file; other pages in it are frames, and counted."""
    message = message_from_bytes(content, policy=default)
    pages = [part for part in message.walk() if part.get_content_type() == "text/html"]
    if not pages:
        raise ConversionError("contains no page")
    sheets = {
        sheet_name(str(part.get("Content-Location"))): _payload(part).decode(errors="replace")
        for part in message.walk()
        if part.get_content_type() == "text/css"
    }
    charset = pages[0].get_content_charset()
    document = page(_payload(pages[0]), charset, is_source=False, sheets=sheets)
    document.skipped["embedded page or media"] += len(pages) - 1
    document.title = document.title or str(message.get("Subject", ""))
    document.created = document.created or _sent_at(message)
    return document


def outlook(content: bytes) -> Converted:
    """Convert a message that Outlook saved. Attachments and hidden recipients are counted."""
    try:
        file = OleFileIO(BytesIO(content))
    except OSError:
        raise ConversionError("is damaged or of another type") from None
    document = Converted()

    def stream(name: str) -> bytes:
        return bytes(file.openstream(name).read()) if file.exists(name) else b""

    def binary(name: str) -> bytes:
        return stream(f"__substg1.0_{name}{BINARY}")

    def text(name: str) -> str:
        if content := stream(f"__substg1.0_{name}{UNICODE}"):
            return content.decode("utf-16-le", errors="replace").rstrip("\0")
        content = stream(f"__substg1.0_{name}{STRING8}")
        return decoded(content, None, document.repaired).rstrip("\0") if content else ""

    if html := binary(HTML) or text(HTML).encode():
        document = page(html, is_chapter=True)
    if not document.content.strip():
        document.content = text(BODY).replace("\r\n", "\n")
    if not document.content:
        document.skipped["text of a mail that is only RTF"] += bool(binary(RTF))
    sender, address = text(SENDER), text(SMTP) or text(ADDRESS)
    if "@" in address and address != sender:
        sender = f"{sender} <{address}>"
    facts = [("From", sender), ("To", text(TO)), ("Cc", text(CC))]
    document.content = with_facts(facts, document.content)
    document.title = text(SUBJECT)
    times = _times(stream(PROPERTIES))
    document.created = document.updated = times.get(SENT) or times.get(RECEIVED)
    document.skipped[BCC] += bool(text(HIDDEN_TO).strip())
    folders = {path[0] for path in file.listdir(streams=True, storages=True)}
    document.skipped[ATTACHMENT] += sum(name.startswith("__attach_version1.0") for name in folders)
    return document


def _times(properties: bytes) -> dict[int, float]:
    content = properties[HEADER_BYTES:]
    return {
        name: (EPOCH + timedelta(microseconds=value // 10)).timestamp()
        for kind, name, _, value in iter_unpack("<HHIQ", content[: len(content) // 16 * 16])
        if kind == TIME and value < MAX_TIME
    }
