"""The tools of the knowledge library: what its members do not say about freshness."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from orgctx.operations.exposure import Caller
from orgctx.operations.operation import Reader, Result

NOT_FRESHNESS = "sourceStatus is the state of a document in its source, not how fresh it is."


def with_source_notice(
    caller: Caller,  # noqa: ARG001
    reader: Reader,  # noqa: ARG001
    result: Result,
    arguments: Mapping[str, Any],  # noqa: ARG001
) -> Result:
    """Keep sourceStatus apart from freshness where a source is not current."""
    is_current = all(source.status == "current" for source in result.sources)
    return result if is_current else replace(result, notices=(NOT_FRESHNESS,))
