"""All operations in the order of the contract. REST, MCP and OpenAPI are built from them."""

from orgctx.operations.operation import Operation, Resource
from orgctx.resources import assets, context, people, token, x
from orgctx.resources.knowledge import service as knowledge
from orgctx.resources.search import service as search
from orgctx.resources.telegram import service as telegram

RESOURCES: tuple[Resource, ...] = (
    context.RESOURCE,
    search.RESOURCE,
    people.RESOURCE,
    knowledge.RESOURCE,
    assets.RESOURCE,
    telegram.RESOURCE,
    x.RESOURCE,
    token.RESOURCE,
)
OPERATIONS: tuple[Operation, ...] = tuple(
    operation for resource in RESOURCES for operation in resource.operations
)
