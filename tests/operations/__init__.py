"""What tests need to know of each operation: a `Row`, in the module of its resource."""

from importlib import import_module
from pathlib import Path

from orgctx.resources.catalog import OPERATIONS
from orgctx.schemas.payload import fields_of
from tests.operations.row import Row


def of(name: str) -> tuple[Row, ...]:
    """Return the rows of a resource. name: its module."""
    rows: tuple[Row, ...] = import_module(f"tests.operations.{name}").ROWS
    return rows


RESOURCES = sorted({path.stem for path in Path(__file__).parent.glob("*.py")} - {"__init__", "row"})
ROWS = {row.name: row for name in RESOURCES for row in of(name)}
FILES = {row.name: f"tests/operations/{name}.py" for name in RESOURCES for row in of(name)}
# One valid request path for each operation.
PATHS = {name: row.request(row.asks[0]) for name, row in ROWS.items()}
MISSING = {name: row.request(row.missing) for name, row in ROWS.items() if row.missing}
# Operations with the parameter q.
SEARCHABLE = tuple(
    name for name, row in ROWS.items() if any("q" in arguments for arguments in row.crawl)
)
PAGINATED = tuple(operation.name for operation in OPERATIONS if operation.pagination)
NUMBERED = tuple(
    operation.name for operation in OPERATIONS if "page" in fields_of(operation.arguments)
)
