"""The operations of X mentions."""

from orgctx.operations.operation import Operation, Resource, Use
from orgctx.resources.x import schemas, service
from orgctx.schemas.payload import NumberedPagination

RESOURCE = Resource(
    place=8,
    tag="x",
    about="Stored mentions of the connected X account.",
    operations=(
        Operation(
            path="/x/mentions",
            title="List X mentions",
            scopes=("x:read",),
            kinds=("x",),
            arguments=schemas.ListXMentions,
            payload=schemas.XMention,
            is_list=True,
            pagination=NumberedPagination,
            origin="collector",
            conflicts=True,
            watches=True,
            service=service.list_x_mentions,
            use=Use("Which post did most people see?", {"sort": "views"}),
        ),
    ),
)
