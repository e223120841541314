"""Copy records of any type with other texts and ids."""

import re
from collections.abc import Callable, Iterable
from typing import Any

from orgctx.bundle.records import TYPES
from orgctx.schemas.fields import List, Nested, Text
from orgctx.schemas.payload import fields_of
from tests.support import factories as make
from tests.support.factories import Record

UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# Text fields that keep their values, because other records, sources or links refer to them.
NOT_MARKED = ("id", "account", "address", "slug")


def marked(record: Record, text: str) -> Record:
    """Copy a record, with `text` appended to each free text, also in nested objects."""
    return rewritten(record, lambda value: f"{value} {text}")


def rewritten(record: Record, rewrite: Callable[[str], str]) -> Record:
    """Copy a record, with each free text rewritten, also in nested objects."""
    return record | {"data": _rewritten(TYPES[record["type"]].schema, record["data"], rewrite)}


def hidden(records: Iterable[Record], source_id: str, text: str) -> list[Record]:
    """Copy the records of a source to another source, with other ids and `text` in each free text.

    References between the records are changed to the new ids.
    """
    originals = list(records)
    ids = {
        record["data"]["id"]: hidden_id(record["data"]["id"])
        for record in originals
        if isinstance(record["data"].get("id"), str)
    }
    copies = []
    for record in originals:
        data = _replaced(record["data"], ids)
        if isinstance(data.get("id"), int) and TYPES[record["type"]].parent == "source":
            data["id"] = hidden_id(data["id"])
        copies.append(marked(record | {"data": data, "sourceId": source_id}, text))
    return copies


def hidden_id(id_: Any) -> Any:
    """Return another id of the same format, always the same for one id."""
    if isinstance(id_, int):
        return id_ + 1_000_000
    changed = UUID.sub(lambda match: make.uuid(f"hidden {match[0]}"), id_)
    return changed if changed != id_ else f"hidden{id_}"


def _rewritten(schema: Any, data: Record, rewrite: Callable[[str], str]) -> Record:
    fields = {field.data_key: field for field in fields_of(schema).values()}
    return {
        name: _rewritten_value(fields.get(name), value, rewrite) for name, value in data.items()
    }


def _rewritten_value(field: Any, value: Any, rewrite: Callable[[str], str]) -> Any:
    if isinstance(field, Nested) and isinstance(value, dict):
        return _rewritten(type(field.schema), value, rewrite)
    if isinstance(field, List) and isinstance(value, list):
        return [_rewritten_value(field.inner, item, rewrite) for item in value]
    is_free = type(field) is Text and field.pattern is None and field.data_key not in NOT_MARKED
    return rewrite(value) if is_free and isinstance(value, str) else value


def _replaced(value: Any, ids: dict[str, str]) -> Any:
    """Replace ids in a JSON value. ids: maps each old id to the new one."""
    if isinstance(value, dict):
        return {name: _replaced(inner, ids) for name, inner in value.items()}
    if isinstance(value, list):
        return [_replaced(inner, ids) for inner in value]
    return ids.get(value, value) if isinstance(value, str) else value
