"""The load format as JSON Schema 2020-12, generated from the schemas that check the records."""

from __future__ import annotations

from typing import Any

from apispec.ext.marshmallow.openapi import OpenAPIConverter
from marshmallow import Schema

from orgctx.bundle.records import SOURCE_ID_LENGTH, TYPES, DeleteRecord
from orgctx.schemas.json_schema import OPENAPI_VERSION, Converter

DIALECT = "https://json-schema.org/draft/2020-12/schema"
DESCRIPTION = (
    "One line of a bundle. A schema cannot say all: strings hold neither NUL nor lone surrogates; "
    "texts of messages and posts are also bounded in bytes as JSON and content in UTF-16 units; "
    "formats (uuid, date-time with Z or an offset) have to be checked; a knowledge item's source "
    "follows from its id; publicUrl is null unless public; chatId belongs to a deleted message; "
    "what a record names must be stored or stand earlier in the stream."
)
UUID = {"type": "string", "format": "uuid"}


class _Converter(Converter):
    """Converts the schemas of records, where null may also stand for the default."""

    def field2nullable(self, field: Any, ret: dict[str, Any]) -> dict[str, Any]:
        return OpenAPIConverter.field2nullable(self, field, ret=ret)

    def field2choices(self, field: Any, **keywords: Any) -> dict[str, Any]:
        attributes: dict[str, Any] = OpenAPIConverter.field2choices(self, field, **keywords)
        return attributes


_converter = _Converter(OPENAPI_VERSION, lambda _: None, None)  # type: ignore[arg-type]


def bundle_schema() -> dict[str, Any]:
    """Return the JSON Schema of one line."""
    records = [
        _line(name, record_type.schema, has_source=record_type.has_source)
        for name, record_type in TYPES.items()
    ]
    return {
        "$schema": DIALECT,
        "title": "orgctx bundle record",
        "description": DESCRIPTION,
        "oneOf": [*records, _deletion()],
    }


def _line(name: str, schema: type[Schema], *, has_source: bool) -> dict[str, Any]:
    source_id = {"type": "string", "minLength": 1, "maxLength": SOURCE_ID_LENGTH}
    members: dict[str, Any] = {
        "type": {"const": name},
        "organizationId": UUID,
        "sourceId": source_id if has_source else {"type": "null"},
        "data": _converter.schema2jsonschema(schema()),
    }
    required = ["type", "organizationId", "data"]
    return {
        "title": name,
        "type": "object",
        "properties": members,
        "required": [*required, "sourceId"] if has_source else required,
        "additionalProperties": False,
    }


def _deletion() -> dict[str, Any]:
    line = _line("delete", DeleteRecord, has_source=False)
    line["properties"]["sourceId"] = {}
    line["properties"]["data"]["properties"]["id"] = {"type": ["string", "integer"]}
    return line
