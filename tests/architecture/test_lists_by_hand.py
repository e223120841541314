"""What tests write by hand, because it is a second opinion, covers the whole catalog.

Each message names the file that lacks an entry.
"""

from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest
from marshmallow import Schema

from orgctx.bundle.records import TYPES
from orgctx.operations.source_kinds import KINDS, SCOPES, SOURCE_KINDS
from orgctx.resources.catalog import OPERATIONS
from orgctx.resources.search.items import ITEM_HREFS, PARTS
from orgctx.schemas.fields import List, Nested
from orgctx.schemas.payload import fields_of
from orgctx.stores.db import sql
from tests.contract import tables
from tests.operations.search import ITEM_KINDS
from tests.support import factories as make


def module(name: str) -> ModuleType:
    """A module of the property tests. It is imported where it is used, because the import fails
    while the catalog is unfinished, and other tests say why."""
    return import_module(f"tests.properties.{name}")


@pytest.mark.parametrize("kind", KINDS)
def test_model_gives_search_items_of_every_kind(kind: str) -> None:
    world = module("model").World(make.everything())
    items = world.items(set(SCOPES), {make.KIND_SOURCES[kind]})
    needed = "tests/properties/model.py: World.items gives no items of a source of kind"
    assert items, f"{needed} {kind}"


@pytest.mark.parametrize("name", PARTS)
def test_partial_search_covers_every_part(name: str) -> None:
    """Words are not looked up where a source is one record."""
    kinds = [SOURCE_KINDS[kind] for kind in PARTS[name]]
    if any(kind.is_counted or not kind.is_single for kind in kinds):
        parameter = f"%({name.removeprefix('search/find_')}_source_ids)s"
        assert parameter in sql("search/find_partial"), (
            f"sql/search/find_partial.sql: find words with the sources {parameter}"
        )


def test_contract_lists_every_kind_of_search_item() -> None:
    missing = set(ITEM_HREFS) - set(ITEM_KINDS)
    assert not missing, f"docs/contract.md: 2.6.2 does not list {missing}"


def test_contract_lists_every_scope() -> None:
    assert tables.scopes() == list(SCOPES), "docs/contract.md: 2.3.1 does not list SCOPES"


def test_payload_properties_know_every_field() -> None:
    schemas = [one.payload for one in OPERATIONS] + [one.schema for one in TYPES.values()]
    scalars = tuple(kind for kind, _ in module("test_payloads").SCALARS)
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
