"""The fields of an operation's arguments as OpenAPI parameters."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from orgctx.operations.operation import Operation
from orgctx.schemas.fields import Text
from orgctx.schemas.json_schema import Converter
from orgctx.schemas.payload import fields_of

# Every text field rejects NUL. Only the OpenAPI document says so, to keep tool schemas short.
WITHOUT_NUL = r"^[^\u0000]*$"


def parameters(
    converter: Converter, operation: Operation, examples: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Return the parameters in declaration order. examples: values by parameter name."""
    return [
        _parameter(converter, field, examples) for field in fields_of(operation.arguments).values()
    ]


def rest_name(field: Any) -> str:
    """Return a field's name in REST, in the path or the query."""
    return str(field.path or field.data_key)


def _parameter(converter: Converter, field: Any, examples: Mapping[str, Any]) -> dict[str, Any]:
    schema = deepcopy(converter.field2property(field))
    name = rest_name(field)
    parameter = {
        "name": name,
        "in": "path" if field.path else "query",
        "description": schema.pop("description", ""),
        "required": field.required,
        "schema": schema,
    }
    if isinstance(field, Text):
        schema.setdefault("pattern", WITHOUT_NUL)
    declared = schema.pop("examples", [])
    if name in examples:
        parameter["example"] = examples[name]
    elif declared:
        parameter["example"] = declared[0]
    return parameter
