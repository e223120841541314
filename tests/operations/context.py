"""The overview."""

from tests.contract.json_schemas import (
    BOOLEAN,
    CONTEXT_SOURCE,
    COUNT,
    DATE_TIME,
    SCOPE,
    STRING,
    UUID,
    array,
    envelope,
    members,
    nullable,
    one_of,
)
from tests.operations.row import Row

CONNECTION = {
    "connected": BOOLEAN,
    "status": one_of("available, current, stale, unavailable, synthetic, error"),
    "updatedAt": nullable(DATE_TIME),
}
CONTEXT = members(
    {
        "organization": members(
            {"id": UUID},
            displayName=STRING,
            slug=STRING,
            createdAt=DATE_TIME,
            updatedAt=DATE_TIME,
        ),
        "grantedScopes": array(SCOPE, uniqueItems=True),
        "sources": array(CONTEXT_SOURCE),
        "connections": members(
            {},
            knowledge=members({"available": BOOLEAN, "docs": nullable(members(CONNECTION))}),
            assets=members(
                {"available": BOOLEAN, "itemCount": COUNT, "updatedAt": nullable(DATE_TIME)}
            ),
            telegram=members(CONNECTION | {"chatCount": COUNT}),
            x=members(CONNECTION | {"username": nullable(STRING)}),
            token=members(CONNECTION | {"address": nullable(STRING), "symbol": nullable(STRING)}),
        ),
    }
)

ROWS = (
    Row(
        name="get_context",
        path="/context",
        scopes=("context:read",),
        answer=envelope(CONTEXT),
        resources={"Context": CONTEXT},
        crawl=({},),
    ),
)
