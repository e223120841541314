"""The tools of the knowledge library: distinct titles, and what sourceStatus does not say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from orgctx.operations.exposure import Caller
from orgctx.operations.operation import Reader, Result
from orgctx.operations.titles import Titled, distinct_titles

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


def with_distinct_titles(
    caller: Caller, reader: Reader, result: Result, arguments: Mapping[str, Any]
) -> Result:
    """Add version or folder to the titles that are equal, and the notice of a document."""
    titles = distinct_titles(
        Titled(item["id"], item["title"], item["sourceHref"], item["sourceLabel"])
        for item in result.data
    )
    data = [item | {"title": titles.get(item["id"], item["title"])} for item in result.data]
    return with_source_notice(caller, reader, replace(result, data=data), arguments)
