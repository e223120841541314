"""The operations of the token summary."""

from orgctx.operations.operation import Operation, Resource, Tool, Use
from orgctx.resources.token import schemas, service
from orgctx.resources.token.tool import with_part_notices

RESOURCE = Resource(
    place=9,
    tag="token",
    about="The stored summary of the linked token.",
    operations=(
        Operation(
            path="/token",
            title="Get the token summary",
            scopes=("token:read",),
            kinds=("token",),
            arguments=schemas.GetToken,
            payload=schemas.TokenSummary,
            origin="collector",
            conflicts=True,
            watches=True,
            is_findable=True,
            service=service.get_token,
            use=Use("How many people hold our token?", {}),
            tool=Tool(shape=with_part_notices),
        ),
    ),
)
