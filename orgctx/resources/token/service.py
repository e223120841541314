"""One function per token operation."""

from typing import Any

from orgctx.errors import NotFound, SourceConflict
from orgctx.operations.exposure import Caller, ids
from orgctx.operations.operation import Reader, Result
from orgctx.resources.token.schemas import TokenSummary


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
    return Result(TokenSummary.many(rows)[0], sources)


def _not_connected() -> dict[str, Any]:
    unavailable = {"updated_at": None, "status": "unavailable"}
    return {
        "connected": False,
        "token": None,
        "index": None,
        "holders": None,
        "latest_fees": None,
        "latest_trade_at": None,
        "sources": {"transfers": unavailable, "fees": unavailable},
    }
