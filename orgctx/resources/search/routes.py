"""The operations of search."""

from orgctx.operations.operation import Identifier, Operation, Resource
from orgctx.operations.source_kinds import KINDS
from orgctx.resources.search import schemas, service

RESOURCE = Resource(
    place=3,
    tag="context",
    operations=(
        Operation(
            path="/search",
            title="Search context",
            scopes=("context:read",),
            kinds=KINDS,
            arguments=schemas.SearchContext,
            payload=schemas.ContextSearchResult,
            is_findable=True,
            service=service.search_context,
            identifier=Identifier("source", "list_sources gives the ids of sources."),
            hint=(
                "Documents and notes are read by read_knowledge, people by read_person, assets by "
                "read_asset. A message's id is its chat's id, a colon and its number: "
                "list_telegram_messages reads it with before one higher."
            ),
            guide=(
                "search_context finds literal text (no meaning, no word forms: try other words, or "
                "fewer).",
                "Read what was found by its id: read_knowledge, read_person, read_asset, "
                "list_telegram_messages.",
            ),
        ),
    ),
)
