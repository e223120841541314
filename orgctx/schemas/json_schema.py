"""Convert marshmallow schemas to JSON Schema 2020-12 for OpenAPI and MCP tools."""

from copy import deepcopy
from functools import cache
from typing import Any

from apispec.ext.marshmallow.openapi import OpenAPIConverter
from marshmallow import Schema, missing

from orgctx.schemas.fields import List
from orgctx.schemas.formats import Uri

OPENAPI_VERSION = "3.1.0"


class Converter(OpenAPIConverter):
    """apispec's converter, extended by the defaults, examples and formats of our fields."""

    def field2default(self, field: Any, **_: Any) -> dict[str, Any]:
        default = field.load_default
        return {} if default in (missing, None) else {"default": default}

    def field2type_and_format(self, field: Any, **keywords: Any) -> dict[str, Any]:
        ret: dict[str, Any] = super().field2type_and_format(field, **keywords)
        if field.example is not None:
            ret["examples"] = [field.example]
        if isinstance(field, Uri):
            ret["format"] = "uri"
        if isinstance(field, List) and field.unique:
            ret["uniqueItems"] = True
        return ret

    def schema2jsonschema(self, schema: Any) -> dict[str, Any]:
        converted: dict[str, Any] = super().schema2jsonschema(schema)  # type: ignore[no-untyped-call]
        doc = (type(schema) if isinstance(schema, Schema) else schema).__doc__
        if doc:
            converted["description"] = " ".join(doc.split())
        return converted


class ApiConverter(Converter):
    """Leaves null out of arguments, where it would mean the same as absent."""

    def field2nullable(self, field: Any, ret: dict[str, Any]) -> dict[str, Any]:
        return super().field2nullable(field, ret=ret) if field.nullable else {}

    def field2choices(self, field: Any, **keywords: Any) -> dict[str, Any]:
        attributes: dict[str, Any] = super().field2choices(field, **keywords)
        if not field.nullable and None in attributes.get("enum", ()):
            attributes["enum"].remove(None)
        return attributes


# Nested schemas are inlined, because a tool's schema may not refer to another document.
_inline = ApiConverter(OPENAPI_VERSION, lambda _: None, None)  # type: ignore[arg-type]


@cache
def _object_schema(schema: type[Schema]) -> dict[str, Any]:
    json_schema: dict[str, Any] = _inline.schema2jsonschema(schema())
    return json_schema


def object_schema(schema: type[Schema]) -> dict[str, Any]:
    """Return the JSON Schema of a marshmallow schema, without $ref and unknown members."""
    return deepcopy(_object_schema(schema))
