"""The file that tells the page the operations and how clients connect.

It is built from the catalog, so that no file of the page repeats it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import orjson

from orgctx import clients
from orgctx.operations.operation import Operation
from orgctx.page.files import File
from orgctx.resources.catalog import OPERATIONS
from orgctx.schemas.json_schema import object_schema
from orgctx.schemas.payload import fields_of

DESCRIPTION = "service.json"


@cache
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
    return File(DESCRIPTION, orjson.dumps(members))


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
