"""The token summary."""

from tests.contract.json_schemas import (
    BOOLEAN,
    COUNT,
    DATE_TIME,
    DIGITS,
    INTEGER,
    NUMBER,
    STATUS,
    STRING,
    envelope,
    members,
    nullable,
    one_of,
)
from tests.operations.row import Row

TOKEN_SOURCE = members({"updatedAt": nullable(DATE_TIME), "status": STATUS}, note=STRING)
TOKEN_SUMMARY = members(
    {
        "connected": BOOLEAN,
        "token": nullable(
            members(
                {
                    "address": STRING,
                    "chainId": {"enum": [4663, 1, 31337, 31338]},
                    "protocol": one_of("pons, stockereum, programmable"),
                    "name": STRING,
                    "symbol": STRING,
                    "pool": STRING,
                    "poolId": nullable(STRING),
                    "pairedToken": nullable(STRING),
                    "deployer": STRING,
                    "logoUrl": nullable(STRING),
                }
            )
        ),
        "index": nullable(
            members(
                {
                    "indexedTo": INTEGER,
                    "indexedAt": DATE_TIME,
                    "nextSyncAt": DATE_TIME,
                    "state": one_of("ready, collecting, error"),
                }
            )
        ),
        "holders": nullable(members({"count": COUNT, "trackedBalanceRaw": DIGITS})),
        "latestFees": nullable(
            members(
                {
                    "takenAt": DATE_TIME,
                    "priceUsd": NUMBER,
                    "ethUsd": NUMBER,
                    "unclaimedEth": NUMBER,
                    "unclaimedToken": NUMBER,
                }
            )
        ),
        "latestTradeAt": nullable(DATE_TIME),
        "sources": members({"transfers": TOKEN_SOURCE, "fees": TOKEN_SOURCE}),
    }
)

ROWS = (
    Row(
        name="get_token",
        path="/token",
        scopes=("token:read",),
        kinds=("token",),
        origin="collector",
        conflicts=True,
        answer=envelope(TOKEN_SUMMARY),
        resources={"TokenSummary": TOKEN_SUMMARY},
        records={"token/get_token": "connected"},
        crawl=({},),
    ),
)
