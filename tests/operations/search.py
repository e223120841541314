"""Search."""

from tests.contract import json_schemas as schema
from tests.contract.tables import item_kinds
from tests.operations.row import Row
from tests.support import factories as make
from tests.support import organizations as orgs

ITEM_KINDS = item_kinds()
SEARCH_ITEM = schema.members(
    {
        "id": schema.STRING,
        "kind": {"enum": ITEM_KINDS},
        "title": schema.STRING,
        "preview": {"type": "string", "maxLength": 240},
        "sourceLabel": schema.STRING,
        "sourceId": schema.STRING,
        "href": schema.nullable(schema.STRING),
        "updatedAt": schema.nullable(schema.DATE_TIME),
    }
)
SEARCH_RESULT = schema.resource(
    "ContextSearchResult",
    {"items": schema.array(SEARCH_ITEM), "sources": schema.array(schema.CONTEXT_SOURCE)},
)

SOURCES = (*make.KIND_SOURCES.values(), *orgs.HIDDEN_SOURCES)

ROWS = (
    Row(
        name="search_context",
        path="/search",
        scopes=("context:read",),
        answer=schema.envelope(SEARCH_RESULT),
        asks=(
            {},
            {"q": "document", "limit": 2},
            {"source": "docs:handbook"},
            {"after": "2026-01-01T00:00:00Z", "before": "2026-12-31T00:00:00+02:00"},
        ),
        missing={"source": "docs:nothing"},
        crawl=(
            *({"q": term, "limit": 50} for term in (*orgs.TERMS, *orgs.WORDS, orgs.SHARED)),
            *({"q": orgs.WORDS[0], "source": source} for source in SOURCES),
            *({"source": source} for source in SOURCES),
            {},
            {"limit": 2},
            {"after": make.AT, "before": "2027-01-01T00:00:00Z"},
        ),
    ),
)
