"""The operations of assets."""

from orgctx.operations.operation import (
    DOCUMENT,
    MESSAGE,
    Identifier,
    Operation,
    Resource,
    Tool,
    Use,
)
from orgctx.resources.assets import schemas, service
from orgctx.resources.assets.tool import AssetTool, with_paths
from orgctx.schemas.payload import AssetPagination

RESOURCE = Resource(
    place=6,
    tag="assets",
    about="Metadata of files and folders.",
    operations=(
        Operation(
            path="/assets",
            title="List assets",
            scopes=("assets:read",),
            kinds=("assets",),
            arguments=schemas.ListAssets,
            payload=schemas.Asset,
            is_list=True,
            pagination=AssetPagination,
            is_findable=True,
            service=service.list_assets,
            use=Use("Which files do we have?", {}),
            tool=Tool(shape=with_paths, payload=AssetTool),
            identifier=Identifier(
                "folderId", "list_assets without folderId returns the ids of folders."
            ),
        ),
        Operation(
            path="/assets/{id}",
            title="Read an asset",
            scopes=("assets:read",),
            kinds=("assets",),
            arguments=schemas.ReadAsset,
            payload=schemas.Asset,
            is_findable=True,
            service=service.read_asset,
            use=Use("How large is this file?", {"id": "123e4567-e89b-12d3-a456-426614174000"}),
            tool=Tool(shape=with_paths, payload=AssetTool),
            identifier=Identifier(
                "id", "list_assets and search_context return ids.", (DOCUMENT, MESSAGE)
            ),
        ),
    ),
)
