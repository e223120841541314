"""Example requests and their responses, which `make examples` records from the demo."""

from collections.abc import Mapping
from functools import cache
from typing import Any, TypedDict
from urllib.parse import quote, urlencode

import orjson

from orgctx.operations.operation import Operation
from orgctx.schemas.payload import fields_of


class Example(TypedDict):
    """A recorded request and its response."""

    parameters: dict[str, Any]  # by name in REST
    answer: Any  # the body; lists have at most two objects


@cache
def find(operation: Operation) -> Example | None:
    """Read the example of an operation; None if it has no file."""
    if not operation.example.exists():
        return None
    example: Example = orjson.loads(operation.example.read_bytes())
    return example


def request_path(operation: Operation, parameters: Mapping[str, Any]) -> str:
    """Return the path below /api/v1 and the query. Raises KeyError without a path parameter."""
    query = {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in parameters.items()
    }
    path = operation.path
    for field in fields_of(operation.arguments).values():
        if field.path:
            path = path.replace(f"{{{field.path}}}", quote(query.pop(field.path), safe=""))
    return f"{path}?{urlencode(query)}" if query else path
