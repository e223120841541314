"""One function per X operation."""

from __future__ import annotations

from orgctx.errors import SourceConflict
from orgctx.operations.exposure import Caller, ids
from orgctx.operations.operation import Reader, Result
from orgctx.resources.x.schemas import XMention
from orgctx.schemas.envelope import numbered

PAGE_SIZE = 20


def list_x_mentions(caller: Caller, reader: Reader, *, page: int) -> Result:
    """List the stored posts that mention the connected X account, newest first. Requests
    nothing from X.

    20 per page, ordered by createdAt descending, then id. Lists only posts that
    were collected for the account connected now; 409 if all stored posts were
    collected for another one. Marks the organization as watched for 90 seconds.
    """
    sources = caller.exposed("x")
    totals, rows = reader.page(
        "x/list_x_mentions",
        page=page,
        size=PAGE_SIZE,
        source_ids=ids(sources),
        account=sources[0].account if sources else None,
    )
    if totals["is_anything_stored"] and not totals["total"]:
        raise SourceConflict(
            "The stored mentions were collected for another X account than the one connected now; "
            "they can be read once mentions of the connected account are stored."
        )
    return Result(XMention.many(rows), sources, numbered(page, PAGE_SIZE, totals["total"]))
