"""JSON Schemas of tools, short because agents pay for every character of a list of tools."""

from __future__ import annotations

from typing import Any

from orgctx.operations.operation import Operation
from orgctx.schemas.json_schema import object_schema

TEXT, OBJECT = {"type": "string"}, {"type": "object"}


def input_schema(operation: Operation) -> dict[str, Any]:
    """Return the schema of a tool's arguments, without examples and patterns.

    `page` has no description, because the instructions say how to page; nor has the identifier,
    because the description of the tool says where it comes from.
    """
    schema = object_schema(operation.tool_arguments)
    for argument in schema["properties"].values():
        for keyword in ("examples", "pattern"):
            argument.pop(keyword, None)
    described_elsewhere = ("page", operation.identifier and operation.identifier.argument)
    for name in schema["properties"].keys() & set(described_elsewhere):
        del schema["properties"][name]["description"]
    return schema


def output_schema(operation: Operation) -> dict[str, Any]:
    """Return the schema of structuredContent: REST's envelope, `hints` and the notice.

    It describes the envelope and the members of `data` (of each item if it is a list). The members
    of these members are in the OpenAPI document.
    """
    item = outline(object_schema(operation.tool_payload))
    if operation.is_list:
        # Lists leave out members that are null.
        item["required"] = [name for name in item["required"] if not _is_nullable(item, name)]
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


def _is_nullable(schema: dict[str, Any], name: str) -> bool:
    member = schema["properties"][name]
    return None in member.get("enum", ()) or "null" in member.get("type", ())


def outline(schema: dict[str, Any]) -> dict[str, Any]:
    """Keep the members of an object with their types and enums, and which are required."""
    members = {name: _type(member) for name, member in schema["properties"].items()}
    return {"type": schema["type"], "properties": members, "required": schema["required"]}


def _type(schema: dict[str, Any]) -> dict[str, Any]:
    """Keep the enum of a value, or else its type, and those of an array's items if scalar."""
    kept: dict[str, Any] = next({name: schema[name]} for name in ("enum", "type") if name in schema)
    items = _type(schema["items"]) if "items" in schema else OBJECT
    return kept if items == OBJECT else kept | {"items": items}
