"""The operations of assets."""

from dataclasses import replace

from orgctx.operations.lookups import places_of_assets
from orgctx.operations.operation import (
    DOCUMENT,
    MESSAGE,
    Identifier,
    Operation,
    Resource,
    Result,
    Tool,
    ToolCall,
    Use,
)
from orgctx.resources.assets import schemas, service
from orgctx.schemas.fields import MAX_NAME, Text
from orgctx.schemas.payload import AssetPagination


class AssetTool(schemas.Asset):
    """A folder or a file, with where it is."""

    path = Text(doc="The names of its folders, joined by /.")
    source_id = Text(150)
    source_label = Text(MAX_NAME)


def with_paths(result: Result, call: ToolCall) -> Result:
    """Add path and source to each asset of a list, or to a single one."""
    listed = result.data if isinstance(result.data, list) else [result.data]
    assets = {str(asset["id"]): asset for asset in listed}
    places = places_of_assets(call.reader, [*assets])
    # An asset may have been deleted or moved to another source since it was read.
    placed = [asset | places[id_] for id_, asset in assets.items() if id_ in places]
    if isinstance(result.data, list):
        return replace(result, data=placed)
    return replace(result, data=placed[0]) if placed else result


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
