"""Assets."""

from tests.contract.json_schemas import (
    BOOLEAN,
    COUNT,
    DATE_TIME,
    NUMBERED,
    STRING,
    UUID,
    array,
    envelope,
    members,
    nullable,
    one_of,
)
from tests.operations.row import Row
from tests.support import factories as make
from tests.support import organizations as orgs

ASSET_PAGINATION = members(NUMBERED | {"folderId": nullable(UUID), "folderName": nullable(STRING)})
ASSET = members(
    {
        "id": UUID,
        "parentId": nullable(UUID),
        "kind": one_of("folder, file"),
        "name": STRING,
        "mime": nullable(STRING),
        "bytes": COUNT,
        "public": BOOLEAN,
        "publicUrl": nullable(STRING),
        "uploadedBy": nullable(members({"id": UUID, "displayName": nullable(STRING)})),
        "createdAt": DATE_TIME,
        "updatedAt": DATE_TIME,
    }
)

NAMES = ("folder", "inner", "stray", "file", "hidden folder", "hidden file", "none")
IDS = (*map(make.uuid, NAMES), *(organization.only("only") for organization in orgs.ALL))

ROWS = (
    Row(
        name="list_assets",
        path="/assets",
        scopes=("assets:read",),
        kinds=("assets",),
        answer=envelope(array(ASSET, maxItems=50), ASSET_PAGINATION),
        resources={"Asset": ASSET},
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
        answer=envelope(ASSET),
        records={"assets/read_asset": "id"},
        asks=({"id": make.uuid("Brand")},),
        missing={"id": make.uuid("nothing")},
        crawl=tuple({"id": asset_id} for asset_id in IDS),
    ),
)
