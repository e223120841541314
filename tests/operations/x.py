"""X mentions."""

from tests.contract.json_schemas import (
    BOOLEAN,
    DATE_TIME,
    INTEGER,
    NUMBERED_PAGINATION,
    STRING,
    URI,
    array,
    envelope,
    members,
    nullable,
    one_of,
)
from tests.operations.row import Row
from tests.support import organizations as orgs

X_AUTHOR = members({"id": STRING, "username": STRING, "name": STRING, "verified": BOOLEAN})
X_MENTION = members(
    {
        "id": STRING,
        "url": URI,
        "text": STRING,
        "createdAt": DATE_TIME,
        "metrics": members(
            dict.fromkeys(("likes", "reposts", "replies", "quotes", "views"), INTEGER)
        ),
        "isReply": BOOLEAN,
        "isRepost": BOOLEAN,
        "author": X_AUTHOR,
        "media": array(
            members({"type": one_of("photo, video, gif"), "url": STRING, "previewUrl": STRING})
        ),
        "quoted": nullable(members({"author": X_AUTHOR, "text": STRING, "url": URI})),
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
        answer=envelope(array(X_MENTION, maxItems=100), NUMBERED_PAGINATION),
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
