"""All operations in the order of the contract. REST, MCP and OpenAPI are built from them."""

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from operator import attrgetter
from pkgutil import iter_modules

from orgctx import resources
from orgctx.operations.operation import Operation, Resource


def _find() -> Iterator[Resource]:
    """Yield the resource of every package in `orgctx/resources/` that has routes."""
    for module in iter_modules(resources.__path__):
        routes = f"{resources.__name__}.{module.name}.routes"
        if module.ispkg and find_spec(routes):
            yield import_module(routes).RESOURCE


RESOURCES: tuple[Resource, ...] = tuple(sorted(_find(), key=attrgetter("place")))
OPERATIONS: tuple[Operation, ...] = tuple(
    operation for resource in RESOURCES for operation in resource.operations
)
