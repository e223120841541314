"""Convert files and folders to assets: only metadata, contents are never read.

The input is a folder, or a manifest of files that are elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime
from pathlib import Path
from stat import S_ISLNK
from typing import Any
from uuid import UUID, uuid5

from orgctx.bundle.packed import unpacked_name
from orgctx.importers.assets.manifest import AssetEntry, parent_folders, read_manifest
from orgctx.importers.assets.mime_types import mime_of
from orgctx.importers.deletions import OLDER
from orgctx.importers.folder.label import label_of
from orgctx.importers.folder.walk import walk
from orgctx.importers.records import (
    Progress,
    Record,
    Target,
    modified_at,
    no_progress,
    written_at,
)
from orgctx.importers.report import ImportRejected, Report
from orgctx.importers.time_limit import TookTooLong, time_limit
from orgctx.schemas.formats import instant_text


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

    Ids are derived from paths. The stored asset of an invalid line is kept. Raises ImportRejected.

    Args:
        path: a folder, a Frictionless data package (.json) or a CSV file.
        exclude: patterns of paths to skip, as in .gitignore.
        gitignore: skip the files that .gitignore files match.
        allow_empty: delete all stored assets if the input is empty.
        keep_missing: delete no stored asset.
    """
    assets = _Assets(target)
    refused_paths: set[str] = set()
    entries = list(_entries(path, report, exclude, gitignore, refused_paths))
    if not (entries or refused_paths or allow_empty or keep_missing) and target.existing.ids:
        raise ImportRejected(
            str(path),
            f"contains no file, but {len(target.existing.ids):,} are stored. Check the path, or "
            "pass --allow-empty to delete them",
        )
    newest = max((entry.updated_at for entry in entries), default=modified_at(path))
    updated_at = newest if path.is_dir() else modified_at(path)
    label = unpacked_name(path).stem
    if path.is_dir():
        label = label_of(path, [entry.path for entry in entries])
    description = "Files and folders, without their contents."
    yield target.source("assets", label, description, updated_at)
    kept = {assets.id(name) for path_ in refused_paths for name in (path_, *parent_folders(path_))}
    held: set[str] = set()
    for data in assets.tree(entries):
        progress(data["bytes"])
        kept.add(data["id"])
        if _is_held(data, held, target, updated_at):
            held.add(data["id"])
            report.skip(OLDER, data["name"])
            continue
        yield target.record("asset", data)
    if not keep_missing:
        missing = target.existing.ids - kept
        yield from target.deletions("asset", missing, updated_at, report)


def _is_held(
    data: dict[str, Any], held: AbstractSet[str], target: Target, collected_at: datetime
) -> bool:
    """Return whether a file stays deleted, or the folder that contains it."""
    is_held = target.holds("asset", data["id"], collected_at, is_state=True)
    return is_held or data["parentId"] in held


def _entries(
    path: Path, report: Report, exclude: Sequence[str], gitignore: bool, refused_paths: set[str]
) -> Iterator[AssetEntry]:
    """Yield the files and folders. refused_paths collects the paths of invalid lines."""
    if path.is_file():
        yield from _listed(path, report, refused_paths)
        return
    if not path.exists():
        raise ImportRejected(str(path), "no such folder or file")
    for entry in walk(path, report, exclude, gitignore=gitignore):
        report.read += 1
        try:
            status = entry.status()
        except OSError as error:
            report.refuse(entry.path, f"cannot be read: {error.strerror}")
            refused_paths.add(entry.path)
            continue
        if S_ISLNK(status.st_mode):
            report.skip("symbolic link", entry.path)
            continue
        size = 0 if entry.is_folder else status.st_size
        yield AssetEntry(entry.path, size, written_at(status), is_folder=entry.is_folder)


def _listed(path: Path, report: Report, refused_paths: set[str]) -> list[AssetEntry]:
    try:
        with time_limit():
            return list(read_manifest(path, report, refused_paths))
    except TookTooLong as error:
        raise ImportRejected(path.name, str(error)) from None


def _folder_times(entries: Iterable[AssetEntry]) -> dict[str, datetime]:
    """Return the time of the newest file in each folder, at any depth."""
    times: dict[str, datetime] = {}
    for entry in entries:
        for folder in parent_folders(entry.path):
            times[folder] = max(times.get(folder, entry.updated_at), entry.updated_at)
    return times


class _Assets:
    def __init__(self, target: Target) -> None:
        self._target = target

    def tree(self, entries: Collection[AssetEntry]) -> Iterator[dict[str, Any]]:
        """Yield the assets, and the folders that are not entries."""
        times = _folder_times(entries)
        folders = {""}
        for entry in entries:
            for folder in parent_folders(entry.path):
                if folder not in folders:
                    folders.add(folder)
                    yield self._asset(AssetEntry(folder, 0, times[folder], is_folder=True))
            if entry.is_folder:
                if entry.path in folders:
                    continue
                folders.add(entry.path)
            yield self._asset(entry)

    def _asset(self, entry: AssetEntry) -> dict[str, Any]:
        parent, _, name = entry.path.rpartition("/")
        return {
            "id": self.id(entry.path),
            "parentId": self.id(parent) if parent else None,
            "kind": "folder" if entry.is_folder else "file",
            "name": name,
            "mime": None if entry.is_folder else entry.mime or mime_of(name),
            "bytes": entry.bytes,
            "public": entry.public,
            "publicUrl": entry.public_url,
            "uploadedBy": None,
            "createdAt": instant_text(entry.created_at or entry.updated_at),
            "updatedAt": instant_text(entry.updated_at),
        }

    def id(self, path: str) -> str:
        name = f"{self._target.source_id}:{path}"
        return str(uuid5(UUID(self._target.organization_id), name))
