"""The knowledge library."""

from tests.contract.json_schemas import (
    BOOLEAN,
    COUNT,
    DATE_TIME,
    KNOWLEDGE_KINDS,
    NUMBERED_PAGINATION,
    STRING,
    array,
    envelope,
    members,
    nullable,
    one_of,
)
from tests.operations.row import Row
from tests.support import factories as make
from tests.support import organizations as orgs

UUID_PREFIXES = "|".join(prefix for prefix in KNOWLEDGE_KINDS if prefix != "chain")
KNOWLEDGE_ID = (
    f"^(?:({UUID_PREFIXES}):[0-9a-f]{{8}}(-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}"
    "|chain:0x[0-9a-f]{40})$"
)
KNOWLEDGE_SOURCES = (*(prefix for prefix in KNOWLEDGE_KINDS if prefix != "note"), "team", "answer")
KNOWLEDGE_SUMMARY_MEMBERS = {
    "id": {"type": "string", "pattern": KNOWLEDGE_ID},
    "title": STRING,
    "kind": one_of("source, note"),
    "source": one_of(", ".join(KNOWLEDGE_SOURCES)),
    "preview": {"type": "string", "maxLength": 240},
    "visibility": one_of("public, team"),
    "archived": BOOLEAN,
    "sourceStatus": one_of("current, draft, removed, unavailable, reference"),
    "sourceLabel": STRING,
    "sourceHref": nullable(STRING),
    "createdAt": DATE_TIME,
    "updatedAt": DATE_TIME,
}
KNOWLEDGE_SUMMARY = members(KNOWLEDGE_SUMMARY_MEMBERS)
KNOWLEDGE_ITEM = members(
    KNOWLEDGE_SUMMARY_MEMBERS
    | {
        "content": STRING,
        "contentFormat": one_of("markdown, plain_text"),
        "contentRange": members(
            {"offset": COUNT, "length": COUNT, "total": COUNT, "nextOffset": nullable(COUNT)}
        ),
    }
)

KINDS = tuple(KNOWLEDGE_KINDS.values())
NAMES = ("1", "2", "archived", "hidden", "none")
IDS = (
    *(make.knowledge_id(name) for name in NAMES),
    *(make.knowledge_id(f"only of {organization.marker} alone") for organization in orgs.ALL),
    *(make.knowledge_id(prefix=prefix) for prefix in make.KNOWLEDGE),
    orgs.SUPPRESSED,
    orgs.LONG,
    make.knowledge_id("hidden", "note"),
)

ROWS = (
    Row(
        name="list_knowledge",
        path="/knowledge",
        scopes=("knowledge:read",),
        kinds=KINDS,
        answer=envelope(array(KNOWLEDGE_SUMMARY, maxItems=20), NUMBERED_PAGINATION),
        resources={"KnowledgeSummary": KNOWLEDGE_SUMMARY},
        records={"knowledge/list_knowledge": "id"},
        asks=({}, {"kind": "note"}, {"archived": True}, {"visibility": "public", "page": 1}),
        crawl=(
            *({"q": term} for term in orgs.TERMS),
            *({"page": page} for page in (1, 2, 9)),
            *({"kind": kind} for kind in ("source", "note")),
            {"archived": True},
        ),
    ),
    Row(
        name="read_knowledge",
        path="/knowledge/{id}",
        scopes=("knowledge:read",),
        kinds=KINDS,
        answer=envelope(KNOWLEDGE_ITEM),
        asks=(
            {"id": make.knowledge_id()},
            {"id": make.knowledge_id(), "offset": 3, "limit": 5},
            {"id": make.knowledge_id(), "q": "e", "limit": 5},
        ),
        missing={"id": make.knowledge_id("nothing")},
        crawl=(
            *({"id": item_id} for item_id in IDS),
            {"id": orgs.LONG, "offset": 10, "limit": 50000},
            *({"id": item_id, "q": "e"} for item_id in IDS),
        ),
    ),
)
