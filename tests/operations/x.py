"""X mentions."""

from tests.contract import json_schemas as schema
from tests.operations.row import Row
from tests.support import organizations as orgs

X_AUTHOR = schema.members(
    {
        "id": schema.STRING,
        "username": schema.STRING,
        "name": schema.STRING,
        "verified": schema.BOOLEAN,
    }
)
X_MENTION = schema.members(
    {
        "id": schema.STRING,
        "url": schema.URI,
        "text": schema.STRING,
        "createdAt": schema.DATE_TIME,
        "metrics": schema.members(
            dict.fromkeys(("likes", "reposts", "replies", "quotes", "views"), schema.INTEGER)
        ),
        "isReply": schema.BOOLEAN,
        "isRepost": schema.BOOLEAN,
        "author": X_AUTHOR,
        "media": schema.array(
            schema.members(
                {
                    "type": schema.one_of("photo, video, gif"),
                    "url": schema.STRING,
                    "previewUrl": schema.STRING,
                }
            )
        ),
        "quoted": schema.nullable(
            schema.members({"author": X_AUTHOR, "text": schema.STRING, "url": schema.URI})
        ),
    }
)

ROWS = (
    Row(
        name="list_x_mentions",
        path="/x/mentions",
        scopes=("x:read",),
        kinds=("x",),
        origin="collector",
        conflicts=True,
        answer=schema.envelope(schema.array(X_MENTION, maxItems=100), schema.NUMBERED_PAGINATION),
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
