"""The operations of sources."""

from orgctx.operation import Operation
from orgctx.resources.sources import schemas, service
from orgctx.shapes.source_payload import ContextSource
from orgctx.source_kinds import KINDS

OPERATIONS = (
    Operation(
        path="/sources",
        title="List sources",
        tag="context",
        scopes=("context:read",),
        kinds=KINDS,
        arguments=schemas.ListSources,
        payload=ContextSource,
        is_list=True,
        service=service.list_sources,
    ),
)
