"""The operations of search."""

from orgctx.operations.operation import Identifier, Operation, Resource, Tool
from orgctx.operations.source_kinds import KINDS
from orgctx.resources.search import schemas, service
from orgctx.resources.search.tool import SearchContextTool, sources_of_items

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
            tool=Tool(shape=sources_of_items, payload=SearchContextTool),
            identifier=Identifier("source", "list_sources returns the ids of sources."),
            hint=(
                "Read documents and notes with read_knowledge, people with read_person and assets "
                "with read_asset."
            ),
            guide=(
                "search_context finds literal text only, no synonyms or word forms: try other "
                "words, or fewer.",
                "Read a search result by its id with read_knowledge, read_person, read_asset or "
                "list_telegram_messages.",
            ),
        ),
    ),
)
