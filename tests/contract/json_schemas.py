"""JSON Schemas written by hand. tests/operations builds the schemas of the answers from them.

Nothing here is derived from the service's own declarations, which tests compare with it.
The kinds of sources and the scopes are those of docs/contract.md.
"""

from typing import Any

from tests.contract.tables import kinds, scopes

JsonSchema = dict[str, Any]

STRING: JsonSchema = {"type": "string"}
BOOLEAN: JsonSchema = {"type": "boolean"}
INTEGER: JsonSchema = {"type": "integer"}
COUNT: JsonSchema = {"type": "integer", "minimum": 0}
POSITIVE: JsonSchema = {"type": "integer", "minimum": 1}
NUMBER: JsonSchema = {"type": "number"}
DIGITS: JsonSchema = {"type": "string", "pattern": "^[0-9]+$"}
UUID: JsonSchema = {"type": "string", "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}
URI: JsonSchema = {"type": "string", "pattern": r"^https?://\S+$"}
# ISO 8601 in UTC; microseconds only where present.
DATE_TIME: JsonSchema = {
    "type": "string",
    "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z$",
}


def nullable(schema: JsonSchema) -> JsonSchema:
    return {"anyOf": [schema, {"type": "null"}]}


def one_of(values: str) -> JsonSchema:
    """An enumeration as the contract writes it: `a, b, c`."""
    return {"enum": values.split(", ")}


def array(items: JsonSchema, **more: Any) -> JsonSchema:
    return {"type": "array", "items": items, **more}


def members(required: dict[str, JsonSchema], **optional: JsonSchema) -> JsonSchema:
    """An object without other members."""
    return open_members(required, **optional) | {"additionalProperties": False}


def open_members(required: dict[str, JsonSchema], **optional: JsonSchema) -> JsonSchema:
    """An object that may have more members."""
    return {
        "type": "object",
        "required": list(required),
        "properties": required | optional,
    }


KINDS = tuple(kind.name for kind in kinds())
# The kinds that hold knowledge items, by the prefix of the items' ids.
KNOWLEDGE_KINDS = {kind.prefix: kind.name for kind in kinds() if kind.prefix}

STATUS = one_of("current, stale, unavailable, synthetic")
FRESHNESS = members(
    {
        "source": one_of("database, collector, provider, local_preview"),
        "updatedAt": nullable(DATE_TIME),
        "status": STATUS,
    },
    note=STRING,
)
META = members({"organizationId": UUID, "freshness": FRESHNESS})

NUMBERED = {
    "page": POSITIVE,
    "pageSize": POSITIVE,
    "total": COUNT,
    "totalPages": COUNT,
    "hasNextPage": BOOLEAN,
}
NUMBERED_PAGINATION = members(NUMBERED)

SCOPE = one_of(", ".join(scopes()))
CONTEXT_SOURCE = members(
    {
        "id": STRING,
        "label": STRING,
        "kind": one_of(", ".join(KINDS)),
        "included": BOOLEAN,
        "external": BOOLEAN,
        "status": one_of("current, stale, unavailable, synthetic, not_connected"),
        "updatedAt": nullable(DATE_TIME),
        "description": STRING,
        "href": STRING,
    },
    count=COUNT,
    staleAfterSeconds=COUNT,
)

ERROR = members(
    {
        "error": members({"code": STRING, "message": {"type": "string", "minLength": 10}}),
        "requestId": UUID,
    }
)


def envelope(data: JsonSchema, pagination: JsonSchema | None = None) -> JsonSchema:
    """The JSON Schema of a whole successful answer."""
    required = {"data": data, "meta": META}
    return members(required | ({"pagination": pagination} if pagination else {}))


# Members beyond the contract, by resource: they show freshness.
ADDED = {"ContextSource": {"staleAfterSeconds"}}
