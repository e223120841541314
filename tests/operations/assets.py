"""Assets."""

from tests.operations.row import Row
from tests.support import factories as make
from tests.support import organizations as orgs

NAMES = ("folder", "inner", "stray", "file", "hidden folder", "hidden file", "none")
IDS = (*map(make.uuid, NAMES), *(organization.only("only") for organization in orgs.ALL))

ROWS = (
    Row(
        name="list_assets",
        path="/assets",
        scopes=("assets:read",),
        kinds=("assets",),
        records={"assets/list_assets": "id"},
        asks=({}, {"folderId": make.uuid("Brand")}),
        missing={"folderId": make.uuid("nothing")},
        crawl=(
            *({"page": page} for page in (1, 2, 9)),
            *({"folderId": asset_id} for asset_id in IDS),
        ),
    ),
    Row(
        name="read_asset",
        path="/assets/{id}",
        scopes=("assets:read",),
        kinds=("assets",),
        records={"assets/read_asset": "id"},
        asks=({"id": make.uuid("Brand")},),
        missing={"id": make.uuid("nothing")},
        crawl=tuple({"id": asset_id} for asset_id in IDS),
    ),
)
