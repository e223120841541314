"""The payload of a source, shared by three resources."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from orgctx.operations.exposure import Source, ids
from orgctx.operations.source_kinds import KINDS, SOURCE_KINDS
from orgctx.schemas.fields import MAX_DESCRIPTION, MAX_NAME, MAX_URL, Boolean, Enum, Integer, Text
from orgctx.schemas.formats import DateTime
from orgctx.schemas.payload import Payload
from orgctx.stores.db import Rows, Statement


class ContextSource(Payload):
    """An approved source of context."""

    id = Text(150, doc="Stable; pass it as source to narrow a search.")
    label = Text(MAX_NAME)
    kind = Enum(*KINDS)
    included = Boolean()
    external = Boolean(doc="Approved for external reading.")
    status = Enum("current", "stale", "unavailable", "synthetic", "not_connected")
    updated_at = DateTime(nullable=True)
    stale_after_seconds = Integer(
        0,
        optional=True,
        doc="Age from which its data counts as stale; absent if it has no freshness target.",
    )
    description = Text(MAX_DESCRIPTION)
    href = Text(MAX_URL, doc="Where to read its records.")
    count = Integer(0, optional=True, doc="Number of records; absent for profile and token.")


def descriptions_of(sources: Sequence[Source]) -> Statement:
    """Return the statement that reads the descriptions of sources, to be sent with others.

    Only answers that show them read them, because they are the longest texts of sources.
    """
    return "operations/read_descriptions", {"source_ids": ids(sources)}


def members_of(sources: Iterable[Source], descriptions: Rows) -> list[dict[str, Any]]:
    """Return the members of a ContextSource for each exposed source, in order.

    descriptions: of `descriptions_of`.
    """
    texts = dict(descriptions.rows)
    return [_members(source, texts.get(source.id, "")) for source in sources]


def _members(source: Source, description: str) -> dict[str, Any]:
    members: dict[str, Any] = {
        "id": source.id,
        "label": source.label,
        "kind": source.kind,
        "included": True,
        "external": True,
        "status": source.status,
        "updated_at": source.updated_at,
        "description": description,
        "href": source.href,
    }
    if source.stale_after_seconds is not None:
        members["stale_after_seconds"] = source.stale_after_seconds
    if SOURCE_KINDS[source.kind].is_counted:
        members["count"] = source.record_count
    return members


def summary(sources: Sequence[Source]) -> str:
    """Count sources by kind, in a sentence for agents."""
    counts = Counter(source.kind for source in sources)
    outdated = Counter(source.kind for source in sources if source.status != "current")
    kinds = (
        f"{kind} {counts[kind]:,}"
        + (f" ({outdated[kind]:,} not current)" if kind in outdated else "")
        for kind in KINDS
        if kind in counts
    )
    return f"{len(sources):,} sources: {', '.join(kinds)}."
