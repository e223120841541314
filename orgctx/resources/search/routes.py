"""The operations of search."""

from orgctx.operation import Operation
from orgctx.resources.search import schemas, service
from orgctx.source_kinds import KINDS

OPERATIONS = (
    Operation(
        path="/search",
        title="Search context",
        tag="context",
        scopes=("context:read",),
        kinds=KINDS,
        arguments=schemas.SearchContext,
        payload=schemas.ContextSearchResult,
        is_findable=True,
        service=service.search_context,
    ),
)
