"""Every operation, in the order of the contract: what REST, MCP and OpenAPI are made from."""

from __future__ import annotations

from orgctx.assets import routes as assets
from orgctx.context import routes as context
from orgctx.knowledge import routes as knowledge
from orgctx.operation import Operation
from orgctx.people import routes as people
from orgctx.search import routes as search
from orgctx.sources import routes as sources
from orgctx.telegram import routes as telegram
from orgctx.token import routes as token
from orgctx.x import routes as x

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
