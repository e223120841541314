"""The sources."""

from tests.operations.row import Row

ROWS = (
    Row(
        name="list_sources",
        path="/sources",
        scopes=("context:read",),
        crawl=({},),
    ),
)
