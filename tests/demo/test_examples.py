"""Every example equals the demo's answer.

`make examples` rewrites the examples, so that a reader can review the difference.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from orgctx.demo import organization
from orgctx.demo.identities import MENTIONS, ORGANIZATION_ID, OWNER_ID
from orgctx.demo.kept import read
from orgctx.openapi.examples import Example, find, request_path, shortened
from orgctx.operations.operation import Operation
from orgctx.resources.catalog import OPERATIONS
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.factories import Record

from .conftest import Demo, demo

OURS = str(ORGANIZATION_ID)
STORES = ("DATABASE", "REDIS")


@pytest.fixture(scope="module")
def running(data_dir: Path) -> Iterator[Demo]:
    with demo(data_dir) as running:
        if extra := lacking(make.everything(OURS), [*organization.records()]):
            kept = read(data_dir)
            assert kept
            deployment = Deployment(*(kept.environment[f"ORGCTX_{name}_URL"] for name in STORES))
            deployment.load(extra)
            if added := sources(extra):
                deployment.approve(OURS, OWNER_ID, *added.values())
        yield running


def sources(records: list[Record]) -> dict[str, str]:
    """The id of a source, by kind."""
    return {one["data"]["kind"]: one["sourceId"] for one in records if one["type"] == "source"}


def lacking(records: list[Record], shown: list[Record]) -> list[Record]:
    """Those of types that the demo does not show, in the demo's source of the same kind, if any.

    An operation that reads them has an example, although nobody wrote records for the demo.
    """
    types, places = {one["type"] for one in shown}, sources(shown)
    kinds = {source_id: kind for kind, source_id in sources(records).items()}
    extra = [one for one in records if one["type"] not in types]
    needed = {one["sourceId"] for one in extra if kinds[one["sourceId"]] not in places}
    return [
        *(one for one in records if one["type"] == "source" and one["sourceId"] in needed),
        *(one | {"sourceId": places.get(kinds[one["sourceId"]], one["sourceId"])} for one in extra),
    ]


def test_an_example_can_show_what_the_demo_lacks() -> None:
    source, mention = make.source("x", organization_id=OURS), make.mention(organization_id=OURS)
    shown = [one for one in organization.records() if one["type"] != "x.mention"]
    assert lacking([source, mention], [*organization.records()]) == []
    assert lacking([source, mention], shown) == [mention | {"sourceId": MENTIONS}]
    shown = [one for one in shown if one.get("sourceId") != MENTIONS]
    assert lacking([source, mention], shown) == [source, mention]


# tests/architecture/test_operations.py names the file of an example that is missing.
WITH_EXAMPLE = [operation for operation in OPERATIONS if find(operation)]


@pytest.mark.parametrize("operation", WITH_EXAMPLE, ids=lambda operation: operation.name)
def test_an_example_is_what_the_demo_answers(running: Demo, operation: Operation) -> None:
    example = find(operation)
    assert example
    status, answer = running.get("/api/v1" + request_path(operation, example["parameters"]))
    assert status == 200
    if os.environ.get("ORGCTX_UPDATE_SNAPSHOTS"):
        example = {"parameters": example["parameters"], "answer": shortened(answer)}
        write(operation, example)
    assert example["answer"] == shortened(answer), f"{operation.example}: run `make examples`"


def write(operation: Operation, example: Example) -> None:
    options = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    operation.example.write_bytes(orjson.dumps(example, option=options))
