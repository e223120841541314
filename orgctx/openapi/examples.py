"""Example requests and their responses, which `make examples` records from the demo."""

from collections.abc import Mapping
from functools import cache
from typing import Any, TypedDict
from urllib.parse import quote, urlencode

import orjson

from orgctx.operations.operation import Operation
from orgctx.schemas.payload import fields_of

MOST_OBJECTS = 2


class Example(TypedDict):
    """A recorded request and its response."""

    parameters: dict[str, Any]  # by name in REST
    answer: Any  # the body, as `shortened` returns it


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


def shortened(answer: Any) -> Any:
    """Copy a response body, keeping at most MOST_OBJECTS objects of each list."""
    if isinstance(answer, dict):
        return {name: shortened(value) for name, value in answer.items()}
    if isinstance(answer, list):
        count = MOST_OBJECTS if answer and isinstance(answer[0], dict) else len(answer)
        return [shortened(item) for item in answer[:count]]
    return answer
