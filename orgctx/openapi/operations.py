"""Describe an operation of the catalog: its parameters and all its responses."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from apispec import APISpec

from orgctx.openapi import examples
from orgctx.openapi.error_responses import ERROR_RESPONSES, SUCCESS, headers, responses
from orgctx.openapi.examples import Example
from orgctx.operations.operation import Operation
from orgctx.schemas.fields import Text
from orgctx.schemas.json_schema import Converter
from orgctx.schemas.payload import Meta, fields_of

EXAMPLE_SUMMARY = "From the preview organization; lists show at most two objects."


def describe(spec: APISpec, converter: Any, operation: Operation, tag: str) -> dict[str, Any]:
    """Describe the operation, and add the schema of its response to `spec`."""
    is_numbered = "page" in fields_of(operation.arguments)
    success = headers(*SUCCESS, "Link") if is_numbered else headers(*SUCCESS)
    example = examples.find(operation)
    return {
        "operationId": operation.name,
        "summary": operation.title,
        "description": _description(operation),
        "tags": [tag],
        "parameters": parameters(converter, operation, example["parameters"] if example else {}),
        "responses": {
            "200": {
                "description": "The stored data.",
                "headers": success,
                "content": {"application/json": _content(spec, converter, operation, example)},
            },
            "304": not_modified(success),
            **responses(*_error_responses(operation)),
        },
    }


def not_modified(success: dict[str, Any]) -> dict[str, Any]:
    """Return the 304 response. success: the headers of 200, which 304 repeats."""
    return {
        "description": "The representation in If-None-Match is still current.",
        "headers": success,
    }


def _description(operation: Operation) -> str:
    """Return all paragraphs of the service function's docstring, then the scope."""
    doc = operation.service.__doc__ or ""
    paragraphs = [" ".join(paragraph.split()) for paragraph in doc.split("\n\n")]
    scopes = " or ".join(f"`{scope}`" for scope in operation.scopes)
    return "\n\n".join([*filter(None, paragraphs), f"Requires the scope {scopes}."])


def _error_responses(operation: Operation) -> list[str]:
    possible = {"SourceConflict": operation.conflicts, "NotFound": operation.is_findable}
    return [name for name in ERROR_RESPONSES if possible.get(name, True)]


def _content(
    spec: APISpec, converter: Any, operation: Operation, example: Example | None
) -> dict[str, Any]:
    name = _envelope_schema(spec, converter, operation)
    content: dict[str, Any] = {"schema": {"$ref": f"#/components/schemas/{name}"}}
    if example:
        shown = {"summary": EXAMPLE_SUMMARY, "value": example["answer"]}
        content["examples"] = {"preview": shown}
    return content


def _envelope_schema(spec: APISpec, converter: Any, operation: Operation) -> str:
    """Add the schema of an operation's envelope, and return its name."""
    resolve = converter.resolve_nested_schema
    data = resolve(operation.payload)
    properties = {
        "data": {"type": "array", "items": data} if operation.is_list else data,
        "meta": resolve(Meta),
    }
    if operation.pagination is not None:
        properties["pagination"] = resolve(operation.pagination)
    name = "".join(word.capitalize() for word in operation.name.split("_")) + "Answer"
    spec.components.schema(
        name,
        {
            "type": "object",
            "description": f"The answer of {operation.name}.",
            "properties": properties,
            "required": sorted(properties),
            "additionalProperties": False,
        },
    )
    return name


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
