"""The files of the page: its bundle, which `make page` writes, and what describes this service.

The description is built from the catalog, so that no file of the bundle repeats it.
"""

import gzip
from dataclasses import dataclass, replace
from functools import cache, cached_property
from hashlib import sha256
from importlib.resources import files
from typing import Any

import orjson

from orgctx import clients
from orgctx.operations.operation import Operation
from orgctx.resources.catalog import OPERATIONS
from orgctx.schemas.json_schema import object_schema
from orgctx.schemas.payload import fields_of

INDEX = "index.html"
CONTENT_TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
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


DESCRIPTION = "service.json"


@cache
def list_files(base_url: str) -> dict[str, File]:
    """Return all files by name. The index links the description by a name with its hash."""
    description, bundle = describe(base_url), read_bundle()
    name = f"service-{description.etag[:8]}.json"
    index = bundle[INDEX].body.replace(DESCRIPTION.encode(), name.encode())
    return bundle | {
        INDEX: replace(bundle[INDEX], body=index),
        DESCRIPTION: description,
        name: replace(description, name=name, is_immutable=True),
    }


def describe(base_url: str) -> File:
    """Return the file's content: base URL, operations and clients.

    base_url: if empty, configurations contain the example, which the page replaces.
    """
    members = {
        "baseUrl": base_url,
        "exampleUrl": clients.EXAMPLE,
        "variable": clients.VARIABLE,
        "operations": [describe_operation(operation) for operation in OPERATIONS],
        "clients": [
            {
                "name": name,
                "title": client.title,
                "place": client.instruction,
                "configuration": clients.configuration(name, base_url or clients.EXAMPLE),
            }
            for name, client in clients.CLIENTS.items()
        ],
    }
    return File(DESCRIPTION, orjson.dumps(members), is_immutable=False)


def describe_operation(operation: Operation) -> dict[str, Any]:
    """Describe an operation. Arguments have the tool's names; path: the name in the REST path."""
    types = object_schema(operation.arguments)["properties"]
    arguments = {
        field.data_key: {"path": field.path, "type": types[field.data_key]["type"]}
        for field in fields_of(operation.arguments).values()
    }
    return {
        "name": operation.name,
        "title": operation.title,
        "path": operation.path,
        "scopes": operation.scopes,
        "kinds": operation.kinds,
        "arguments": arguments,
    }
