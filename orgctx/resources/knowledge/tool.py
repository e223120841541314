"""The tools of the knowledge library: where matches and headings are, and distinct titles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from orgctx.operations.exposure import Caller, ids
from orgctx.operations.matches import match_members
from orgctx.operations.operation import Reader, Result
from orgctx.operations.titles import Titled, distinct_titles
from orgctx.resources.knowledge.headings import MAX_HEADINGS, MAX_TITLE, outline
from orgctx.resources.knowledge.schemas import KnowledgeItem, KnowledgeSummary
from orgctx.schemas.fields import Integer, List, Nested, Text
from orgctx.schemas.payload import Payload

NOT_FRESHNESS = "sourceStatus is the state of a document in its source, not how fresh it is."
# How much of a document is read for its outline.
OUTLINED_UNITS = 500_000


class Heading(Payload):
    """A heading of a document."""

    level = Integer(1, 6)
    title = Text(MAX_TITLE)
    offset = Integer(0, doc="In UTF-16 code units.")


class ReadKnowledgeTool(KnowledgeItem):
    """A segment of a document or note, the first one of a long document with its headings."""

    outline = List(Nested(Heading), maximum=MAX_HEADINGS, optional=True)


class ListKnowledgeTool(KnowledgeSummary):
    """A document or note, with where a long one matches."""

    match_offset = Integer(0, optional=True)
    further_match_count = Integer(0, optional=True)


def with_outline(
    caller: Caller, reader: Reader, result: Result, arguments: Mapping[str, Any]
) -> Result:
    """Add the headings to the first segment of a long document, and its notice."""
    is_first = not arguments["q"] and result.data["contentRange"]["offset"] == 0
    if (
        is_first
        and result.data["contentRange"]["nextOffset"]
        and result.data["contentFormat"] == "markdown"
    ):
        _, chunks = reader.rows(
            "knowledge/read_knowledge",
            id=result.data["id"],
            source_ids=ids(result.sources),
            segment_start=0,
            segment_end=OUTLINED_UNITS,
            first_chunk=0,
        ).split("first_unit")
        headings = outline("".join(text for _, text in chunks.rows))
        result = replace(result, data=result.data | {"outline": headings})
    return with_source_notice(caller, reader, result, arguments)


def with_source_notice(
    caller: Caller,  # noqa: ARG001
    reader: Reader,  # noqa: ARG001
    result: Result,
    arguments: Mapping[str, Any],  # noqa: ARG001
) -> Result:
    """Keep sourceStatus apart from freshness where a source is not current."""
    is_current = all(source.status == "current" for source in result.sources)
    return result if is_current else replace(result, notices=(NOT_FRESHNESS,))


def with_places(
    caller: Caller, reader: Reader, result: Result, arguments: Mapping[str, Any]
) -> Result:
    """Add where matches are, version or folder to equal titles, and the notice of a document."""
    titles = distinct_titles(
        Titled(item["id"], item["title"], item["sourceHref"], item["sourceLabel"])
        for item in result.data
    )
    item_ids = [item["id"] for item in result.data]
    matches = match_members(reader, ids(result.sources), item_ids, arguments["q"])
    data = [
        item | {"title": titles.get(item["id"], item["title"])} | matches.get(item["id"], {})
        for item in result.data
    ]
    return with_source_notice(caller, reader, replace(result, data=data), arguments)
