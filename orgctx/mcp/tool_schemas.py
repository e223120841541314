"""JSON Schemas of tools, short because agents pay for every character of a list of tools."""

from __future__ import annotations

from typing import Any

from orgctx.operations.operation import Operation
from orgctx.schemas.json_schema import object_schema

TEXT, OBJECT = {"type": "string"}, {"type": "object"}


def input_schema(operation: Operation) -> dict[str, Any]:
    """Return the schema of a tool's arguments, without examples and patterns."""
    schema = object_schema(operation.tool_arguments)
    for argument in schema["properties"].values():
        for keyword in ("examples", "pattern"):
            argument.pop(keyword, None)
    return schema


def output_schema(operation: Operation) -> dict[str, Any]:
    """Return the schema of structuredContent: REST's envelope, `hints` and the notice.

    It describes the envelope and the members of `data` (of each item if it is a list). The members
    of these members are in the OpenAPI document.
    """
    item = outline(object_schema(operation.tool_payload))
    properties = {
        "data": {"type": "array", "items": item} if operation.is_list else item,
        "meta": OBJECT,
    }
    if operation.tool_pagination:
        properties["pagination"] = OBJECT
    required = [*properties, "notice"]
    properties["hints"] = {"type": "array"}
    properties["notice"] = TEXT
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def outline(schema: dict[str, Any]) -> dict[str, Any]:
    """Keep the members of an object with their types and enums, and which are required."""
    members = {name: _type(member) for name, member in schema["properties"].items()}
    return {"type": schema["type"], "properties": members, "required": schema["required"]}


def _type(schema: dict[str, Any]) -> dict[str, Any]:
    """Keep the type and the enum of a value, and those of an array's items if they are scalar."""
    kept: dict[str, Any] = {name: schema[name] for name in ("type", "enum") if name in schema}
    items = _type(schema["items"]) if "items" in schema else {"type": "object"}
    return kept if items["type"] == "object" else kept | {"items": items}
