"""The token summary."""

from tests.operations.row import Row

ROWS = (
    Row(
        name="get_token",
        path="/token",
        scopes=("token:read",),
        kinds=("token",),
        origin="collector",
        conflicts=True,
        records={"token/get_token": "connected"},
        crawl=({},),
    ),
)
