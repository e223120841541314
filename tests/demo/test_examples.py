"""Every example equals the demo's answer.

`make examples` rewrites the examples, so that a reader can review the difference.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from orgctx.catalog import OPERATIONS
from orgctx.openapi.examples import Example, of, path_of, shortened
from orgctx.operation import Operation

from .conftest import Demo, demo


@pytest.fixture(scope="module")
def running(data_dir: Path) -> Iterator[Demo]:
    with demo(data_dir) as running:
        yield running


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_an_example_is_what_the_demo_answers(running: Demo, operation: Operation) -> None:
    example = of(operation)
    status, answer = running.get(f"/api/v1{path_of(operation, example['asked'])}")
    assert status == 200
    if os.environ.get("ORGCTX_UPDATE_SNAPSHOTS"):
        example = {"asked": example["asked"], "answer": shortened(answer)}
        write(operation, example)
    assert example["answer"] == shortened(answer), f"{operation.example}: run `make examples`"


def write(operation: Operation, example: Example) -> None:
    options = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    operation.example.write_bytes(orjson.dumps(example, option=options))
