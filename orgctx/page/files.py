"""Read the files of the page from the package, and cache them."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

INDEX = "index.html"
CONTENT_TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "mjs": "text/javascript; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
}


@dataclass(frozen=True)
class File:
    """A file of the page. name: path below `static`, with a suffix of CONTENT_TYPES."""

    name: str
    body: bytes

    @property
    def content_type(self) -> str:
        return CONTENT_TYPES[self.name.rpartition(".")[2]]

    @cached_property
    def etag(self) -> str:
        return sha256(self.body).hexdigest()[:32]

    @cached_property
    def gzipped(self) -> bytes:
        """The body compressed with gzip; the same bytes in every process."""
        return gzip.compress(self.body, compresslevel=6, mtime=0)


def find(name: str) -> File | None:
    """Return the file of a path below `static`; None for every other path."""
    return _all().get(name)


@cache
def _all() -> dict[str, File]:
    """Return all files by path. A request's path is looked up here and never opened."""
    return {file.name: file for file in _walk(files("orgctx.page") / "static", "")}


def _walk(folder: Traversable, prefix: str) -> Iterator[File]:
    for entry in folder.iterdir():
        name = prefix + entry.name
        if entry.is_dir():
            yield from _walk(entry, f"{name}/")
        elif entry.name.rpartition(".")[2] in CONTENT_TYPES:
            yield File(name, entry.read_bytes())
