"""Convert the files of a folder to assets: only metadata, contents are never read."""

import mimetypes
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
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

# The registered names of IANA that some versions of Python lack.
TYPES = {
    "md": "text/markdown", "markdown": "text/markdown", "mdx": "text/markdown",
    "yaml": "application/yaml", "yml": "application/yaml", "toml": "application/toml",
    "js": "text/javascript", "mjs": "text/javascript", "ts": "text/x-typescript",
    "jsonl": "application/jsonl", "webp": "image/webp", "heic": "image/heic", "avif": "image/avif",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "woff": "font/woff", "woff2": "font/woff2", "parquet": "application/vnd.apache.parquet",
}  # fmt: skip
# Python's table without the system's files.
STANDARD_TYPES = mimetypes.MimeTypes(filenames=()).types_map[True]


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
    history: Path | None = None,
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
    entries = deque(walk(path, report, exclude, gitignore=gitignore))
    committed = read_history(path, report, history)
    assets = _assets(entries, committed, report, unread)
    if not (assets or unread or allow_empty or keep_missing) and target.existing.ids:
        raise ImportRejected(
            str(path),
            f"contains no file, but {len(target.existing.ids):,} are stored. Check the path, or "
            "pass --allow-empty to delete them",
        )
    newest = max((each.updated_at for each in assets if not each.is_folder), default=None)
    label = label_of(path)
    time, is_dated = committed.committed_at or newest, committed.committed_at is not None
    yield target.source(
        "assets",
        label,
        "Files and folders, without their contents.",
        time or modified_at(path),
        is_exact=is_dated,
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
            "mime": None if asset.is_folder else mime_of(name),
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


def mime_of(name: str) -> str | None:
    """Return the MIME type of a file by its name, the same on every machine; None if unknown."""
    stem, _, suffix = name.rpartition(".")
    if not stem or not suffix:
        return None
    return TYPES.get(suffix.lower()) or STANDARD_TYPES.get(f".{suffix.lower()}")


def _assets(
    entries: deque[File], history: History, report: Report, unread: set[str]
) -> list[Asset]:
    """Return the files and folders below a folder. unread: collects the unreadable ones.

    Takes the entries, which need more memory than the assets.
    """
    assets: dict[str, Asset] = {}
    while entries:
        entry = entries.popleft()
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
