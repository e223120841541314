"""Example requests and their responses, which `make examples` records from the demo."""

from functools import cache
from typing import Any, TypedDict

import orjson

from orgctx.operations.operation import Operation


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
