"""The payload of a source, shared by three resources."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from orgctx.operations.exposure import Source
from orgctx.operations.source_kinds import KINDS, SOURCE_KINDS
from orgctx.schemas.fields import MAX_DESCRIPTION, MAX_NAME, MAX_URL, Boolean, Enum, Integer, Text
from orgctx.schemas.formats import DateTime
from orgctx.schemas.payload import Payload


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


def context_sources(sources: Iterable[Source]) -> list[dict[str, Any]]:
    """Return a ContextSource object for each exposed source, in order."""
    return [ContextSource.one(source_members(source)) for source in sources]


def source_members(source: Source) -> dict[str, Any]:
    members: dict[str, Any] = {
        "id": source.id,
        "label": source.label,
        "kind": source.kind,
        "included": True,
        "external": True,
        "status": source.status,
        "updated_at": source.updated_at,
        "description": source.description,
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
