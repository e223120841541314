"""The operations of the overview."""

from orgctx.operation import Operation
from orgctx.resources.context import schemas, service
from orgctx.source_kinds import KINDS

OPERATIONS = (
    Operation(
        path="/context",
        title="Get context",
        tag="context",
        scopes=("context:read",),
        kinds=KINDS,
        arguments=schemas.GetContext,
        payload=schemas.Context,
        service=service.get_context,
    ),
)
