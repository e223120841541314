"""The tool of the overview, which lists only some sources of an organization with many."""

from dataclasses import replace

from orgctx.operations.operation import Result, ToolCall
from orgctx.operations.source_payload import summary

MAX_SOURCES = 20


def brief_context(result: Result, _: ToolCall) -> Result:
    """Return the first 20 sources, and a summary by kind if there are more."""
    sources = result.data["sources"]
    if len(sources) <= MAX_SOURCES:
        return result
    return replace(
        result,
        data=result.data | {"sources": sources[:MAX_SOURCES]},
        hints=(
            f"{summary(result.sources)} This overview lists the first {MAX_SOURCES}; "
            "list_sources lists all of them.",
        ),
    )
