"""The load format as JSON Schema 2020-12, generated from the schemas that check the records."""

from typing import Any

from orgctx.bundle.records import SOURCE_ID_LENGTH, TYPES, RecordType
from orgctx.schemas.fields import Text
from orgctx.schemas.formats import Uuid
from orgctx.schemas.json_schema import OPENAPI_VERSION, Converter

DIALECT = "https://json-schema.org/draft/2020-12/schema"
DESCRIPTION = (
    "One line of a bundle. The loader also checks what a schema cannot say, such as formats, NUL "
    "characters, rules between fields, and that what a record names is stored or stands earlier "
    "in the stream: `orgctx load --dry-run` checks everything."
)


# A null in a record may stand for the default.
_converter = Converter(OPENAPI_VERSION, lambda _: None, None)  # type: ignore[arg-type]


def bundle_schema() -> dict[str, Any]:
    """Return the JSON Schema of one line."""
    deletion = _line("delete", {"oneOf": [*map(_deleted, TYPES.values())]}, {}, [])
    return {
        "$schema": DIALECT,
        "title": "orgctx bundle record",
        "description": DESCRIPTION,
        "oneOf": [*map(_record, TYPES.values()), deletion],
    }


def _record(record_type: RecordType) -> dict[str, Any]:
    data = _converter.schema2jsonschema(record_type.schema())
    source_id = _converter.field2property(Text(SOURCE_ID_LENGTH, minimum=1))
    if record_type.has_source:
        return _line(record_type.name, data, source_id, ["sourceId"])
    return _line(record_type.name, data, {"type": "null"}, [])


def _line(
    name: str, data: dict[str, Any], source_id: dict[str, Any], required: list[str]
) -> dict[str, Any]:
    members = {
        "type": {"const": name},
        "organizationId": _converter.field2property(Uuid()),
        "sourceId": source_id,
        "data": data,
    }
    return {
        "title": name,
        "type": "object",
        "properties": members,
        "required": ["type", "organizationId", "data", *required],
        "additionalProperties": False,
    }


def _deleted(record_type: RecordType) -> dict[str, Any]:
    in_chat = record_type.parent == "telegram.chat"
    return {
        "title": f"delete {record_type.name}",
        "type": "object",
        "properties": {
            "type": {"const": record_type.name},
            # The loader takes the number of a message, and a digit string as one.
            "id": {"type": ["string", "integer"]},
            "chatId": _converter.field2property(Uuid()) if in_chat else {"type": "null"},
        },
        "required": ["type", "id", *(["chatId"] if in_chat else [])],
        "additionalProperties": False,
    }
