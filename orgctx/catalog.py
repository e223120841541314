"""All operations in the order of the contract. REST, MCP and OpenAPI are built from them."""

from __future__ import annotations

from orgctx.operation import Operation, Slice
from orgctx.resources.assets import routes as assets
from orgctx.resources.context import routes as context
from orgctx.resources.knowledge import routes as knowledge
from orgctx.resources.people import routes as people
from orgctx.resources.search import routes as search
from orgctx.resources.sources import routes as sources
from orgctx.resources.telegram import routes as telegram
from orgctx.resources.token import routes as token
from orgctx.resources.x import routes as x

SLICES: tuple[Slice, ...] = (
    context.SLICE,
    sources.SLICE,
    search.SLICE,
    people.SLICE,
    knowledge.SLICE,
    assets.SLICE,
    telegram.SLICE,
    x.SLICE,
    token.SLICE,
)
OPERATIONS: tuple[Operation, ...] = tuple(
    operation for one in SLICES for operation in one.operations
)
