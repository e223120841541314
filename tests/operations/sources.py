"""The sources."""

from tests.contract import json_schemas as schema
from tests.operations.row import Row

ROWS = (
    Row(
        name="list_sources",
        path="/sources",
        scopes=("context:read",),
        answer=schema.envelope(schema.array(schema.CONTEXT_SOURCE)),
        crawl=({},),
    ),
)
