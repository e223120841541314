"""What tests write by hand, because it is a second opinion, covers the whole catalog.

Each message names the file that lacks an entry.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from marshmallow import Schema

from orgctx.bundle.records import TYPES
from orgctx.operations.exposure import SCOPES
from orgctx.operations.source_kinds import KINDS
from orgctx.resources.catalog import OPERATIONS
from orgctx.resources.search.schemas import SearchItem
from orgctx.schemas.fields import List, Nested
from orgctx.schemas.payload import fields_of
from orgctx.stores.db import sql
from tests.architecture.test_sql import OF_RESOURCES
from tests.properties import library, test_parsing, test_payloads, test_search
from tests.properties.model import World
from tests.reliability import test_tenancy
from tests.scale import test_plans
from tests.support import factories as make


@pytest.mark.parametrize("kind", KINDS)
def test_model_gives_search_items_of_every_kind(kind: str) -> None:
    world = World(make.everything())
    items = world.items(set(SCOPES), {make.KIND_SOURCES[kind]})
    needed = "tests/properties/model.py: World.items gives nothing of a source of kind"
    assert items, f"{needed} {kind}"


def test_search_properties_have_every_kind_of_item() -> None:
    world = World(library.records())
    kinds = {item.kind for item in world.items(set(SCOPES), set(world.kinds))}
    missing = set(fields_of(SearchItem)["kind"].choices) - kinds
    assert not missing, f"tests/properties/library.py: no record gives an item of kind {missing}"


@pytest.mark.parametrize("name", [one for one in OF_RESOURCES if "term_pieces(" in sql(one)])
def test_search_properties_know_the_indexes_of_terms(name: str) -> None:
    assert name in test_search.INDEXED, f"tests/properties/test_search.py: INDEXED lacks {name}"


def test_parsing_covers_every_parameter() -> None:
    """Names are compared, so an operation needs no line if others have its parameters."""
    fields = [field for one in OPERATIONS for field in fields_of(one.arguments).values()]
    names = {field.data_key for field in fields if not field.path}
    covered = {name for checks in test_parsing.PARAMETERS.values() for name in checks}
    wrong = "tests/properties/test_parsing.py: PARAMETERS needs a path with each of these"
    assert names == covered, f"{wrong}: {names ^ covered}"


def test_payload_properties_know_every_field() -> None:
    schemas = [one.payload for one in OPERATIONS] + [one.schema for one in TYPES.values()]
    scalars = tuple(kind for kind, _ in test_payloads.SCALARS)
    unknown = {
        type(field).__name__
        for schema in schemas
        for field in scalar_fields(schema)
        if not isinstance(field, scalars)
    }
    assert not unknown, f"tests/properties/test_payloads.py: SCALARS lacks {unknown}"


def scalar_fields(schema: type[Schema]) -> Iterator[Any]:
    """The fields of a schema and of those nested in it, except objects and arrays."""
    fields: list[Any] = [*fields_of(schema).values()]
    while fields:
        field = fields.pop()
        if isinstance(field, Nested):
            fields += fields_of(type(field.schema)).values()
        elif isinstance(field, List):
            fields.append(field.inner)
        else:
            yield field


@pytest.mark.parametrize(
    "name", [one for one in OF_RESOURCES if "(page_size)" in sql(one) or "(row_limit)" in sql(one)]
)
def test_plans_are_checked_for_every_list(name: str) -> None:
    checked = {case.name for case in test_plans.CASES.values()}
    assert name in checked, f"tests/scale/test_plans.py: CASES has none of {name}"


@pytest.mark.parametrize(
    "path",
    [one.path for one in OPERATIONS if any(f.path for f in fields_of(one.arguments).values())],
)
def test_tenancy_asks_for_absent_records_of_every_path(path: str) -> None:
    covered = {test_tenancy.pattern(form) for form in test_tenancy.ABSENT}
    wrong = "tests/reliability/test_tenancy.py: ABSENT has no ids for"
    assert test_tenancy.pattern(path) in covered, f"{wrong} {path}"
