"""The operations of X mentions."""

from orgctx.operation import Operation
from orgctx.resources.x import schemas, service
from orgctx.shapes.envelope import NumberedPagination

OPERATIONS = (
    Operation(
        path="/x/mentions",
        title="List X mentions",
        tag="x",
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
    ),
)
