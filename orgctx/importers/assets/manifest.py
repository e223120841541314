"""Read manifests of files that are stored elsewhere: a Frictionless data package or CSV.

CSV has the columns path and bytes, and optionally mime, public, publicUrl, createdAt and
updatedAt. Resources of a data package have the same members; `mediatype` is the MIME type.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from stat import S_ISREG
from typing import Any

import orjson

from orgctx.bundle import packed
from orgctx.importers.folder import beneath
from orgctx.importers.records import modified_at
from orgctx.importers.report import ImportRejected, Report
from orgctx.schemas.formats import INSTANT

MAX_MANIFEST_BYTES = 64 * 1024 * 1024
LONGEST_NAME = 512
MAX_DEPTH = 1_000
MAX_BYTES = 2**63 - 1
ADDRESS = re.compile(r"https?://\S+")
COLUMNS = ("path", "bytes", "mime", "public", "publicUrl", "createdAt", "updatedAt")


@dataclass(frozen=True, slots=True)
class AssetEntry:
    """A file or folder that becomes an asset."""

    path: str  # from the root, with `/`
    bytes: int
    updated_at: datetime
    created_at: datetime | None = None
    mime: str | None = None
    public: bool = False
    public_url: str | None = None
    is_folder: bool = False


class InvalidEntry(Exception):
    """An entry that cannot become an asset."""


def read_manifest(path: Path, report: Report, refused_paths: set[str]) -> Iterator[AssetEntry]:
    """Yield the files of a manifest. Raises ImportRejected if the file is not a manifest.

    refused_paths: collects the paths of invalid entries.
    """
    suffix = packed.unpacked_name(path).suffix.lower()
    if suffix == ".json":
        entries = _resources(path)
    elif suffix == ".csv":
        entries = _rows(path)
    else:
        raise ImportRejected(path.name, "must be a folder, a datapackage.json or a .csv file")
    written_at = modified_at(path)
    files: set[str] = set()
    folders: set[str] = set()
    for place, entry in entries:
        report.read += 1
        try:
            asset_entry = _parse(entry, path.parent, written_at)
        except InvalidEntry as error:
            report.refuse(f"{path.name}: {place}", str(error))
            if isinstance(name := entry.get("path"), str):
                refused_paths.add(name.removeprefix("./"))
            continue
        parents = set(parent_folders(asset_entry.path))
        if asset_entry.path in files or asset_entry.path in folders or parents & files:
            reason = f"path {asset_entry.path} is listed twice, or as a file and as a folder"
            report.refuse(f"{path.name}: {place}", reason)
            refused_paths.add(asset_entry.path)
            continue
        files.add(asset_entry.path)
        folders |= parents
        yield asset_entry


def parent_folders(path: str) -> Iterator[str]:
    """Yield the folders above a path: `a` and `a/b` for `a/b/c`."""
    position = path.find("/")
    while position >= 0:
        yield path[:position]
        position = path.find("/", position + 1)


def _resources(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    try:
        package = orjson.loads(_content(path))
    except orjson.JSONDecodeError as error:
        place = f"{path.name}: line {error.lineno} column {error.colno}"
        raise ImportRejected(place, f"is not JSON: {error.msg}") from None
    resources = package.get("resources") if isinstance(package, dict) else None
    if not isinstance(resources, list):
        raise ImportRejected(path.name, "is not a data package: it has no array `resources`")
    for number, resource in enumerate(resources):
        members = resource if isinstance(resource, dict) else {}
        paths = members.get("path")
        for name in paths if isinstance(paths, list) else [paths]:
            entry = {**members, "path": name, "mime": members.get("mediatype")}
            yield f"resources[{number}]", entry


def _rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    try:
        text = _content(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ImportRejected(f"{path.name}: byte {error.start}", "is not UTF-8") from None
    rows = csv.DictReader(StringIO(text, newline=""), strict=True)
    try:
        if "path" not in (rows.fieldnames or ()):
            raise ImportRejected(
                path.name, f"needs a column path; columns are {', '.join(COLUMNS)}"
            )
        for row in rows:
            yield f"line {rows.line_num}", {name: value or None for name, value in row.items()}
    except csv.Error as error:
        raise ImportRejected(f"{path.name}: line {rows.line_num}", str(error)) from None


def _content(path: Path) -> bytes:
    with packed.opened(path) as file:
        content = file.read(MAX_MANIFEST_BYTES + 1)
    if len(content) > MAX_MANIFEST_BYTES:
        raise ImportRejected(path.name, f"exceeds {MAX_MANIFEST_BYTES >> 20} MiB")
    return content


def _parse(entry: dict[str, Any], folder: Path, written_at: datetime) -> AssetEntry:
    path = _path(entry.get("path"))
    public = entry.get("public") in (True, "true")
    url = _text(entry, "publicUrl")
    if url is not None and not (public and len(url) <= 2000 and ADDRESS.fullmatch(url)):
        raise InvalidEntry("publicUrl must be an http or https URL, and needs public to be true")
    return AssetEntry(
        path=path,
        bytes=_bytes(entry.get("bytes"), folder, path),
        updated_at=_instant(entry, "updatedAt") or written_at,
        created_at=_instant(entry, "createdAt"),
        mime=_text(entry, "mime"),
        public=public,
        public_url=url,
    )


def _path(value: Any) -> str:
    if not isinstance(value, str) or "\0" in value or "\\" in value or "://" in value:
        raise InvalidEntry("path must be relative, with / between names")
    parts = value.removeprefix("./").split("/")
    if not value or any(part in ("", ".", "..") for part in parts):
        raise InvalidEntry("path must be relative, with / between names, without . and ..")
    if len(parts) > MAX_DEPTH or max(map(len, parts)) > LONGEST_NAME:
        raise InvalidEntry(
            f"path must have at most {MAX_DEPTH} names of up to {LONGEST_NAME} characters"
        )
    return "/".join(parts)


def _bytes(value: Any, folder: Path, path: str) -> int:
    """Return the listed size, else that of the file beside the manifest."""
    if value is None:
        value = _size(folder, path)
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 20:
        value = int(value)
    if type(value) is not int or not 0 <= value <= MAX_BYTES:
        raise InvalidEntry("bytes must be a non-negative integer")
    return value


def _size(folder: Path, path: str) -> int | None:
    try:
        status = beneath.status(folder, path)
    except OSError:
        return None
    return status.st_size if S_ISREG(status.st_mode) else None


def _text(entry: dict[str, Any], name: str) -> str | None:
    value = entry.get(name)
    if value is not None and (not isinstance(value, str) or "\0" in value):
        raise InvalidEntry(f"{name} must be a string")
    return value or None


def _instant(entry: dict[str, Any], name: str) -> datetime | None:
    value = _text(entry, name)
    if value is None:
        return None
    try:
        if not INSTANT.fullmatch(value):
            raise ValueError
        return datetime.fromisoformat(value.upper()).astimezone(UTC)
    except (ValueError, OverflowError):
        raise InvalidEntry(f"{name} must be a time such as 2026-01-31T08:00:00Z") from None
