"""The operations of search."""

from orgctx.operations.operation import Identifier, Operation, Resource, Tool, Use
from orgctx.operations.source_kinds import KINDS
from orgctx.resources.search import schemas, service
from orgctx.resources.search.tool import SearchContextArguments, SearchContextTool, shape

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
            is_core=True,
            service=service.search_context,
            use=Use("When is the next release?", {"q": "next release date"}),
            tool=Tool(shape=shape, payload=SearchContextTool, arguments=SearchContextArguments),
            identifier=Identifier("source", "list_sources returns the ids of sources."),
            guide=(
                "Pass 2 to 4 distinctive words of the question to search_context: `items` contain "
                "them as one phrase, `partialItems` most of them anywhere. It finds literal text, "
                "no synonyms or word forms.",
                "Read a document or note that you found by its id with read_knowledge; the same q "
                "starts near the match. Read a person with read_person, an asset with read_asset.",
                'For example, to answer "What did we decide about refunds?", call search_context '
                'with {"q": "refund decision"}, then read_knowledge or list_telegram_messages for '
                "the item that decides it.",
                "Pass ids as lists and searches return them: the `key` of a person, and the `id` "
                "of a chat as `chatId`.",
            ),
        ),
    ),
)
