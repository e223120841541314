"""The operations of the token summary."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from orgctx.operations.operation import Operation, Resource, Result, Tool, ToolCall, Use
from orgctx.resources.token import schemas, service
from orgctx.schemas.arguments import Arguments


def with_part_notices(result: Result, _: ToolCall) -> Result:
    """Name the parts of the summary that are not current, even if the source is."""
    (source,) = result.sources
    return replace(
        result, notices=tuple(_notices(result.data["sources"], source.stale_after_seconds))
    )


def _notices(
    parts: Mapping[str, Mapping[str, Any]], stale_after_seconds: int | None
) -> Iterator[str]:
    for name, part in parts.items():
        status, updated_at = part["status"], part["updatedAt"]
        if status == "current" and updated_at and stale_after_seconds is not None:
            age = datetime.now(UTC) - datetime.fromisoformat(updated_at)
            status = "stale" if age > timedelta(seconds=stale_after_seconds) else status
        if status != "current":
            when = f"; it was updated at {updated_at}" if updated_at else ""
            yield f"The part {name} of this summary is {status}{when}."


RESOURCE = Resource(
    place=9,
    tag="token",
    about="The stored summary of the linked token.",
    operations=(
        Operation(
            path="/token",
            title="Get the token summary",
            scopes=("token:read",),
            kinds=("token",),
            arguments=Arguments,
            payload=schemas.TokenSummary,
            origin="collector",
            conflicts=True,
            watches=True,
            is_findable=True,
            service=service.get_token,
            use=Use("How many people hold our token?", {}),
            tool=Tool(shape=with_part_notices),
        ),
    ),
)
