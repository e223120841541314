"""One function per asset operation."""

from uuid import UUID

from orgctx.errors import NotFound
from orgctx.operations.exposure import Caller, by_id, ids
from orgctx.operations.operation import Reader, Result
from orgctx.resources.assets.schemas import Asset
from orgctx.schemas.payload import numbered

PAGE_SIZE = 50


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


def read_asset(caller: Caller, reader: Reader, *, id: UUID) -> Result:
    """Read the metadata of one file or folder.

    404 if the asset does not exist or belongs to no approved source.
    """
    sources = caller.exposed("assets")
    asset, rows = reader.rows("assets/read_asset", id=id, source_ids=ids(sources)).split("id")
    if not asset:
        raise NotFound
    return Result(Asset.many(rows)[0], by_id(sources, asset["source_id"]))
