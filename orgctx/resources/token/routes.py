"""The operations of the token summary."""

from orgctx.operation import Operation
from orgctx.resources.token import schemas, service

OPERATIONS = (
    Operation(
        path="/token",
        title="Get the token summary",
        tag="token",
        scopes=("token:read",),
        kinds=("token",),
        arguments=schemas.GetToken,
        payload=schemas.TokenSummary,
        origin="collector",
        conflicts=True,
        watches=True,
        is_findable=True,
        service=service.get_token,
    ),
)
