"""The published JSON Schema and the loader agree on what a record is.

Neither validator checks formats. The compiled one takes a hundredth of the time.
"""

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from jsonschema_rs import Draft202012Validator as CompiledValidator

from orgctx.bundle.json_schema import bundle_schema
from orgctx.bundle.reading import Line, LineErrors, Places, check
from orgctx.bundle.records import TYPES
from tests.support import factories as make

COMPILED = CompiledValidator(bundle_schema())
RECORDS = [
    *make.everything(),
    make.message(2, file=make.file(fileName="a.pdf", sticker="static")),
    make.message(3, file=make.file(width=3)),
    make.mention(2, quoted={"author": make.author(), "text": "t", "url": "https://x.com/a"}),
    make.source(href="/api/v1/assets", staleAfterSeconds=None, account=None),
]
DELETIONS = [
    make.delete(
        record["type"],
        # Only a source has its id outside of its data; an organization and a token have none.
        record["data"].get("id") or record.get("sourceId") or record["organizationId"],
        **({"chatId": make.CHAT} if record["type"] == "telegram.message" else {}),
    )
    for record in {record["type"]: record for record in make.everything()}.values()
]
VALUES: tuple[Any, ...] = (
    None, "", "a" * 513, 0, -1, 1.5, 2**64, True, False, [], {}, "x", "javascript:x",
    "https://a.example", make.AT, make.uuid("new"), 2**31, 2**63, [None], ["x"], "current", "docs",
    "note", "telegram.message", "https://a.example\n", "https://a.example/\0",
    make.uuid("new").upper(), "7", "007", "0", "docs:" + make.uuid("new").upper(),
    "chain:0x" + "A" * 40,
)  # fmt: skip
TIMES = (
    "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-02-29T00:00:00Z",
    "2024-02-29t00:00:00z", "2000-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "0000-01-01T00:00:00Z",
    "0000-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-12-31T23:59:59.123456789+14:00",
    "2026-01-01T24:00:00Z", "2026-01-01T00:00:60Z", "2026-01-01T00:00:00", "2026-01-01 00:00:00Z",
    "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00.1234567890Z", "2026-01-01T00:00:00+01:60",
    "2026-01-01T00:00:00+0100", "\u0662026-01-01T00:00:00Z", "2026-01-01T00:00:00Z\n", "2026-01-01",
    "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z",
)  # fmt: skip
# Rules that the schema cannot express, as its description says.
INEXPRESSIBLE = re.compile(
    r"bytes as JSON|UTF-16|the asset itself|data\.id must be an integer from 1 to"
)


def error(record: Any) -> str | None:
    """The loader's error for a single record."""
    places = Places()
    places.begin("record", 0)
    errors = LineErrors(places)
    list(check([Line(1, json.dumps(record).encode())], errors))
    return str(errors.error()) if errors else None


def paths_of(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values in a JSON value."""
    paths = [path] if path else []
    if isinstance(value, dict | list):
        members = value.items() if isinstance(value, dict) else enumerate(value)
        for name, inner in members:
            paths += paths_of(inner, (*path, name))
    return paths


def verdicts_differ(record: Any) -> str | None:
    """Return how the verdicts of the schema and of the loader differ, or None."""
    message, is_valid = error(record), COMPILED.is_valid(record)
    if (message is None) == is_valid or (message and is_valid and INEXPRESSIBLE.search(message)):
        return None
    return f"{message or 'the loader accepts what the schema rejects'}: {record}"


def replaced(record: Any, path: tuple[Any, ...], change: Any) -> Any:
    """Return a copy of a record in which `change` was applied to the holder of a value."""
    copy = deepcopy(record)
    *holders, last = path
    holder = copy
    for name in holders:
        holder = holder[name]
    change(holder, last)
    return copy


def mutations(value: Any) -> Iterator[Any]:
    """Yield values that replace a value of a record."""
    yield from VALUES
    if isinstance(value, str):
        yield from (f"{value}\0", f"{value}\n", f" {value}", value.upper(), value[1:])
    if isinstance(value, str) and re.match(r"\d{4}-", value):
        yield from TIMES
    if isinstance(value, int):
        yield from (-value - 1, str(value), float(value) + 0.5)


def mutated_lines(record: Any) -> Iterator[Any]:
    """Yield copies of a record with one value replaced, removed or added."""
    for path in paths_of(record):
        holder = record
        for name in path:
            holder = holder[name]
        for value in mutations(holder):
            yield replaced(record, path, lambda h, name, v=value: h.__setitem__(name, v))
        yield replaced(record, path, lambda h, name: h.__delitem__(name))
        if isinstance(holder, dict):
            yield replaced(record, path, lambda h, name: h[name].update(another=1))


def lines_of(name: str) -> list[Any]:
    """Return valid lines of a type that differ in their members."""
    records = [record for record in [*RECORDS, *DELETIONS] if record["type"] == name]
    variant = "type" if name == "delete" else "source"
    return list({(str(paths_of(r)), r["data"].get(variant)): r for r in records}.values())


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", [*TYPES, "delete"])
def test_schema_and_loader_agree_on_mutated_lines(name: str) -> None:
    mutated = [line for record in lines_of(name) for line in mutated_lines(record)]
    assert len(mutated) >= 90
    assert [text for text in map(verdicts_differ, mutated) if text][:5] == []


def test_schema_and_loader_accept_every_record_type() -> None:
    Draft202012Validator.check_schema(bundle_schema())
    assert {record["data"]["type"] for record in DELETIONS} == set(TYPES)
    validator = Draft202012Validator(bundle_schema())
    for record in [*RECORDS, *DELETIONS]:
        assert validator.is_valid(record), record
        assert error(record) is None
