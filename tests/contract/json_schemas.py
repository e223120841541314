"""JSON Schemas of resources.md in this folder, from which tests/operations builds those of answers.

Nothing here is derived from the service's own declarations, which tests compare with it.
"""

from typing import Any

from tests.contract.tables import ENUMERATION, NAMED_MEMBER, Row, kinds, rows, scopes

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


# The types in the tables of resources.md.
TYPES = {
    "string": STRING,
    "string uuid": UUID,
    "string of digits, in the smallest unit": DIGITS,
    "boolean": BOOLEAN,
    "integer": INTEGER,
    "integer >=0": COUNT,
    "integer >=1": POSITIVE,
    "number": NUMBER,
    "date-time": DATE_TIME,
}
# The tables that a schema was built from.
USED: set[str] = set()


def resource(
    name: str, narrower: dict[str, JsonSchema] | None = None, **added: JsonSchema
) -> JsonSchema:
    """The members of a resource, as its table in resources.md describes them.

    Args:
        narrower: schemas of members that the table only outlines, such as `token.chainId`.
        added: optional members beyond the contract.
    """
    USED.add(name)
    required: dict[str, JsonSchema] = {}
    for row in (row for row in rows() if row.table == name):
        schema = _member(row, narrower or {})
        (required if row.is_required else added)[row.member] = schema
    return members(required, **added)


def _member(row: Row, narrower: dict[str, JsonSchema]) -> JsonSchema:
    if row.member in narrower:
        return narrower[row.member]
    if "object" not in row.type:
        return _typed(row.notes if ENUMERATION.fullmatch(row.notes) else row.type)
    inner = {
        name: narrower.get(f"{row.member}.{name}") or _typed(text)
        for name, text in NAMED_MEMBER.findall(row.notes)
    }
    return nullable(members(inner)) if row.type == "null or object" else members(inner)


def _typed(text: str) -> JsonSchema:
    text, or_null, _ = text.partition(";")[0].partition(" or null")
    schema = one_of(text) if ENUMERATION.fullmatch(text) else TYPES[text]
    return nullable(schema) if or_null else schema


KINDS = tuple(kind.name for kind in kinds())
# The kinds that hold knowledge items, by the prefix of the items' ids.
KNOWLEDGE_KINDS = {kind.prefix: kind.name for kind in kinds() if kind.prefix}

STATUS = one_of("current, stale, unavailable, synthetic")
META = members({"organizationId": UUID, "freshness": resource("Freshness")})

NUMBERED = {
    "page": POSITIVE,
    "pageSize": POSITIVE,
    "total": COUNT,
    "totalPages": COUNT,
    "hasNextPage": BOOLEAN,
}
NUMBERED_PAGINATION = members(NUMBERED)

SCOPE = one_of(", ".join(scopes()))
CONTEXT_SOURCE = resource(
    "ContextSource", {"kind": one_of(", ".join(KINDS))}, staleAfterSeconds=COUNT
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
