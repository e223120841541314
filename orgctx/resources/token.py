"""The stored summary of the linked token."""

from dataclasses import replace
from datetime import datetime
from time import time
from typing import Any

from orgctx.errors import NotFound, SourceConflict
from orgctx.operations.exposure import Caller, Source, ids
from orgctx.operations.operation import Reader, Resource, Result, Use
from orgctx.schemas.arguments import Arguments
from orgctx.schemas.fields import (
    MAX_NAME,
    MAX_NOTE,
    MAX_URL,
    Boolean,
    Enum,
    Integer,
    IntegerEnum,
    Nested,
    Number,
    Text,
)
from orgctx.schemas.formats import DateTime
from orgctx.schemas.payload import STATUSES, Payload

RESOURCE = Resource(tag="token", about="The stored summary of the linked token.")


class Token(Payload):
    """The token itself."""

    address = Text(100)
    chain_id = IntegerEnum(
        4663, 1, 31337, 31338, doc="Isolated development forks use 31337, 31338."
    )
    protocol = Enum("pons", "stockereum", "programmable")
    name = Text(MAX_NAME)
    symbol = Text(MAX_NAME)
    pool = Text(100, doc="V3 pool address; the zero address for V4 launches.")
    pool_id = Text(100, nullable=True, doc="A V4 pool ID, not a contract address.")
    paired_token = Text(MAX_NAME, nullable=True)
    deployer = Text(100)
    logo_url = Text(MAX_URL, nullable=True)


class TokenIndex(Payload):
    """The progress of indexing transfers."""

    indexed_to = Integer()
    indexed_at = DateTime()
    next_sync_at = DateTime()
    state = Enum("ready", "collecting", "error")


class TokenHolders(Payload):
    """Positive tracked balances, without pool, factory, custody, zero and burn addresses."""

    count = Integer(0)
    tracked_balance_raw = Text(
        100, pattern=r"[0-9]+", rule="a string of digits", doc="In the smallest unit of the token."
    )


class TokenFees(Payload):
    """The fees at the last snapshot."""

    taken_at = DateTime()
    price_usd = Number()
    eth_usd = Number()
    unclaimed_eth = Number()
    unclaimed_token = Number()


class TokenSourceFreshness(Payload):
    """The freshness of one part of the summary."""

    updated_at = DateTime(nullable=True)
    status = Enum(*STATUSES)
    note = Text(MAX_NOTE, optional=True)


class TokenSources(Payload):
    """The freshness of each part of the summary."""

    transfers = Nested(TokenSourceFreshness)
    fees = Nested(TokenSourceFreshness)


class TokenSummary(Payload):
    """The stored summary of the linked token."""

    connected = Boolean(doc="Whether a snapshot of the linked address is stored.")
    token = Nested(Token, nullable=True)
    index = Nested(TokenIndex, nullable=True)
    holders = Nested(TokenHolders, nullable=True)
    latest_fees = Nested(TokenFees, nullable=True)
    latest_trade_at = DateTime(nullable=True)
    sources = Nested(TokenSources)


def with_part_notices(result: Result, *_: object) -> Result:
    """Name the parts of the summary that are not current, even if the source is."""
    notices = (
        f"The part {name} of this summary is {part['status']}"
        + (f"; it was updated at {part['updatedAt']}." if part["updatedAt"] else ".")
        for name, part in result.data["sources"].items()
        if part["status"] != "current"
    )
    return replace(result, notices=tuple(notices))


@RESOURCE.operation(
    path="/token",
    title="Get the token summary",
    scopes=("token:read",),
    kinds=("token",),
    arguments=Arguments,
    payload=TokenSummary,
    origin="collector",
    conflicts=True,
    watches=True,
    is_findable=True,
    use=Use("How many people hold our token?", {}),
    shape=with_part_notices,
)
def get_token(caller: Caller, reader: Reader) -> Result:
    """Get the stored summary of the linked token: identity, holders, fees and latest trade.
    Requests nothing from a chain node or a market.

    connected is false while no snapshot of the linked address is stored. 404
    without an approved token source; 409 if the snapshot belongs to another
    address. Marks the organization as watched for 90 seconds.
    """
    sources = caller.exposed("token")
    snapshot, rows = reader.rows("token/get_token", source_ids=ids(sources)).split("connected")
    if not sources:
        raise NotFound("No approved token source is readable with this key.")
    if not snapshot or snapshot["address"] is None:
        return Result(TokenSummary.one(_not_connected()), sources)
    if snapshot["address"].lower() != (sources[0].account or "").lower():
        raise SourceConflict(
            "The stored token snapshot belongs to another address than the one linked now; "
            "it can be read once a snapshot of the linked address is stored."
        )
    (summary,) = TokenSummary.many(rows)
    parts = {name: _aged(part, sources[0]) for name, part in summary["sources"].items()}
    return Result(summary | {"sources": parts}, sources)


def _aged(part: dict[str, Any], source: Source) -> dict[str, Any]:
    """Return a part of the summary with its status now, by the freshness target of its source."""
    updated_at = part["updatedAt"] and datetime.fromisoformat(part["updatedAt"])
    now = source._replace(stored_status=part["status"], updated_at=updated_at).aged(time())
    return part | {"status": now.status}


def _not_connected() -> dict[str, Any]:
    unavailable = {"updated_at": None, "status": "unavailable"}
    return {
        "connected": False,
        **dict.fromkeys(("token", "index", "holders", "latest_fees", "latest_trade_at")),
        "sources": {"transfers": unavailable, "fees": unavailable},
    }
