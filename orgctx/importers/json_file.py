"""Open files that should be JSON in UTF-8, or say which format they have instead."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path

from orgctx.bundle import packed
from orgctx.importers.records import Progress
from orgctx.importers.report import ImportRefused

UNPACK = "unpack it and import the JSON file inside"
UTF_16 = "is text in UTF-16", "save it as UTF-8: iconv -f UTF-16 -t UTF-8"
FORMS = {
    b"PK\x03\x04": ("is a zip archive", UNPACK),
    b"\x1f\x8b": ("is packed with gzip twice", "unpack it with gunzip"),
    b"\x28\xb5\x2f\xfd": ("is packed with zstd twice", "unpack it with unzstd"),
    b"BZh": ("is packed with bzip2", "unpack it with bunzip2"),
    b"\xfd7zXZ": ("is packed with xz", "unpack it with unxz"),
    b"7z\xbc\xaf": ("is a 7z archive", UNPACK),
    b"Rar!": ("is a rar archive", UNPACK),
    b"SQLite format 3": ("is a database of SQLite", "export JSON"),
    b"\xff\xfe": UTF_16,
    b"\xfe\xff": UTF_16,
    b"{\0": UTF_16,
    b"\0{": UTF_16,
}
BOM = b"\xef\xbb\xbf"


@contextmanager
def opened(path: Path, advice: str, progress: Progress) -> Iterator[BufferedReader]:
    """Open the file, unpacked. advice: what to do if it is HTML. Raises ImportRefused."""
    with packed.opened(path, progress) as file:
        if fault := _fault(file.peek(64)[:64], advice):
            raise ImportRefused(f"{path.name}: byte 0", fault)
        yield file


def _fault(start: bytes, advice: str) -> str | None:
    for signature, (what, step) in FORMS.items():
        if start.startswith(signature):
            return f"{what}, not JSON: {step}"
    if start.removeprefix(BOM).lstrip().startswith(b"<"):
        return f"is HTML or XML, not JSON: {advice}"
    return None
