"""People."""

from tests.operations.row import Row
from tests.support import organizations as orgs

SCOPES = ("telegram:read", "x:read")

ROWS = (
    Row(
        name="list_people",
        path="/people",
        scopes=SCOPES,
        kinds=("telegram", "x"),
        origin="collector",
        asks=({}, {"q": "ada"}, {"page": 2}),
        crawl=(*({"q": term} for term in orgs.TERMS), *({"page": page} for page in (1, 2, 9))),
    ),
    Row(
        name="read_person",
        path="/people/{key}",
        scopes=SCOPES,
        kinds=("telegram", "x"),
        origin="collector",
        asks=({"key": "telegram:user1"},),
        missing={"key": "x:nobody"},
        crawl=tuple({"key": key} for key in ("telegram:user1", "telegram:hidden1", "x:7")),
    ),
)
