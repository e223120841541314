"""Every operation, in the order of the contract: what REST, MCP and OpenAPI are made from."""

from __future__ import annotations

from orgctx.operation import Operation
from orgctx.resources.assets import routes as assets
from orgctx.resources.context import routes as context
from orgctx.resources.knowledge import routes as knowledge
from orgctx.resources.people import routes as people
from orgctx.resources.search import routes as search
from orgctx.resources.sources import routes as sources
from orgctx.resources.telegram import routes as telegram
from orgctx.resources.token import routes as token
from orgctx.resources.x import routes as x

SLICES: dict[str, tuple[Operation, ...]] = {
    "context": context.OPERATIONS,
    "sources": sources.OPERATIONS,
    "search": search.OPERATIONS,
    "people": people.OPERATIONS,
    "knowledge": knowledge.OPERATIONS,
    "assets": assets.OPERATIONS,
    "telegram": telegram.OPERATIONS,
    "x": x.OPERATIONS,
    "token": token.OPERATIONS,
}
OPERATIONS: tuple[Operation, ...] = tuple(
    operation for operations in SLICES.values() for operation in operations
)
