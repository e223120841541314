"""Open JSON files; if a file is not JSON in UTF-8, say which format it has."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path

from orgctx.importers.report import ImportRejected

UTF_16 = "is UTF-16", "save it as UTF-8: iconv -f UTF-16 -t UTF-8"
# What a file is and what to do about it, by its first four bytes.
FORMATS = {
    b"PK\x03\x04": ("is a zip archive", "unpack it and import the JSON file inside"),
    b"\x1f\x8b": ("is compressed with gzip", "unpack it with gunzip"),
    b"\x28\xb5\x2f\xfd": ("is compressed with zstd", "unpack it with zstd -d"),
    b"wind": (  # window.YTD.
        "is an archive of your own posts, without the mentions that others wrote",
        "collect GET /2/users/{id}/mentions of the X API",
    ),
    b"\xff\xfe": UTF_16,
    b"\xfe\xff": UTF_16,
    b"{\0": UTF_16,
    b"\0{": UTF_16,
}
BOM = b"\xef\xbb\xbf"


@contextmanager
def opened(path: Path, advice: str) -> Iterator[BufferedReader]:
    """Open a file. Raises ImportRejected, with an advice for HTML or XML."""
    with path.open("rb") as file:
        start = file.peek(4)[:4]
        is_html = start.removeprefix(BOM).lstrip().startswith(b"<")
        fitting = [error for mark, error in FORMATS.items() if start.startswith(mark)]
        for description, step in fitting or [("is HTML or XML", advice)] * is_html:
            raise ImportRejected(f"{path.name}: byte 0", f"{description}, not JSON: {step}")
        yield file
