"""The fast dump and the fast parse equal marshmallow's own."""

from datetime import UTC, datetime
from functools import cache
from typing import Any

import orjson
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from marshmallow import Schema, ValidationError

from orgctx.bundle.records import TYPES
from orgctx.resources.catalog import OPERATIONS
from orgctx.schemas.arguments import Arguments
from orgctx.schemas.fields import Boolean, Enum, Integer, List, Nested, Number, Text
from orgctx.schemas.formats import DateTime, Uuid
from orgctx.schemas.payload import (
    Meta,
    Payload,
    StrictSchema,
    fields_of,
    to_json,
)
from orgctx.stores.db import Rows
from tests.operations import ROWS
from tests.support.thorough import examples

PAYLOADS = sorted(
    {operation.payload for operation in OPERATIONS}
    | {operation.pagination for operation in OPERATIONS if operation.pagination}
    | {Meta},
    key=lambda schema: schema.__name__,
)
RECORDS = [type_.schema for type_ in TYPES.values()]
FROM_ROWS = sorted(
    {
        operation.payload
        for operation in OPERATIONS
        if operation.name in ROWS and ROWS[operation.name].records
    },
    key=lambda schema: schema.__name__,
)

ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
TIMES = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC))
SCALARS: tuple[tuple[type, st.SearchStrategy[Any]], ...] = (
    (Text, ANY_TEXT),
    (Enum, ANY_TEXT),
    (Integer, st.integers(-(2**63), 2**63 - 1)),
    (Number, st.floats(allow_nan=False, allow_infinity=False)),
    (Boolean, st.booleans()),
    (Uuid, st.uuids()),
    (DateTime, TIMES),
)


def python_value(field: Any) -> st.SearchStrategy[Any]:
    """What a service may hand to a payload for a field."""
    if isinstance(field, Nested):
        value: st.SearchStrategy[Any] = mapping(type(field.schema))
    elif isinstance(field, List):
        value = st.lists(python_value(field.inner), max_size=3)
    else:
        value = next(strategy for kind, strategy in SCALARS if isinstance(field, kind))
    return value | st.none() if field.nullable else value


@cache  # because a strategy takes longer to make than to draw from
def mapping(schema: type[Schema]) -> st.SearchStrategy[dict[str, Any]]:
    """A mapping by attribute name, in which optional members may be absent."""
    fields = fields_of(schema)
    return st.fixed_dictionaries(
        {name: python_value(field) for name, field in fields.items() if not field.optional},
        optional={name: python_value(field) for name, field in fields.items() if field.optional},
    )


@pytest.mark.parametrize("schema", PAYLOADS, ids=lambda schema: schema.__name__)
@given(data=st.data())
@examples(25)
def test_payload_dump_equals_marshmallow(schema: type[Payload], data: st.DataObject) -> None:
    members = data.draw(mapping(schema))
    fast = orjson.loads(to_json(schema.one(members)))
    assert fast == orjson.loads(orjson.dumps(schema().dump(members)))


@pytest.mark.parametrize("schema", FROM_ROWS, ids=lambda schema: schema.__name__)
@given(data=st.data())
@examples(25)
def test_payload_dump_of_rows_equals_marshmallow(
    schema: type[Payload], data: st.DataObject
) -> None:
    spread = [name for name in spreadable(schema) if data.draw(st.booleans())]
    objects = data.draw(st.lists(mapping(schema), min_size=1, max_size=3))
    rows = [row(schema, members, spread) for members in objects]
    fast = schema.many(Rows(tuple(rows[0]), [tuple(columns.values()) for columns in rows]))
    slow = [schema().dump(members) for members in objects]
    assert orjson.loads(to_json({"data": fast})) == {"data": orjson.loads(orjson.dumps(slow))}


def spreadable(schema: type[Payload]) -> list[str]:
    """The objects that a statement may give as columns; the first column decides about null."""
    names = []
    for name, field in fields_of(schema).items():
        if isinstance(field, Nested):
            inner: list[Any] = [*fields_of(type(field.schema)).values()]
            is_flat = not any(isinstance(part, Nested | List) or part.optional for part in inner)
            if is_flat and not (field.nullable and inner[0].nullable):
                names.append(name)
    return names


def row(schema: type[Payload], members: dict[str, Any], spread: list[str]) -> dict[str, Any]:
    """The columns of a row: some objects as columns, the others and arrays as JSON."""
    dumped = orjson.loads(orjson.dumps(schema().dump(members)))
    columns: dict[str, Any] = {}
    field: Any
    for name, field in fields_of(schema).items():
        if name in spread:
            inner = members[name] or {}
            inner_schema: Any = type(field.schema)
            names = fields_of(inner_schema)
            columns |= {f"{name}.{member}": inner.get(member) for member in names}
        elif isinstance(field, Nested | List):
            columns[name] = dumped[field.data_key]
        else:
            columns[name] = members[name]
    return columns


JUNK = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), ANY_TEXT,
    st.lists(st.integers(), max_size=2), st.dictionaries(ANY_TEXT, st.integers(), max_size=2),
)  # fmt: skip
TIME_TEXTS = TIMES.map(lambda at: at.isoformat()) | st.just("2026-01-31T08:00:00z")


def json_value(field: Any) -> st.SearchStrategy[Any]:
    """JSON that a field mostly accepts."""
    if isinstance(field, Nested):
        good: st.SearchStrategy[Any] = json_object(type(field.schema))
    elif isinstance(field, List):
        good = st.lists(json_value(field.inner), max_size=2)
    elif isinstance(field, Enum):
        good = st.sampled_from(field.choices)
    elif isinstance(field, Text):
        good = st.from_regex(field.pattern, fullmatch=True) if field.pattern else ANY_TEXT
    elif isinstance(field, Integer):
        good = st.integers(field.minimum, field.maximum)
    elif isinstance(field, Uuid):
        good = st.uuids().map(str)
    elif isinstance(field, DateTime):
        good = TIME_TEXTS
    else:
        good = st.booleans() if isinstance(field, Boolean) else st.floats(allow_nan=False)
    return st.integers(0, 60).flatmap(lambda dice: JUNK if dice == 0 else good)


@cache
def json_object(schema: type[Schema]) -> st.SearchStrategy[dict[str, Any]]:
    members = {field.data_key: json_value(field) for field in fields_of(schema).values()}
    whole = st.fixed_dictionaries(members)
    partial = st.fixed_dictionaries({}, optional=members)
    extra = st.builds(lambda known, more: known | more, whole, st.just({"unknown": 1}))
    return st.integers(0, 12).flatmap(
        lambda dice: partial if dice == 0 else extra if dice == 1 else whole
    )


def outcome(read: Any, members: Any) -> Any:
    try:
        return read(members)
    except ValidationError:
        return ValidationError


ARGUMENTS: list[type[Arguments]] = [operation.arguments for operation in OPERATIONS]


@pytest.mark.parametrize("schema", [*RECORDS, *ARGUMENTS], ids=lambda schema: schema.__name__)
@given(data=st.data())
@examples(20)
def test_schema_parse_equals_marshmallow(schema: type[StrictSchema], data: st.DataObject) -> None:
    members = data.draw(json_object(schema))
    assume("type" not in members or not isinstance(members["type"], float))
    fast = outcome(schema.parse, members)
    slow = outcome(schema().load, members)
    assert fast == slow


@given(members=JUNK)
@examples(30)
def test_schema_parse_rejects_values_other_than_objects(members: Any) -> None:
    for schema in RECORDS:
        assert outcome(schema.parse, members) is outcome(schema().load, members) is ValidationError
