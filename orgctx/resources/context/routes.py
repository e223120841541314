"""The operations of the overview."""

from orgctx.operations.operation import Operation, Resource, Tool, Use
from orgctx.operations.source_kinds import KINDS
from orgctx.resources.context import schemas, service
from orgctx.resources.context.tool import brief_context

RESOURCE = Resource(
    place=1,
    tag="context",
    about="The overview, the sources, and the search over all of them.",
    operations=(
        Operation(
            path="/context",
            title="Get context",
            scopes=("context:read",),
            kinds=KINDS,
            arguments=schemas.GetContext,
            payload=schemas.Context,
            service=service.get_context,
            use=Use("What do you know about us?", {}),
            tool=Tool(shape=brief_context),
            guide=(
                "Call get_context first: it returns what this key can read and how fresh it is.",
            ),
        ),
    ),
)
