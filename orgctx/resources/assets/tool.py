"""The tool that lists assets, with the path and the source of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from orgctx.operations.exposure import Caller, ids
from orgctx.operations.operation import Reader, Result
from orgctx.resources.assets.schemas import Asset
from orgctx.schemas.excerpt import ELLIPSIS
from orgctx.schemas.fields import MAX_NAME, Text


class ListAssetsTool(Asset):
    """A folder or a file, with where it is."""

    path = Text(doc="The names of its folders, joined by /.")
    source_id = Text(150)
    source_label = Text(MAX_NAME)


def with_paths(
    caller: Caller, reader: Reader, result: Result, arguments: Mapping[str, Any]
) -> Result:
    """Add path and source to each asset.

    A path starts with `…` below a folder that the key may not read.
    """
    if not result.data:
        return result
    sources = caller.exposed("assets")
    labels = {source.id: source.label for source in sources}
    folder_id: UUID | None = arguments["folder_id"]
    statements: list[tuple[str, dict[str, Any]]] = [
        ("assets/list_sources_of_assets", {"asset_ids": [asset["id"] for asset in result.data]}),
        *([("assets/list_ancestors", {"folder_id": folder_id})] if folder_id else []),
    ]
    parts = reader.rows_of_all(statements, source_ids=ids(sources))
    source_ids = {row["id"]: row["source_id"] for row in parts[0].dicts()}
    folders = parts[1].dicts() if folder_id else []
    names = [ELLIPSIS] * bool(folders and folders[-1]["parent_id"])
    names += [folder["name"] for folder in reversed(folders)]
    data = [
        asset
        | {
            "path": "/".join(names),
            "sourceId": source_ids[asset["id"]],
            "sourceLabel": labels[source_ids[asset["id"]]],
        }
        for asset in result.data
        # An asset that was deleted or moved to another source since the list was read.
        if asset["id"] in source_ids
    ]
    return replace(result, data=data)
