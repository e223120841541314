"""Every example equals a response of the demo. `make examples` writes the examples."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from orgctx.demo import organization
from orgctx.demo.identities import MENTIONS, ORGANIZATION_ID, OWNER_ID
from orgctx.demo.state import read
from orgctx.openapi.examples import Example, find, request_path, shortened
from orgctx.operations.operation import Operation
from orgctx.resources.catalog import OPERATIONS
from tests.operations import ROWS
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.factories import Record
from tests.support.processes import ROOT

from .conftest import Demo, demo

DEMO_ID = str(ORGANIZATION_ID)
STORES = ("DATABASE", "REDIS")


@pytest.fixture(scope="module")
def running(data_dir: Path) -> Iterator[Demo]:
    with demo(data_dir) as running:
        if extra := missing_records(make.everything(DEMO_ID), [*organization.records()]):
            state = read(data_dir)
            assert state
            deployment = Deployment(*(state.environment[f"ORGCTX_{name}_URL"] for name in STORES))
            deployment.load(extra)
            if added := sources(extra):
                deployment.approve(DEMO_ID, OWNER_ID, *added.values())
        yield running


def sources(records: list[Record]) -> dict[str, str]:
    """Return the id of a source, by kind."""
    return {
        record["data"]["kind"]: record["sourceId"]
        for record in records
        if record["type"] == "source"
    }


def missing_records(records: list[Record], demo_records: list[Record]) -> list[Record]:
    """Select records of types that the demo lacks, with their sources.

    They go into the demo's source of the same kind, if there is one. So an operation can have an
    example although nobody wrote records for the demo.
    """
    types, demo_sources = {record["type"] for record in demo_records}, sources(demo_records)
    kinds = {source_id: kind for kind, source_id in sources(records).items()}
    result, new_sources = [], set()
    for record in records:
        if record["type"] not in types:
            source_id = record["sourceId"]
            target = demo_sources.get(kinds[source_id], source_id)
            result.append(record | {"sourceId": target})
            new_sources |= {source_id} & {target}
    return [
        *(r for r in records if r["type"] == "source" and r["sourceId"] in new_sources),
        *result,
    ]


def test_missing_records_use_the_demos_sources() -> None:
    source = make.source("x", organization_id=DEMO_ID)
    mention = make.mention(organization_id=DEMO_ID)
    records = [source, mention]
    demo_records = [*organization.records()]
    assert missing_records(records, demo_records) == []
    demo_records = [record for record in demo_records if record["type"] != "x.mention"]
    assert missing_records(records, demo_records) == [mention | {"sourceId": MENTIONS}]
    demo_records = [record for record in demo_records if record.get("sourceId") != MENTIONS]
    assert missing_records(records, demo_records) == records


UPDATES = bool(os.environ.get("ORGCTX_UPDATE_SNAPSHOTS"))
# tests/architecture/test_operations.py names the file of an example that is missing.
WITH_EXAMPLE = [operation for operation in OPERATIONS if UPDATES or find(operation)]


def first_example(operation: Operation) -> Example:
    """Return the first request of the operation's row in tests/operations, without an answer."""
    row = ROWS[operation.name]
    names = {argument: name for name, argument in row.in_path.items()}
    return {
        "parameters": {names.get(name, name): value for name, value in row.asks[0].items()},
        "answer": {},
    }


@pytest.mark.thorough
@pytest.mark.parametrize("operation", WITH_EXAMPLE, ids=lambda operation: operation.name)
def test_example_equals_a_response_of_the_demo(running: Demo, operation: Operation) -> None:
    example = find(operation) or first_example(operation)
    status, answer = running.get("/api/v1" + request_path(operation, example["parameters"]))
    assert status == 200, f"{operation.example}: write `parameters` of a record of the demo"
    if UPDATES:
        example = {"parameters": example["parameters"], "answer": shortened(answer)}
        write(operation, example)
    assert example["answer"] == shortened(answer), f"{operation.example}: run `make examples`"


def test_make_takes_all_examples() -> None:
    command = ["make", "-n", "-o", ".venv/dev.stamp", "examples"]
    printed = subprocess.check_output(command, cwd=ROOT, text=True)
    assert '-m "thorough or not thorough"' in printed


def write(operation: Operation, example: Example) -> None:
    options = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    operation.example.write_bytes(orjson.dumps(example, option=options))
