"""All files of the page: its bundle, and what tells it the operations and how clients connect.

The latter is built from the catalog, so that no file of the page repeats it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import orjson

from orgctx import clients
from orgctx.operations.operation import Operation
from orgctx.page.files import INDEX, File, read_bundle
from orgctx.resources.catalog import OPERATIONS
from orgctx.schemas.json_schema import object_schema
from orgctx.schemas.payload import fields_of

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
