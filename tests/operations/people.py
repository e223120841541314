"""People."""

from tests.contract.json_schemas import (
    BOOLEAN,
    DATE_TIME,
    NUMBERED,
    POSITIVE,
    STRING,
    array,
    envelope,
    members,
    nullable,
    one_of,
    open_members,
)
from tests.operations.row import Row
from tests.support import organizations as orgs

PEOPLE_PAGINATION = members(NUMBERED | {"searchLimited": BOOLEAN})
PERSON_SOURCE = members(
    {"sourceId": STRING, "label": STRING, "activityCount": POSITIVE, "lastActiveAt": DATE_TIME}
)
PERSON = {
    "key": {"type": "string", "maxLength": 250},
    "platform": one_of("telegram, x"),
    "id": STRING,
    "displayName": STRING,
    "username": nullable(STRING),
    "profileUrl": nullable(STRING),
    "verified": nullable(BOOLEAN),
    "firstActiveAt": DATE_TIME,
    "lastActiveAt": DATE_TIME,
    "activityCount": POSITIVE,
    "sources": array(PERSON_SOURCE, minItems=1),
}
ACTIVITY = members(
    {
        "kind": one_of("message, post"),
        "id": STRING,
        "sourceId": STRING,
        "preview": {"type": "string", "maxLength": 240},
        "at": DATE_TIME,
        "href": STRING,
    }
)
PERSON_IN_LIST = open_members(PERSON)
PERSON_DETAIL = open_members(PERSON | {"recentActivity": array(ACTIVITY, maxItems=20)})

SCOPES = ("telegram:read", "x:read")

ROWS = (
    Row(
        name="list_people",
        path="/people",
        scopes=SCOPES,
        kinds=("telegram", "x"),
        origin="collector",
        answer=envelope(array(PERSON_IN_LIST, maxItems=50), PEOPLE_PAGINATION),
        asks=({}, {"q": "ada"}, {"page": 2}),
        crawl=(*({"q": term} for term in orgs.TERMS), *({"page": page} for page in (1, 2, 9))),
    ),
    Row(
        name="read_person",
        path="/people/{key}",
        scopes=SCOPES,
        kinds=("telegram", "x"),
        origin="collector",
        answer=envelope(PERSON_DETAIL),
        asks=({"key": "telegram:user1"},),
        missing={"key": "x:nobody"},
        crawl=tuple({"key": key} for key in ("telegram:user1", "telegram:hidden1", "x:7")),
    ),
)
