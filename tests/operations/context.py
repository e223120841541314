"""The overview."""

from tests.operations.row import Row

ROWS = (
    Row(
        name="get_context",
        path="/context",
        scopes=("context:read",),
        crawl=({},),
    ),
)
