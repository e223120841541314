"""The operations of assets."""

from orgctx.operation import Operation
from orgctx.resources.assets import schemas, service
from orgctx.shapes.envelope import AssetPagination

OPERATIONS = (
    Operation(
        path="/assets",
        title="List assets",
        tag="assets",
        scopes=("assets:read",),
        kinds=("assets",),
        arguments=schemas.ListAssets,
        payload=schemas.Asset,
        is_list=True,
        pagination=AssetPagination,
        is_findable=True,
        service=service.list_assets,
    ),
    Operation(
        path="/assets/{id}",
        title="Read an asset",
        tag="assets",
        scopes=("assets:read",),
        kinds=("assets",),
        arguments=schemas.ReadAsset,
        payload=schemas.Asset,
        is_findable=True,
        service=service.read_asset,
    ),
)
