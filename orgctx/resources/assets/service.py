"""One function per asset operation."""

from __future__ import annotations

from uuid import UUID

from orgctx.errors import NotFound
from orgctx.operations.exposure import Caller, by_id, ids
from orgctx.operations.operation import Reader, Result
from orgctx.resources.assets.schemas import Asset
from orgctx.schemas.envelope import numbered

PAGE_SIZE = 50


def list_assets(caller: Caller, reader: Reader, *, folder_id: UUID | None, page: int) -> Result:
    """List the files and folders of one folder, or of the root when folderId is omitted.
    Metadata only: contents are never read.

    50 a page: folders first, then by name ignoring case, then id. 404 for a
    folder that does not exist, is a file, or is of no approved source.
    """
    sources = caller.exposed("assets")
    of_list, rows = reader.page(
        "assets/list_assets",
        page=page,
        size=PAGE_SIZE,
        folder_id=folder_id,
        source_ids=ids(sources),
    )
    if folder_id is not None:
        if of_list["folder_source_id"] is None:
            raise NotFound("There is no such folder, or this key may not read it.")
        sources = by_id(sources, of_list["folder_source_id"])
    folder = {"folder_id": folder_id, "folder_name": of_list["folder_name"]}
    pagination = numbered(page, PAGE_SIZE, of_list["total"]) | folder
    return Result(Asset.many(rows), sources, pagination)


def read_asset(caller: Caller, reader: Reader, *, id: UUID) -> Result:
    """Read the metadata of one file or folder.

    404 for an asset that does not exist or is of no approved source.
    """
    sources = caller.exposed("assets")
    found, rows = reader.rows("assets/read_asset", id=id, source_ids=ids(sources)).split("id")
    if not found:
        raise NotFound
    return Result(Asset.many(rows)[0], by_id(sources, found["source_id"]))
