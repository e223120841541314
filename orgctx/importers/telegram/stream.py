"""Read JSON files of any size as a stream: enter outer containers, return inner values as bytes.

Only brackets and quotes delimit a value, so invalid JSON inside a message affects only that
message, whose byte offset is known.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from typing import IO

from orgctx.importers.report import ImportRejected

CHUNK = 256 * 1024
LONGEST_VALUE = 16 * 1024 * 1024
SPACE = re.compile(rb"[ \t\r\n]*+")
# Matches from outside a string to the next bracket that is outside a string; group 1 opens.
BRACKET = re.compile(
    rb'[^"{}\[\]]*+(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"[^"{}\[\]]*+)*+(?:([{\[])|[}\]])', re.DOTALL
)
STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
SCALAR = re.compile(rb'[^\s,\[\]{}":]++(?=[\s,\[\]{}":])')


class Stream:
    """A cursor in a file. Memory is bounded by the longest value."""

    def __init__(self, file: IO[bytes], name: str) -> None:
        self._file, self.name = file, name
        self._buffer = b""
        self._position = self._base = 0
        self._fill()
        if self._buffer.startswith(BOM_UTF8):
            self._position = len(BOM_UTF8)

    @property
    def offset(self) -> int:
        """The position of the cursor in bytes from the start of the file."""
        return self._base + self._position

    def place(self, offset: int | None = None) -> str:
        return f"{self.name}: byte {self.offset if offset is None else offset}"

    def rejection(self, reason: str, offset: int | None = None) -> ImportRejected:
        return ImportRejected(self.place(offset), reason)

    def peek(self) -> bytes:
        """Return the next byte that is not white space; empty at the end of the file."""
        while True:
            self._position = SPACE.match(self._buffer, self._position).end()  # type: ignore[union-attr]
            if self._position < len(self._buffer) or not self._fill():
                return self._buffer[self._position : self._position + 1]

    def members(self) -> Iterator[str]:
        """Yield the names of an object's members; the caller consumes each value in between."""
        for _ in self._items(b"{", b"}"):
            if self.peek() != b'"':
                raise self.rejection("expected the name of a member")
            name = self._match(STRING)[1:-1]
            self._expect(b":")
            yield name.decode(errors="replace")

    def elements(self) -> Iterator[int]:
        """Yield the offsets of an array's elements; the caller consumes each one in between."""
        return self._items(b"[", b"]")

    def value(self) -> bytes | None:
        """Return the unchecked bytes of the next value, or None if it was too long and skipped."""
        first = self.peek()
        if first in (b"{", b"["):
            return self._container()
        return self._match(STRING if first == b'"' else SCALAR)

    def _items(self, opening: bytes, closing: bytes) -> Iterator[int]:
        self._expect(opening)
        while self.peek() != closing:
            yield self.offset
            if self.peek() != closing:
                self._expect(b",")
        self._position += 1

    def _expect(self, byte: bytes) -> None:
        if (actual := self.peek()) != byte:
            reason = f"found {actual!r}"[:20] if actual else "but the file is truncated here"
            raise self.rejection(f"expected {byte.decode()}, {reason}")
        self._position += 1

    def _match(self, pattern: re.Pattern[bytes]) -> bytes:
        while not (match := pattern.match(self._buffer, self._position)):
            if len(self._buffer) - self._position > LONGEST_VALUE or not self._fill():
                raise self.rejection("expected a complete value: the file is truncated or not JSON")
        self._position = match.end()
        return match[0]

    def _container(self) -> bytes | None:
        """Return the next object or array, or None if it was too long and skipped."""
        start, position, depth = self.offset, self._position, 0
        while True:
            if match := BRACKET.match(self._buffer, position):
                position = match.end()
                depth += 1 if match.lastindex else -1
                if depth == 0:
                    self._position, begin = position, start - self._base
                    return self._buffer[begin:position] if begin >= 0 else None
                continue
            offset = self._base + position
            if offset - start > LONGEST_VALUE:
                self._position = position  # Drop what precedes it.
            if len(self._buffer) - position > LONGEST_VALUE or not self._fill():
                reason = "the value that begins here does not end: the file is truncated"
                raise self.rejection(reason, start)
            position = offset - self._base

    def _fill(self) -> bool:
        """Drop the bytes before the cursor and read more. Returns False at the end of the file."""
        chunk = self._file.read(max(CHUNK, len(self._buffer) - self._position))
        if chunk:
            self._buffer = self._buffer[self._position :] + chunk
            self._base += self._position
            self._position = 0
        return bool(chunk)
