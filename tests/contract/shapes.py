"""What the shapes of tests/operations are made of, as JSON Schema, written by hand.

Nothing here is derived from the service's own declarations, which tests compare with it.
The kinds of sources are those of docs/contract.md.
"""

from __future__ import annotations

from typing import Any

from tests.contract.tables import kinds

Shape = dict[str, Any]

STRING: Shape = {"type": "string"}
BOOLEAN: Shape = {"type": "boolean"}
INTEGER: Shape = {"type": "integer"}
COUNT: Shape = {"type": "integer", "minimum": 0}
POSITIVE: Shape = {"type": "integer", "minimum": 1}
NUMBER: Shape = {"type": "number"}
DIGITS: Shape = {"type": "string", "pattern": "^[0-9]+$"}
UUID: Shape = {"type": "string", "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}
URI: Shape = {"type": "string", "pattern": r"^https?://\S+$"}
# ISO 8601 in UTC; microseconds only where present.
DATE_TIME: Shape = {
    "type": "string",
    "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z$",
}


def nullable(shape: Shape) -> Shape:
    return {"anyOf": [shape, {"type": "null"}]}


def one_of(values: str) -> Shape:
    """An enumeration as the contract writes it: `a, b, c`."""
    return {"enum": values.split(", ")}


def array(items: Shape, **more: Any) -> Shape:
    return {"type": "array", "items": items, **more}


def members(required: dict[str, Shape], **optional: Shape) -> Shape:
    """An object without other members."""
    return open_members(required, **optional) | {"additionalProperties": False}


def open_members(required: dict[str, Shape], **optional: Shape) -> Shape:
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

SCOPE = one_of("context:read, knowledge:read, assets:read, telegram:read, x:read, token:read")
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


def envelope(data: Shape, pagination: Shape | None = None) -> Shape:
    """A complete successful answer."""
    whole = {"data": data, "meta": META}
    return members(whole | ({"pagination": pagination} if pagination else {}))


# Members that the contract neither names nor forbids, and that show freshness.
ADDED = {"ContextSource": {"staleAfterSeconds"}}
