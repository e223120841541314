"""The operations of the overview."""

from orgctx.context import schemas, service
from orgctx.exposure import KINDS
from orgctx.operation import Operation

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
