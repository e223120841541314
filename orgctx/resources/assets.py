"""Asset metadata: folders and files, never their contents."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from orgctx.errors import NotFound
from orgctx.operations.exposure import Caller, by_id, ids
from orgctx.operations.lookups import places_of_assets
from orgctx.operations.operation import (
    DOCUMENT,
    MESSAGE,
    Identifier,
    Reader,
    Resource,
    Result,
    Use,
)
from orgctx.schemas import arguments
from orgctx.schemas.arguments import Arguments
from orgctx.schemas.fields import MAX_NAME, Boolean, Enum, Integer, Nested, Text
from orgctx.schemas.formats import DateTime, Url, Uuid
from orgctx.schemas.payload import AssetPagination, Payload, numbered

RESOURCE = Resource(tag="assets", about="Metadata of files and folders.")
PAGE_SIZE = 50


class ListAssets(Arguments):
    folder_id = Uuid(default=None, doc="The id of a folder; omit it for the root.")
    page = arguments.page()


class ReadAsset(Arguments):
    id = Uuid(path="id", doc="An id from the list.")


class Uploader(Payload):
    """Who uploaded a file."""

    id = Uuid()
    display_name = Text(MAX_NAME, nullable=True)


class Asset(Payload):
    """A folder or a file, without its contents."""

    id = Uuid()
    parent_id = Uuid(nullable=True, doc="The folder that contains it; null in the root.")
    kind = Enum("folder", "file")
    name = Text(MAX_NAME)
    mime = Text(MAX_NAME, nullable=True)
    bytes = Integer(0, 2**63 - 1)
    public = Boolean()
    public_url = Url(nullable=True, doc="Set only for files that were made public.")
    uploaded_by = Nested(Uploader, nullable=True)
    created_at = DateTime()
    updated_at = DateTime()


class AssetTool(Asset):
    """A folder or a file, with where it is."""

    path = Text(doc="The names of its folders, joined by /.")
    source_id = Text(150)
    source_label = Text(MAX_NAME)


def with_paths(result: Result, reader: Reader, _: Any) -> Result:
    """Add path and source to each asset of a list, or to a single one."""
    listed = result.data if isinstance(result.data, list) else [result.data]
    assets = {str(asset["id"]): asset for asset in listed}
    places = places_of_assets(reader, [*assets])
    # An asset may have been deleted or moved to another source since it was read.
    placed = [asset | places[id_] for id_, asset in assets.items() if id_ in places]
    if isinstance(result.data, list):
        return replace(result, data=placed)
    return replace(result, data=placed[0]) if placed else result


@RESOURCE.operation(
    path="/assets",
    title="List assets",
    scopes=("assets:read",),
    kinds=("assets",),
    arguments=ListAssets,
    payload=Asset,
    is_list=True,
    pagination=AssetPagination,
    is_findable=True,
    use=Use("Which files do we have?", {}),
    shape=with_paths,
    tool_payload=AssetTool,
    identifier=Identifier("folderId", "list_assets without folderId returns the ids of folders."),
)
def list_assets(caller: Caller, reader: Reader, *, folder_id: UUID | None, page: int) -> Result:
    """List the files and folders of one folder, or of the root without folderId. Returns
    metadata, never the contents of files.

    50 per page: folders first, then by name (case-insensitive), then by id.
    404 if the folder does not exist, is a file, or belongs to no approved
    source.
    """
    sources = caller.exposed("assets")
    totals, rows = reader.page(
        "assets/list_assets",
        page=page,
        size=PAGE_SIZE,
        folder_id=folder_id,
        source_ids=ids(sources),
    )
    if folder_id is not None:
        if totals["folder_source_id"] is None:
            raise NotFound("There is no such folder, or this key may not read it.")
        sources = by_id(sources, totals["folder_source_id"])
    folder = {"folder_id": folder_id, "folder_name": totals["folder_name"]}
    pagination = numbered(page, PAGE_SIZE, totals["total"]) | folder
    return Result(Asset.many(rows), sources, pagination)


@RESOURCE.operation(
    path="/assets/{id}",
    title="Read an asset",
    scopes=("assets:read",),
    kinds=("assets",),
    arguments=ReadAsset,
    payload=Asset,
    is_findable=True,
    use=Use("How large is this file?", {"id": "123e4567-e89b-12d3-a456-426614174000"}),
    shape=with_paths,
    tool_payload=AssetTool,
    identifier=Identifier(
        "id", "list_assets returns ids. So does search_context.", (DOCUMENT, MESSAGE)
    ),
)
def read_asset(caller: Caller, reader: Reader, *, id: UUID) -> Result:
    """Read the metadata of one file or folder.

    404 if the asset does not exist or belongs to no approved source.
    """
    sources = caller.exposed("assets")
    asset, rows = reader.rows("assets/read_asset", id=id, source_ids=ids(sources)).split("id")
    if not asset:
        raise NotFound
    return Result(Asset.many(rows)[0], by_id(sources, asset["source_id"]))
