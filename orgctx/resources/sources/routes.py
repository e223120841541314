"""The operations of sources."""

from orgctx.operations.operation import Operation, Resource, Tool, Use
from orgctx.operations.source_kinds import KINDS
from orgctx.operations.source_payload import ContextSource
from orgctx.resources.sources import service
from orgctx.resources.sources.tool import ListSourcesTool, page_of_sources
from orgctx.schemas.arguments import Arguments
from orgctx.schemas.payload import NumberedPagination

RESOURCE = Resource(
    place=2,
    tag="context",
    operations=(
        Operation(
            path="/sources",
            title="List sources",
            scopes=("context:read",),
            kinds=KINDS,
            arguments=Arguments,
            payload=ContextSource,
            is_list=True,
            service=service.list_sources,
            use=Use("Which chats are stale?", {"kind": "telegram"}),
            tool=Tool(
                shape=page_of_sources, arguments=ListSourcesTool, pagination=NumberedPagination
            ),
        ),
    ),
)
