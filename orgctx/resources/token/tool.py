"""The tool of the token summary, whose notice covers the freshness of each part."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from orgctx.operations.exposure import Source
from orgctx.operations.operation import Result, ToolCall


def with_part_notices(result: Result, _: ToolCall) -> Result:
    """Name the parts of the summary that are not current, even if the source is."""
    (source,) = result.sources
    return replace(result, notices=tuple(_notices(result.data["sources"], source)))


def _notices(parts: Mapping[str, Mapping[str, Any]], source: Source) -> Iterator[str]:
    for name, part in parts.items():
        updated_at = part["updatedAt"]
        status = part["status"]
        if status == "current" and _is_overdue(updated_at, source.stale_after_seconds):
            status = "stale"
        if status != "current":
            when = f"; it was updated at {updated_at}" if updated_at else ""
            yield f"The part {name} of this summary is {status}{when}."


def _is_overdue(updated_at: str | None, stale_after_seconds: int | None) -> bool:
    if updated_at is None or stale_after_seconds is None:
        return False
    age = datetime.now(UTC) - datetime.fromisoformat(updated_at)
    return age > timedelta(seconds=stale_after_seconds)
