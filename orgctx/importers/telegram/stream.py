"""Read JSON files of any size as a stream: enter outer containers, return inner values as bytes.

Only brackets and quotes delimit a value, so invalid JSON inside a message affects only that
message, whose byte offset is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO

import orjson

from orgctx.bundle.packed import MOST_BLANK
from orgctx.importers.report import ImportRejected

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
        self._position = self._base = 0
        self._fill()
        if self._buffer.startswith(BOM):
            self._position = len(BOM)

    @property
    def offset(self) -> int:
        """The position of the cursor in bytes from the start of the file."""
        return self._base + self._position

    def place(self, offset: int | None = None) -> str:
        return f"{self.name}: byte {self.offset if offset is None else offset}"

    def rejection(self, reason: str) -> ImportRejected:
        return ImportRejected(self.place(), reason)

    def peek(self) -> bytes:
        """Return the next byte that is not white space; empty at the end of the file."""
        start = self.offset
        while True:
            self._position = SPACE.match(self._buffer, self._position).end()  # type: ignore[union-attr]
            if self._position < len(self._buffer):
                return self._buffer[self._position : self._position + 1]
            if self.offset - start > MOST_BLANK:
                raise self.rejection(f"more than {MOST_BLANK >> 20} MiB of white space before it")
            if not self._fill():
                return b""

    def take(self, byte: bytes) -> bool:
        """Consume the byte if it is next."""
        if self.peek() != byte:
            return False
        self._position += 1
        return True

    def expect(self, byte: bytes) -> None:
        if not self.take(byte):
            actual = self.peek()
            reason = f"found {actual!r}"[:20] if actual else "but the file is truncated here"
            raise self.rejection(f"expected {byte.decode()}, {reason}")

    def members(self) -> Iterator[str]:
        """Yield the names of an object's members; the caller consumes each value in between."""
        self.expect(b"{")
        if self.take(b"}"):
            return
        while True:
            yield self._name()
            if self.take(b"}"):
                return
            self.expect(b",")

    def elements(self) -> Iterator[int]:
        """Yield the offsets of an array's elements; the caller consumes each one in between."""
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
        """Return the unchecked bytes of the next value, or None if it was too long and skipped."""
        first = self.peek()
        if first in (b"{", b"["):
            return self._container(LONGEST_VALUE)
        return self._match(STRING if first == b'"' else SCALAR)

    def skip(self) -> None:
        """Skip the next value, of any length."""
        if self.peek() in (b"{", b"["):
            self._container(0)
        else:
            self.value()

    def _name(self) -> str:
        if self.peek() != b'"':
            raise self.rejection("expected the name of a member")
        offset = self.offset
        value = self._match(STRING)
        self.expect(b":")
        try:
            return str(orjson.loads(value))
        except orjson.JSONDecodeError:
            raise ImportRejected(self.place(offset), "the name of a member is not JSON") from None

    def _match(self, pattern: re.Pattern[bytes]) -> bytes:
        start = self.offset
        while not (match := pattern.match(self._buffer, self._position)):
            ended = self._position < len(self._buffer) and pattern is SCALAR and self._stuck()
            if ended or self._waiting() > LONGEST_VALUE or not self._fill():
                reason = "the file is truncated" if self.offset == start else "no value"
                raise self.rejection(f"expected a complete value: {reason} or not JSON")
        self._position = match.end()
        return match[0]

    def _stuck(self) -> bool:
        """Return whether the next byte cannot begin a scalar."""
        return self._buffer[self._position : self._position + 1] in (b",", b"]", b"}", b":")

    def _container(self, limit: int) -> bytes | None:
        """Return the next object or array, or None if it exceeds `limit` and was skipped."""
        start, depth, is_kept = self.offset, 0, limit > 0
        position = self._position
        while True:
            match = BRACKET.match(self._buffer, position)
            if match is None:
                is_kept = is_kept and position + self._base - start <= limit
                position = self._refill(start, position, is_kept)
                continue
            position = match.end()
            depth += 1 if self._buffer[position - 1] in b"{[" else -1
            if depth == 0:
                value = self._buffer[start - self._base : position] if is_kept else None
                self._position = position
                return value

    def _refill(self, start: int, position: int, is_kept: bool) -> int:
        """Read more, and return the new value of `position`."""
        if len(self._buffer) - position > LONGEST_VALUE:
            raise ImportRejected(
                self.place(self._base + position), "a string that begins about here does not end"
            )
        offset = self._base + position
        if not is_kept:
            self._position = position
        if not self._fill():
            raise ImportRejected(
                self.place(start), "the value that begins here does not end: the file is truncated"
            )
        return offset - self._base

    def _waiting(self) -> int:
        return len(self._buffer) - self._position

    def _fill(self) -> bool:
        """Drop the bytes before the cursor and read more. Returns False at the end of the file."""
        chunk = self._file.read(max(CHUNK, self._waiting()))
        if chunk:
            self._buffer = self._buffer[self._position :] + chunk
            self._base += self._position
            self._position = 0
        return bool(chunk)
