"""The operations of sources."""

from orgctx.operation import Operation, Slice
from orgctx.resources.sources import schemas, service
from orgctx.shapes.source_payload import ContextSource
from orgctx.source_kinds import KINDS

SLICE = Slice(
    place=2,
    tag="context",
    operations=(
        Operation(
            path="/sources",
            title="List sources",
            scopes=("context:read",),
            kinds=KINDS,
            arguments=schemas.ListSources,
            payload=ContextSource,
            is_list=True,
            service=service.list_sources,
        ),
    ),
)
