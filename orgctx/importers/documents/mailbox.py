"""Convert mailboxes in the mbox format; each mail is a document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import BinaryIO

from orgctx.importers.documents.converted import Converted
from orgctx.importers.documents.formats import MIB
from orgctx.importers.documents.message import converted

LONGEST_MAIL = 64 * MIB
LONGEST_LINE = 1 * MIB
# A line that begins a mail; in its text such a line has a `>` before it.
START = re.compile(rb"From (?=\S)[^\n]*\d\d:\d\d")
QUOTED = re.compile(rb"^>(?=>*From )", re.MULTILINE)
HEXADECIMAL = re.compile(r"[0-9a-fA-F]{1,8}\Z")
# What mail programs move or hide. Gmail writes labels, Thunderbird flags.
LABELS = {"spam", "trash", "bin", "drafts", "draft"}
MOZILLA_EXPUNGED = 0x8


def convert_all(file: BinaryIO, start: int) -> Iterator[tuple[Converted, int]]:
    """Yield the mails from an offset on, each with the offset after it."""
    file.seek(start)
    for content, end in _mails(file):
        yield _convert(content), end


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


def _convert(content: bytes | None) -> Converted:
    if content is None:
        return Converted(error=f"a mail exceeds {LONGEST_MAIL >> 20} MiB")
    try:
        message = message_from_bytes(content, policy=default)
        if reason := _reason_to_skip(message):
            document = Converted()
            document.skipped[reason] += 1
            return document
        return converted(message)
    except Exception as error:  # noqa: BLE001 - the parser of damaged mails raises anything
        return Converted(error=f"a mail cannot be read: {error}")


def _reason_to_skip(message: EmailMessage) -> str:
    labels = {label.strip().lower() for label in str(message.get("X-Gmail-Labels", "")).split(",")}
    if labels & LABELS:
        return "mail in the trash, a draft or spam"
    flags = str(message.get("X-Mozilla-Status", "0")).strip()
    is_flagged = HEXADECIMAL.match(flags) and int(flags, 16) & MOZILLA_EXPUNGED
    return "deleted mail" if is_flagged else ""
