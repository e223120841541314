"""Convert the files of a folder to assets: only metadata, contents are never read."""

import mimetypes
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from stat import S_ISLNK

from orgctx.importers.folder.files import File, walk
from orgctx.importers.folder.history import History, read_history
from orgctx.importers.folder.titles import label_of
from orgctx.importers.records import (
    Progress,
    Record,
    Target,
    modified_at,
    no_progress,
    not_later,
    written_at,
)
from orgctx.importers.report import ImportRejected, Report
from orgctx.schemas.formats import instant_text

# Python's table without the system's files, and what it lacks.
_TABLES = mimetypes.MimeTypes(filenames=()).types_map
_OFFICE = "application/vnd.openxmlformats-officedocument."
TYPES = (
    _TABLES[False]
    | _TABLES[True]
    | {
        ".md": "text/markdown",
        ".yaml": "application/yaml",
        ".docx": f"{_OFFICE}wordprocessingml.document",
        ".pptx": f"{_OFFICE}presentationml.presentation",
        ".xlsx": f"{_OFFICE}spreadsheetml.sheet",
    }
)


@dataclass(slots=True)
class Asset:
    """A file or folder that becomes an asset. A folder is as old as the newest file in it."""

    path: str  # from the root, with `/`
    created_at: datetime
    updated_at: datetime
    bytes: int = 0
    is_folder: bool = False


def records(
    path: Path,
    *,
    target: Target,
    report: Report,
    exclude: Sequence[str] = (),
    gitignore: bool = True,
    allow_empty: bool = False,
    keep_missing: bool = False,
    progress: Progress = no_progress,
) -> Iterator[Record]:
    """Yield the source, folders before their contents, and deletions of missing files.

    Ids are derived from paths. Options are those of `folder.importer`. Raises ImportRejected.
    """
    unread: set[str] = set()
    committed = read_history(path, report)
    assets = _assets(walk(path, report, exclude, gitignore=gitignore), committed, report, unread)
    if not (assets or unread or allow_empty or keep_missing) and target.existing.ids:
        raise ImportRejected(
            str(path),
            f"contains no file; its source holds {len(target.existing.ids):,}. Check the path, or "
            "pass --allow-empty to delete them",
        )
    newest = max((each.updated_at for each in assets if not each.is_folder), default=None)
    yield target.source(
        "assets",
        label_of(path),
        "Files and folders, without their contents.",
        committed.committed_at or newest or modified_at(path),
        is_exact=committed.committed_at is not None,
    )
    kept = {target.path_id(each) for each in unread}
    for asset in assets:
        progress(asset.bytes)
        folder, _, name = asset.path.rpartition("/")
        id_ = target.path_id(asset.path)
        kept.add(id_)
        data = {
            "id": id_,
            "parentId": target.path_id(folder) if folder else None,
            "kind": "folder" if asset.is_folder else "file",
            "name": name,
            "mime": None if asset.is_folder else TYPES.get(PurePosixPath(name).suffix.lower()),
            "bytes": asset.bytes,
            "public": False,
            "publicUrl": None,
            "uploadedBy": None,
            "createdAt": instant_text(not_later(asset.created_at)),
            "updatedAt": instant_text(not_later(asset.updated_at)),
        }
        yield target.record("asset", data)
    if not keep_missing:
        yield from target.deletions("asset", target.existing.ids - kept, report)


def _assets(
    entries: Iterable[File], history: History, report: Report, unread: set[str]
) -> list[Asset]:
    """Return the files and folders below a folder. unread: collects the unreadable ones."""
    assets: dict[str, Asset] = {}
    for entry in entries:
        report.read += 1
        try:
            status = entry.status()
        except OSError as error:
            report.refuse(entry.path, f"cannot be read: {error.strerror}")
            unread.add(entry.path)
            continue
        if S_ISLNK(status.st_mode):
            report.skip("symbolic link", entry.path)
            continue
        created_at, updated_at = history.of(entry.path) or (written_at(status),) * 2
        size = 0 if entry.is_folder else status.st_size
        assets[entry.path] = Asset(entry.path, created_at, updated_at, size, entry.is_folder)
    times: dict[str, datetime] = {}
    for asset in assets.values():
        folder = "" if asset.is_folder else asset.path
        while folder := folder.rpartition("/")[0]:
            times[folder] = max(times.get(folder, asset.updated_at), asset.updated_at)
    for path, time in times.items():
        if folder_asset := assets.get(path):
            folder_asset.created_at = folder_asset.updated_at = time
    return list(assets.values())
