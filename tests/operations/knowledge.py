"""The knowledge library."""

from tests.contract import json_schemas as schema
from tests.operations.row import Row
from tests.support import factories as make
from tests.support import organizations as orgs

UUID_PREFIXES = "|".join(prefix for prefix in schema.KNOWLEDGE_KINDS if prefix != "chain")
KNOWLEDGE_ID = (
    f"^(?:({UUID_PREFIXES}):[0-9a-f]{{8}}(-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}"
    "|chain:0x[0-9a-f]{40})$"
)
KNOWLEDGE_SOURCES = (
    *(prefix for prefix in schema.KNOWLEDGE_KINDS if prefix != "note"),
    "team",
    "answer",
)
KNOWLEDGE_SUMMARY = schema.resource(
    "KnowledgeSummary",
    {
        "id": {"type": "string", "pattern": KNOWLEDGE_ID},
        "source": schema.one_of(", ".join(KNOWLEDGE_SOURCES)),
        "preview": {"type": "string", "maxLength": 240},
    },
)
KNOWLEDGE_ITEM = schema.members(
    KNOWLEDGE_SUMMARY["properties"]
    | {
        "content": schema.STRING,
        "contentFormat": schema.one_of("markdown, plain_text"),
        "contentRange": schema.members(
            {
                "offset": schema.COUNT,
                "length": schema.COUNT,
                "total": schema.COUNT,
                "nextOffset": schema.nullable(schema.COUNT),
            }
        ),
    }
)

KINDS = tuple(schema.KNOWLEDGE_KINDS.values())
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
        answer=schema.envelope(
            schema.array(KNOWLEDGE_SUMMARY, maxItems=20), schema.NUMBERED_PAGINATION
        ),
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
        answer=schema.envelope(KNOWLEDGE_ITEM),
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
