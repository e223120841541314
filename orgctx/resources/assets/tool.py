"""The tools of assets, with the path and the source of each."""

from dataclasses import replace

from orgctx.operations.lookups import places_of_assets
from orgctx.operations.operation import Result, ToolCall
from orgctx.resources.assets.schemas import Asset
from orgctx.schemas.fields import MAX_NAME, Text


class AssetTool(Asset):
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
