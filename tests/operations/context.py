"""The overview."""

from tests.contract import json_schemas as schema
from tests.operations.row import Row

CONNECTION = {
    "connected": schema.BOOLEAN,
    "status": schema.one_of("available, current, stale, unavailable, synthetic, error"),
    "updatedAt": schema.nullable(schema.DATE_TIME),
}
ORGANIZATION = schema.members(
    {"id": schema.UUID},
    displayName=schema.STRING,
    slug=schema.STRING,
    createdAt=schema.DATE_TIME,
    updatedAt=schema.DATE_TIME,
)
CONNECTIONS = schema.members(
    {},
    knowledge=schema.members(
        {"available": schema.BOOLEAN, "docs": schema.nullable(schema.members(CONNECTION))}
    ),
    assets=schema.members(
        {
            "available": schema.BOOLEAN,
            "itemCount": schema.COUNT,
            "updatedAt": schema.nullable(schema.DATE_TIME),
        }
    ),
    telegram=schema.members(CONNECTION | {"chatCount": schema.COUNT}),
    x=schema.members(CONNECTION | {"username": schema.nullable(schema.STRING)}),
    token=schema.members(
        CONNECTION
        | {"address": schema.nullable(schema.STRING), "symbol": schema.nullable(schema.STRING)}
    ),
)
CONTEXT = schema.resource(
    "Context",
    {
        "organization": ORGANIZATION,
        "grantedScopes": schema.array(schema.SCOPE, uniqueItems=True),
        "sources": schema.array(schema.CONTEXT_SOURCE),
        "connections": CONNECTIONS,
    },
)

ROWS = (
    Row(
        name="get_context",
        path="/context",
        scopes=("context:read",),
        answer=schema.envelope(CONTEXT),
        crawl=({},),
    ),
)
