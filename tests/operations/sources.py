"""The sources."""

from tests.contract.json_schemas import CONTEXT_SOURCE, array, envelope
from tests.operations.row import Row

ROWS = (
    Row(
        name="list_sources",
        path="/sources",
        scopes=("context:read",),
        answer=envelope(array(CONTEXT_SOURCE)),
        resources={"ContextSource": CONTEXT_SOURCE},
        crawl=({},),
    ),
)
