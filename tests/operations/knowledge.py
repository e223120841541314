"""The knowledge library."""

from tests.contract.tables import kinds
from tests.operations.row import Row
from tests.support import factories as make
from tests.support import organizations as orgs

KINDS = tuple(kind.name for kind in kinds() if kind.prefix)
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
