"""The operations of the overview."""

from dataclasses import replace

from orgctx.operations.operation import Operation, Resource, Result, Tool, ToolCall, Use
from orgctx.operations.source_kinds import KINDS
from orgctx.operations.source_payload import summary
from orgctx.resources.context import schemas, service
from orgctx.schemas.arguments import Arguments

MAX_SOURCES = 20


def brief_context(result: Result, _: ToolCall) -> Result:
    """Return the first 20 sources, and a summary by kind if there are more."""
    sources = result.data["sources"]
    if len(sources) <= MAX_SOURCES:
        return result
    return replace(
        result,
        data=result.data | {"sources": sources[:MAX_SOURCES]},
        hints=(
            f"{summary(result.sources)} This overview lists the first {MAX_SOURCES}; "
            "list_sources lists all of them.",
        ),
    )


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
            arguments=Arguments,
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
