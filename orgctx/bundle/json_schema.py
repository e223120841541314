"""The load format as JSON Schema 2020-12, generated from the schemas that check the records.

Patterns say what formats mean, because validators do not check formats unless they are told to.
They use only what all regular expressions have in common, so neither lookahead nor `\\Z`.
"""

from typing import Any

from apispec.ext.marshmallow.openapi import OpenAPIConverter

from orgctx.bundle.records import SOURCE_ID_LENGTH, TYPES, RecordType
from orgctx.bundle.schemas import MessageId
from orgctx.resources.knowledge.schemas import KNOWLEDGE_ID, UUID, KnowledgeId
from orgctx.resources.telegram.schemas import LAST_MESSAGE_ID
from orgctx.schemas.fields import Integer, Text
from orgctx.schemas.formats import UUID_PATTERN, DateTime, Uuid
from orgctx.schemas.json_schema import OPENAPI_VERSION, Converter

DIALECT = "https://json-schema.org/draft/2020-12/schema"
DESCRIPTION = (
    "One line of a bundle; validators need not check formats. A schema cannot say all: strings "
    "hold no lone surrogates; integers have no fraction, not even .0; date-times lie in the "
    f"years 1 to 9999 in UTC; the id of a deleted message is at most {LAST_MESSAGE_ID}, also as a "
    "string; texts of messages and posts are also bounded in bytes as JSON and content in UTF-16 "
    "units; an asset is not its own parent; what a record names must be stored or stand earlier "
    "in the stream."
)
NO_NUL = r"[^\x00]*"
# Month and day, with February 29 in leap years only.
DATE = (
    r"((000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])"
    r"|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))"
    r"|([0-9]{2}(0[48]|[2468][048]|[13579][26])|(0[48]|[2468][048]|[13579][26])00)-02-29)"
)
CLOCK = r"([01][0-9]|2[0-3]):[0-5][0-9]"
DATE_TIME = rf"{DATE}[Tt]{CLOCK}:[0-5][0-9](\.[0-9]{{1,9}})?([Zz]|[+-]{CLOCK})"
# The loader accepts the UUID in it in either case.
KNOWLEDGE = KNOWLEDGE_ID.replace(UUID, UUID.replace("a-f", "a-fA-F"))
DIGITS = r"0*[1-9][0-9]{0,9}"
# Other numbers are read as floating point.
INTEGER_RANGE = {"minimum": -(2**63), "maximum": 2**64 - 1}
# In Python, `$` also matches before a line break at the end.
ONE_LINE = {"not": {"type": "string", "pattern": "\n"}}


class _Converter(Converter):
    """Converts the schemas of records, where null may also stand for the default."""

    def field2nullable(self, field: Any, ret: dict[str, Any]) -> dict[str, Any]:
        return OpenAPIConverter.field2nullable(self, field, ret=ret)

    def field2choices(self, field: Any, **keywords: Any) -> dict[str, Any]:
        attributes: dict[str, Any] = OpenAPIConverter.field2choices(self, field, **keywords)
        return attributes

    def field2property(self, field: Any) -> dict[str, Any]:
        members: dict[str, Any] = super().field2property(field)
        if isinstance(field, Integer):
            return INTEGER_RANGE | members
        return members | _pattern(field)


def _pattern(field: Any) -> dict[str, Any]:
    if isinstance(field, DateTime | Uuid):
        return {"$ref": f"#/$defs/{type(field).__name__}"}
    if isinstance(field, KnowledgeId):
        return _whole(KNOWLEDGE)
    if not isinstance(field, Text):
        return {}
    return _whole(field.pattern.pattern) if field.pattern else {"pattern": f"^{NO_NUL}$"}


def _whole(pattern: str) -> dict[str, Any]:
    """Return the keywords for a string that matches as a whole."""
    return {"pattern": f"^({pattern})$", **ONE_LINE}


DEFINITIONS = {"DateTime": _whole(DATE_TIME), "Uuid": _whole(UUID_PATTERN.pattern)}
_converter = _Converter(OPENAPI_VERSION, lambda _: None, None)  # type: ignore[arg-type]


def bundle_schema() -> dict[str, Any]:
    """Return the JSON Schema of one line."""
    deletion = _line("delete", {"oneOf": [*map(_deleted, TYPES.values())]}, {}, [])
    return {
        "$schema": DIALECT,
        "title": "orgctx bundle record",
        "description": DESCRIPTION,
        "oneOf": [*map(_record, TYPES.values()), deletion],
        "$defs": DEFINITIONS,
    }


def _record(record_type: RecordType) -> dict[str, Any]:
    data = _converter.schema2jsonschema(record_type.schema()) | record_type.condition
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
            "id": _id(record_type.id),
            "chatId": _converter.field2property(Uuid()) if in_chat else {"type": "null"},
        },
        "required": ["type", "id", *(["chatId"] if in_chat else [])],
        "additionalProperties": False,
    }


def _id(field: Any) -> dict[str, Any]:
    """Return the JSON Schema of an id in a deletion, which may be written as a number."""
    members = _converter.field2property(field)
    if isinstance(field, MessageId):
        return members | _whole(DIGITS) | {"type": ["integer", "string"]}
    if isinstance(field, Text) and field.pattern is None:
        return members | INTEGER_RANGE | {"type": ["string", "integer"]}
    return members
