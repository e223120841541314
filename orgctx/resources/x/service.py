"""One function per X operation."""

from datetime import datetime
from typing import Any

from orgctx.errors import InvalidParameter, SourceConflict
from orgctx.operations.exposure import Caller, ids
from orgctx.operations.lookups import person_id
from orgctx.operations.operation import Reader, Result
from orgctx.resources.x.schemas import XMention
from orgctx.schemas.payload import numbered

# Views are not indexed, so only this many posts are sorted by them.
VIEWS_WINDOW = 10_000


def list_x_mentions(
    caller: Caller,
    reader: Reader,
    *,
    q: str | None,
    after: datetime | None,
    before: datetime | None,
    sort: str,
    author: str | None,
    limit: int,
    page: int,
) -> Result:
    """List the stored posts that mention the connected X account, newest first. Requests
    nothing from X.

    limit per page, ordered by createdAt descending, then id; sort=views orders the
    newest 10,000 matches by views first. Lists only posts that were collected for
    the account connected now; 409 if all stored posts were collected for another
    one. Marks the organization as watched for 90 seconds.
    """
    if after and before and after >= before:
        raise InvalidParameter("after must be earlier than before")
    sources = caller.exposed("x")
    has_filter = bool(q or after or before or author or sort != "newest")
    filters: dict[str, Any] = {"q": q or None, "after": after, "before": before, "sort": sort}
    filters |= {"views_limit": VIEWS_WINDOW}
    filters["author_id"] = author and person_id(reader, ids(sources), "x", "author", author)
    totals, rows = reader.page(
        "x/search_x_mentions" if has_filter else "x/list_x_mentions",
        page=page,
        size=limit,
        source_ids=ids(sources),
        account=sources[0].account if sources else None,
        **(filters if has_filter else {}),
    )
    if totals["is_conflict"]:
        raise SourceConflict(
            "The stored mentions were collected for another X account than the one connected now; "
            "they can be read once mentions of the connected account are stored."
        )
    return Result(XMention.many(rows), sources, numbered(page, limit, totals["total"]))
