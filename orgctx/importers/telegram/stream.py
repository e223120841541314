"""Read JSON files of any size forwards: enter outer containers, return inner values as bytes.

Only brackets and quotes delimit a value, so bad JSON inside a message loses only that message,
and its byte offset is known. Independent of Telegram.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO

import orjson

from orgctx.bundle.packed import MOST_BLANK
from orgctx.importers.report import ImportRefused

CHUNK = 256 * 1024
LONGEST_VALUE = 16 * 1024 * 1024
SPACE = re.compile(rb"[ \t\r\n]*+")
# Matches from outside a string to the next bracket that is outside a string.
BRACKET = re.compile(
    rb'[^"{}\[\]]*+(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"[^"{}\[\]]*+)*+[{}\[\]]', re.DOTALL
)
STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
SCALAR = re.compile(rb'[^\s,\[\]{}":]++(?=[\s,\[\]{}":])')
BOM = b"\xef\xbb\xbf"


class Stream:
    """A cursor in a file. Memory is bounded by the longest value."""

    def __init__(self, file: IO[bytes], name: str) -> None:
        self._file, self.name = file, name
        self._buffer = b""
        self._at = self._base = 0
        self._fill()
        if self._buffer.startswith(BOM):
            self._at = len(BOM)

    @property
    def offset(self) -> int:
        """Position of the cursor in bytes from the start of the file."""
        return self._base + self._at

    def place(self, offset: int | None = None) -> str:
        return f"{self.name}: byte {self.offset if offset is None else offset}"

    def refusal(self, reason: str) -> ImportRefused:
        return ImportRefused(self.place(), reason)

    def peek(self) -> bytes:
        """The next byte that is not white space; empty at the end of the file."""
        start = self.offset
        while True:
            self._at = SPACE.match(self._buffer, self._at).end()  # type: ignore[union-attr]
            if self._at < len(self._buffer):
                return self._buffer[self._at : self._at + 1]
            if self.offset - start > MOST_BLANK:
                raise self.refusal(f"more than {MOST_BLANK >> 20} MiB of white space before it")
            if not self._fill():
                return b""

    def take(self, byte: bytes) -> bool:
        """Consume the byte if it is next."""
        if self.peek() != byte:
            return False
        self._at += 1
        return True

    def expect(self, byte: bytes) -> None:
        if not self.take(byte):
            found = self.peek()
            what = f"not {found!r}"[:20] if found else "but the file ends here: it is cut off"
            raise self.refusal(f"{byte.decode()} must stand here, {what}")

    def members(self) -> Iterator[str]:
        """Names of the object's members. The caller consumes each value before the next name."""
        self.expect(b"{")
        if self.take(b"}"):
            return
        while True:
            yield self._name()
            if self.take(b"}"):
                return
            self.expect(b",")

    def elements(self) -> Iterator[int]:
        """Offsets of the array's elements. The caller consumes each before the next."""
        self.expect(b"[")
        if self.take(b"]"):
            return
        while True:
            self.peek()
            yield self.offset
            if self.take(b"]"):
                return
            self.expect(b",")

    def value(self) -> bytes | None:
        """The unchecked bytes of the value at the cursor; None if it was too long and skipped."""
        first = self.peek()
        if first in (b"{", b"["):
            return self._container(LONGEST_VALUE)
        return self._match(STRING if first == b'"' else SCALAR)

    def skip(self) -> None:
        """Skip the value at the cursor, of any length."""
        if self.peek() in (b"{", b"["):
            self._container(0)
        else:
            self.value()

    def _name(self) -> str:
        if self.peek() != b'"':
            raise self.refusal("the name of a member must stand here")
        offset = self.offset
        raw = self._match(STRING)
        self.expect(b":")
        try:
            return str(orjson.loads(raw))
        except orjson.JSONDecodeError:
            raise ImportRefused(self.place(offset), "the name of a member is not JSON") from None

    def _match(self, pattern: re.Pattern[bytes]) -> bytes:
        start = self.offset
        while not (found := pattern.match(self._buffer, self._at)):
            ended = self._at < len(self._buffer) and pattern is SCALAR and self._stuck()
            if ended or self._waiting() > LONGEST_VALUE or not self._fill():
                reason = "the file is cut off" if self.offset == start else "no value"
                raise self.refusal(f"there is no complete value here: {reason} or not JSON")
        self._at = found.end()
        return found[0]

    def _stuck(self) -> bool:
        """Whether the next byte cannot begin a scalar."""
        return self._buffer[self._at : self._at + 1] in (b",", b"]", b"}", b":")

    def _container(self, longest: int) -> bytes | None:
        """The object or array at the cursor; None if it exceeds `longest` and was skipped."""
        start, depth, keeps = self.offset, 0, longest > 0
        at = self._at
        while True:
            found = BRACKET.match(self._buffer, at)
            if found is None:
                keeps = keeps and at + self._base - start <= longest
                at = self._refill(start, at, keeps)
                continue
            at = found.end()
            depth += 1 if self._buffer[at - 1] in b"{[" else -1
            if depth == 0:
                raw = self._buffer[start - self._base : at] if keeps else None
                self._at = at
                return raw

    def _refill(self, start: int, at: int, keeps: bool) -> int:
        """Read more; return the new place of `at`."""
        if len(self._buffer) - at > LONGEST_VALUE:
            raise ImportRefused(
                self.place(self._base + at), "a string begins about here and does not end"
            )
        position = self._base + at
        if not keeps:
            self._at = at
        if not self._fill():
            raise ImportRefused(
                self.place(start), "the value that begins here has no end: the file is cut off"
            )
        return position - self._base

    def _waiting(self) -> int:
        return len(self._buffer) - self._at

    def _fill(self) -> bool:
        """Drop the bytes before the cursor and read more; False at the end of the file."""
        chunk = self._file.read(max(CHUNK, self._waiting()))
        if chunk:
            self._buffer = self._buffer[self._at :] + chunk
            self._base += self._at
            self._at = 0
        return bool(chunk)
