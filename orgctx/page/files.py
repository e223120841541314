"""Read the bundle of the page, which `make page` writes, from the package, and cache it."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from importlib.resources import files

import orjson

INDEX = "index.html"
CONTENT_TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
}


@dataclass(frozen=True)
class File:
    """A file of the page. name: below `/page/`, with a suffix of CONTENT_TYPES."""

    name: str
    body: bytes
    # Whether the name changes with the content.
    is_immutable: bool = True

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


@cache
def read_bundle() -> dict[str, File]:
    """Return all files by name. A request's path is looked up here and never opened."""
    page = files("orgctx.page")
    manifest = orjson.loads((page / "bundle/manifest.json").read_bytes())
    return {
        name: File(name, (page / path).read_bytes(), is_immutable=name != INDEX)
        for name, path in manifest["files"].items()
    }
