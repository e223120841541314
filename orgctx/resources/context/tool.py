"""The tool of the overview, which lists only some sources of an organization with many."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from orgctx.operations.exposure import Caller
from orgctx.operations.operation import Reader, Result
from orgctx.operations.source_payload import summary

MAX_SOURCES = 20


def brief_context(
    caller: Caller,  # noqa: ARG001
    reader: Reader,  # noqa: ARG001
    result: Result,
    arguments: Mapping[str, Any],  # noqa: ARG001
) -> Result:
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
