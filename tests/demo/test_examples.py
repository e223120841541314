"""Every example equals a response of the demo. `make examples` writes the examples."""

import os
from typing import Any

import orjson
import pytest

from orgctx.openapi.document import Example, find_example
from orgctx.operations.operation import Operation
from orgctx.resources.catalog import OPERATIONS
from tests.operations import ROWS, request_path

from .conftest import Demo

UPDATES = bool(os.environ.get("ORGCTX_UPDATE_SNAPSHOTS"))
# tests/architecture/test_operations.py names the file of an example that is missing.
WITH_EXAMPLE = [operation for operation in OPERATIONS if UPDATES or find_example(operation)]


def first_example(operation: Operation) -> Example:
    """Return the first request of the operation's row in tests/operations.py, without an answer."""
    row = ROWS[operation.name]
    return {
        "parameters": {row.names.get(name, name): value for name, value in row.asks[0].items()},
        "answer": {},
    }


@pytest.mark.thorough
@pytest.mark.parametrize("operation", WITH_EXAMPLE, ids=lambda operation: operation.name)
def test_example_equals_a_response_of_the_demo(running: Demo, operation: Operation) -> None:
    example = find_example(operation) or first_example(operation)
    status, answer = running.get("/api/v1" + request_path(operation, example["parameters"]))
    assert status == 200, f"{operation.example}: write `parameters` of a record of the demo"
    if UPDATES:
        example = {"parameters": example["parameters"], "answer": shortened(answer)}
        write(operation, example)
    assert example["answer"] == shortened(answer), f"{operation.example}: run `make examples`"


def shortened(answer: Any) -> Any:
    """Copy a response body, keeping at most two objects of each list."""
    if isinstance(answer, dict):
        return {name: shortened(value) for name, value in answer.items()}
    if isinstance(answer, list):
        count = 2 if answer and isinstance(answer[0], dict) else len(answer)
        return [shortened(item) for item in answer[:count]]
    return answer


def write(operation: Operation, example: Example) -> None:
    options = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    operation.example.write_bytes(orjson.dumps(example, option=options))
