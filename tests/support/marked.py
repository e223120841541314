"""Copy records of any type with other texts."""

from collections.abc import Callable
from typing import Any

from orgctx.bundle.records import TYPES
from orgctx.schemas.fields import List, Nested, Text
from orgctx.schemas.payload import fields_of
from tests.support.factories import Record

# Text fields that keep their values, because other records, sources or links refer to them.
NOT_MARKED = ("id", "account", "address", "slug")


def marked(record: Record, text: str) -> Record:
    """Copy a record, with `text` appended to each free text, also in nested objects."""
    return rewritten(record, lambda value: f"{value} {text}")


def rewritten(record: Record, rewrite: Callable[[str], str]) -> Record:
    """Copy a record, with each free text rewritten, also in nested objects."""

    def rewrite_free(field: Text, value: str) -> str:
        is_free = type(field) is Text and field.pattern is None
        return rewrite(value) if is_free and field.data_key not in NOT_MARKED else value

    return changed(record, rewrite_free)


def changed(record: Record, change: Callable[[Text, str], str]) -> Record:
    """Copy a record, with each text changed, also in nested objects. Enums are no texts."""
    return record | {"data": _members(TYPES[record["type"]].schema, record["data"], change)}


def _members(schema: Any, members: Record, change: Callable[[Text, str], str]) -> Record:
    fields = {field.data_key: field for field in fields_of(schema).values()}
    return {name: _value(fields.get(name), value, change) for name, value in members.items()}


def _value(field: Any, value: Any, change: Callable[[Text, str], str]) -> Any:
    if isinstance(field, Nested) and isinstance(value, dict):
        return _members(type(field.schema), value, change)
    if isinstance(field, List) and isinstance(value, list):
        return [_value(field.inner, item, change) for item in value]
    return change(field, value) if isinstance(field, Text) and isinstance(value, str) else value
