"""Convert the files of a folder to assets: only metadata, contents are never read."""

import mimetypes
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from orgctx.importers.folder.files import File, walk
from orgctx.importers.folder.history import read_history
from orgctx.importers.folder.titles import label_of
from orgctx.importers.records import Record, Target, modified_at, not_later
from orgctx.importers.report import Report
from orgctx.schemas.formats import instant_text

# Python's table without the system's files, and what it lacks.
_TABLES = mimetypes.MimeTypes(filenames=()).types_map
_OFFICE = "application/vnd.openxmlformats-officedocument."
TYPES = {
    **_TABLES[False],
    **_TABLES[True],
    ".md": "text/markdown",
    ".yaml": "application/yaml",
    ".docx": f"{_OFFICE}wordprocessingml.document",
    ".pptx": f"{_OFFICE}presentationml.presentation",
    ".xlsx": f"{_OFFICE}spreadsheetml.sheet",
}

# When a file or folder was created and changed.
Times = tuple[datetime, datetime]


def records(
    path: Path,
    *,
    target: Target,
    report: Report,
    exclude: Sequence[str] = (),
    keep_missing: bool = False,
) -> Iterator[Record]:
    """Yield the source, folders before their contents, and deletions of missing files.

    Ids are derived from paths. Options are those of `folder.importer`. Raises ImportRejected.
    """
    committed = read_history(path, report)
    entries = [*walk(path, report, exclude)]
    report.read = len(entries)
    times = {each.path: committed.of(each.path) or (each.written_at,) * 2 for each in entries}
    files = [entry for entry in entries if not entry.is_folder]
    newest = max((times[file.path][1] for file in files), default=None)
    yield target.source(
        "assets",
        label_of(path),
        "Files and folders, without their contents.",
        committed.committed_at or newest or modified_at(path),
        is_exact=committed.committed_at is not None,
    )
    times |= _folder_times(files, times)
    for entry in entries:
        created_at, updated_at = map(not_later, times[entry.path])
        data = {
            "id": target.path_id(entry.path),
            "parentId": target.path_id(entry.parent) if entry.parent else None,
            "kind": "folder" if entry.is_folder else "file",
            "name": entry.name,
            "mime": None if entry.is_folder else TYPES.get(entry.suffix),
            "bytes": 0 if entry.is_folder else entry.status.st_size,
            "public": False,
            "publicUrl": None,
            "uploadedBy": None,
            "createdAt": instant_text(created_at),
            "updatedAt": instant_text(updated_at),
        }
        yield target.record("asset", data)
    if not keep_missing:
        kept = set(map(target.path_id, times))
        yield from target.deletions("asset", kept, report, is_empty=not kept)


def _folder_times(files: Iterable[File], times: Mapping[str, Times]) -> dict[str, Times]:
    """Return the times of the folders that contain files: a folder is as old as its newest file."""
    newest: dict[str, datetime] = {}
    for file in files:
        updated_at, folder = times[file.path][1], file.path
        while folder := folder.rpartition("/")[0]:
            newest[folder] = max(newest.get(folder, updated_at), updated_at)
    return {folder: (time, time) for folder, time in newest.items()}
