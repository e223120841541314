"""X mentions."""

from tests.operations.row import Row
from tests.support import organizations as orgs

ROWS = (
    Row(
        name="list_x_mentions",
        path="/x/mentions",
        scopes=("x:read",),
        kinds=("x",),
        origin="collector",
        conflicts=True,
        records={"x/list_x_mentions": "id", "x/search_x_mentions": "id"},
        asks=(
            {},
            {"page": 1},
            {"q": "mention"},
            {"sort": "views", "after": "2025-01-01T00:00:00Z"},
            {"author": "@bob", "limit": 3},
        ),
        crawl=(
            *({"page": page} for page in (1, 2, 9)),
            *({"q": term} for term in orgs.TERMS),
            {"sort": "views", "before": "2027-01-01T00:00:00Z"},
            *({"author": name, "limit": 100} for name in ("bob", "hidden1", orgs.AMBER.marker)),
        ),
    ),
)
