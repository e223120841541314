"""The token summary."""

from tests.contract import json_schemas as schema
from tests.operations.row import Row

TOKEN_SOURCE = schema.members(
    {"updatedAt": schema.nullable(schema.DATE_TIME), "status": schema.STATUS}, note=schema.STRING
)
TOKEN_SUMMARY = schema.resource(
    "TokenSummary",
    {
        "token.chainId": {"enum": [4663, 1, 31337, 31338]},
        "sources": schema.members({"transfers": TOKEN_SOURCE, "fees": TOKEN_SOURCE}),
    },
)

ROWS = (
    Row(
        name="get_token",
        path="/token",
        scopes=("token:read",),
        kinds=("token",),
        origin="collector",
        conflicts=True,
        answer=schema.envelope(TOKEN_SUMMARY),
        records={"token/get_token": "connected"},
        crawl=({},),
    ),
)
