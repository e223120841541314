"""Search."""

from tests.operations.row import Row
from tests.support import factories as make
from tests.support import organizations as orgs

SOURCES = (*make.KIND_SOURCES.values(), *orgs.HIDDEN_SOURCES)

ROWS = (
    Row(
        name="search_context",
        path="/search",
        scopes=("context:read",),
        asks=(
            {},
            {"q": "document", "limit": 2},
            {"source": "docs:handbook"},
            {"after": "2026-01-01T00:00:00Z", "before": "2026-12-31T00:00:00+02:00"},
        ),
        missing={"source": "docs:nothing"},
        crawl=(
            *(
                {"q": term, "limit": 50}
                for term in (*orgs.TERMS, *orgs.WORDS, orgs.SHARED, orgs.TOGETHER)
            ),
            *({"q": orgs.WORDS[0], "source": source} for source in SOURCES),
            *({"source": source} for source in SOURCES),
            {},
            {"limit": 2},
            {"after": make.AT, "before": "2027-01-01T00:00:00Z"},
        ),
    ),
)
