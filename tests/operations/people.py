"""People."""

from tests.contract import json_schemas as schema
from tests.operations.row import Row
from tests.support import organizations as orgs

PEOPLE_PAGINATION = schema.members(schema.NUMBERED | {"searchLimited": schema.BOOLEAN})
PERSON_SOURCE = schema.members(
    {
        "sourceId": schema.STRING,
        "label": schema.STRING,
        "activityCount": schema.POSITIVE,
        "lastActiveAt": schema.DATE_TIME,
    }
)
PERSON = {
    "key": {"type": "string", "maxLength": 250},
    "platform": schema.one_of("telegram, x"),
    "id": schema.STRING,
    "displayName": schema.STRING,
    "username": schema.nullable(schema.STRING),
    "profileUrl": schema.nullable(schema.STRING),
    "verified": schema.nullable(schema.BOOLEAN),
    "firstActiveAt": schema.DATE_TIME,
    "lastActiveAt": schema.DATE_TIME,
    "activityCount": schema.POSITIVE,
    "sources": schema.array(PERSON_SOURCE, minItems=1),
}
ACTIVITY = schema.members(
    {
        "kind": schema.one_of("message, post"),
        "id": schema.STRING,
        "sourceId": schema.STRING,
        "preview": {"type": "string", "maxLength": 240},
        "at": schema.DATE_TIME,
        "href": schema.STRING,
    }
)
PERSON_IN_LIST = schema.open_members(PERSON)
PERSON_DETAIL = schema.open_members(
    PERSON | {"recentActivity": schema.array(ACTIVITY, maxItems=20)}
)

SCOPES = ("telegram:read", "x:read")

ROWS = (
    Row(
        name="list_people",
        path="/people",
        scopes=SCOPES,
        kinds=("telegram", "x"),
        origin="collector",
        answer=schema.envelope(schema.array(PERSON_IN_LIST, maxItems=50), PEOPLE_PAGINATION),
        asks=({}, {"q": "ada"}, {"page": 2}),
        crawl=(*({"q": term} for term in orgs.TERMS), *({"page": page} for page in (1, 2, 9))),
    ),
    Row(
        name="read_person",
        path="/people/{key}",
        scopes=SCOPES,
        kinds=("telegram", "x"),
        origin="collector",
        answer=schema.envelope(PERSON_DETAIL),
        asks=({"key": "telegram:user1"},),
        missing={"key": "x:nobody"},
        crawl=tuple({"key": key} for key in ("telegram:user1", "telegram:hidden1", "x:7")),
    ),
)
