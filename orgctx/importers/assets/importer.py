"""Convert files and folders to assets: only metadata, contents are never read.

The input is a folder, or a manifest of files that are elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

from orgctx.bundle.packed import unpacked_name
from orgctx.importers.assets.manifest import Listed, above, listed
from orgctx.importers.assets.mime_types import mime_of
from orgctx.importers.existing import Existing
from orgctx.importers.folder.walk import walk
from orgctx.importers.records import Progress, Record, Target, modified_at, no_progress
from orgctx.importers.report import ImportRefused, Report
from orgctx.schemas.formats import instant_text


def records(
    path: Path,
    *,
    organization_id: str,
    source_id: str,
    report: Report,
    existing: Existing,
    exclude: Sequence[str] = (),
    allow_empty: bool = False,
    keep_missing: bool = False,
    stale_after_seconds: int | None = None,
    progress: Progress = no_progress,
) -> Iterator[Record]:
    """The source, folders before their contents, and deletions of files that are gone.

    path: a folder, a Frictionless data package (.json) or a CSV file. Ids are derived from
    paths. exclude, allow_empty, keep_missing: as for documents. If a line is refused, its stored
    asset stays. Raises ImportRefused.
    """
    target = Target(organization_id, source_id, existing, stale_after_seconds)
    assets = _Assets(target)
    refused: set[str] = set()
    found = list(_found(path, report, exclude, refused))
    if not (found or refused or allow_empty or keep_missing) and existing.ids:
        raise ImportRefused(
            str(path),
            f"holds no file, and {len(existing.ids):,} are stored: check the path, or give "
            "--allow-empty to delete them",
        )
    newest = max((one.updated_at for one in found), default=modified_at(path))
    updated_at = newest if path.is_dir() else modified_at(path)
    label = (path.resolve().name if path.is_dir() else unpacked_name(path).stem) or "/"
    description = "Files and folders, without their contents."
    yield target.source("assets", label, description, updated_at)
    kept = {assets.id(one) for name in refused for one in (name, *above(name))}
    for data in assets.tree(found, newest):
        progress(data["bytes"])
        kept.add(data["id"])
        yield target.record("asset", data)
    if not keep_missing:
        yield from target.deletions("asset", existing.ids - kept, report)


def _found(
    path: Path, report: Report, exclude: Sequence[str], refused: set[str]
) -> Iterator[Listed]:
    """refused: collects the paths of lines that cannot be assets."""
    if path.is_file():
        yield from listed(path, report, refused)
        return
    if not path.exists():
        raise ImportRefused(str(path), "there is no such folder or file")
    for entry in walk(path, report, exclude):
        report.read += 1
        size = 0 if entry.is_folder else entry.location.stat().st_size
        yield Listed(entry.path, size, modified_at(entry.location), is_folder=entry.is_folder)


class _Assets:
    def __init__(self, target: Target) -> None:
        self._target = target

    def tree(self, found: Iterable[Listed], updated_at: datetime) -> Iterator[dict[str, Any]]:
        """Add folders that a manifest only implies, with the time `updated_at`."""
        folders = {""}
        for one in found:
            for folder in above(one.path):
                if folder not in folders:
                    folders.add(folder)
                    yield self._asset(Listed(folder, 0, updated_at, is_folder=True))
            if one.is_folder:
                if one.path in folders:
                    continue
                folders.add(one.path)
            yield self._asset(one)

    def _asset(self, one: Listed) -> dict[str, Any]:
        parent, _, name = one.path.rpartition("/")
        return {
            "id": self.id(one.path),
            "parentId": self.id(parent) if parent else None,
            "kind": "folder" if one.is_folder else "file",
            "name": name,
            "mime": None if one.is_folder else one.mime or mime_of(name),
            "bytes": one.bytes,
            "public": one.public,
            "publicUrl": one.public_url,
            "uploadedBy": None,
            "createdAt": instant_text(one.created_at or one.updated_at),
            "updatedAt": instant_text(one.updated_at),
        }

    def id(self, path: str) -> str:
        name = f"{self._target.source_id}:{path}"
        return str(uuid5(UUID(self._target.organization_id), name))
