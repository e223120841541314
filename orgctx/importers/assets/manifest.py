"""Read lists of files that are elsewhere: a Frictionless data package, or CSV.

CSV has the columns path and bytes, and may have mime, public, publicUrl, createdAt and
updatedAt. Resources of a data package have the same members, with its own names.
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
from orgctx.importers.records import modified_at
from orgctx.importers.report import ImportRefused, Report
from orgctx.schemas.formats import INSTANT

LONGEST = 64 * 1024 * 1024
LONGEST_NAME = 512
MOST_DEPTH = 1_000
MOST_BYTES = 2**63 - 1
ADDRESS = re.compile(r"https?://\S+")
COLUMNS = ("path", "bytes", "mime", "public", "publicUrl", "createdAt", "updatedAt")


@dataclass(frozen=True, slots=True)
class Listed:
    """A file or folder; path: from the root, with `/`."""

    path: str
    bytes: int
    updated_at: datetime
    created_at: datetime | None = None
    mime: str | None = None
    public: bool = False
    public_url: str | None = None
    is_folder: bool = False


class Unfit(Exception):
    """An entry that cannot be an asset."""


def listed(path: Path, report: Report, refused: set[str]) -> Iterator[Listed]:
    """The files of a manifest. refused: collects the paths of unusable entries. Raises
    ImportRefused if it is no manifest."""
    suffix = packed.unpacked_name(path).suffix.lower()
    if suffix == ".json":
        entries = _resources(path)
    elif suffix == ".csv":
        entries = _rows(path)
    else:
        raise ImportRefused(path.name, "must be a folder, a datapackage.json or a .csv file")
    written_at = modified_at(path)
    seen: set[str] = set()
    folders: set[str] = set()
    for place, entry in entries:
        report.read += 1
        try:
            one = _listed(entry, path.parent, written_at)
        except Unfit as error:
            report.refuse(f"{path.name}: {place}", str(error))
            if isinstance(name := entry.get("path"), str):
                refused.add(name.removeprefix("./"))
            continue
        lies_in = set(above(one.path))
        if one.path in seen or one.path in folders or lies_in & seen:
            reason = f"path {one.path} is in it twice, or as a file and as a folder"
            report.refuse(f"{path.name}: {place}", reason)
            refused.add(one.path)
            continue
        seen.add(one.path)
        folders |= lies_in
        yield one


def above(path: str) -> Iterator[str]:
    """The folders of a path: `a` and `a/b` for `a/b/c`."""
    position = path.find("/")
    while position >= 0:
        yield path[:position]
        position = path.find("/", position + 1)


def _resources(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    try:
        package = orjson.loads(_content(path))
    except orjson.JSONDecodeError as error:
        place = f"{path.name}: line {error.lineno} column {error.colno}"
        raise ImportRefused(place, f"is not JSON: {error.msg}") from None
    resources = package.get("resources") if isinstance(package, dict) else None
    if not isinstance(resources, list):
        raise ImportRefused(path.name, "is no data package: it has no array of resources")
    for number, resource in enumerate(resources):
        members = resource if isinstance(resource, dict) else {}
        paths = members.get("path")
        for one in paths if isinstance(paths, list) else [paths]:
            entry = {**members, "path": one, "mime": members.get("mediatype")}
            yield f"resources[{number}]", entry


def _rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    try:
        text = _content(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ImportRefused(f"{path.name}: byte {error.start}", "is not UTF-8") from None
    rows = csv.DictReader(StringIO(text, newline=""), strict=True)
    try:
        if "path" not in (rows.fieldnames or ()):
            raise ImportRefused(path.name, f"its columns must be of {', '.join(COLUMNS)}")
        for row in rows:
            yield f"line {rows.line_num}", {name: value or None for name, value in row.items()}
    except csv.Error as error:
        raise ImportRefused(f"{path.name}: line {rows.line_num}", str(error)) from None


def _content(path: Path) -> bytes:
    with packed.opened(path) as file:
        content = file.read(LONGEST + 1)
    if len(content) > LONGEST:
        raise ImportRefused(path.name, f"is longer than {LONGEST >> 20} MiB")
    return content


def _listed(entry: dict[str, Any], folder: Path, written_at: datetime) -> Listed:
    path = _path(entry.get("path"))
    public = entry.get("public") in (True, "true")
    url = _text(entry, "publicUrl")
    if url is not None and not (public and len(url) <= 2000 and ADDRESS.fullmatch(url)):
        raise Unfit("publicUrl must be an http address, and public must be true with it")
    return Listed(
        path=path,
        bytes=_bytes(entry.get("bytes"), folder / path),
        updated_at=_instant(entry, "updatedAt") or written_at,
        created_at=_instant(entry, "createdAt"),
        mime=_text(entry, "mime"),
        public=public,
        public_url=url,
    )


def _path(value: Any) -> str:
    if not isinstance(value, str) or "\0" in value or "\\" in value or "://" in value:
        raise Unfit("path must be a relative path with /")
    parts = value.removeprefix("./").split("/")
    if not value or any(part in ("", ".", "..") for part in parts):
        raise Unfit("path must be a relative path with /, without . and ..")
    if len(parts) > MOST_DEPTH or max(map(len, parts)) > LONGEST_NAME:
        raise Unfit(f"path must have at most {MOST_DEPTH} names of up to {LONGEST_NAME} characters")
    return "/".join(parts)


def _bytes(value: Any, beside: Path) -> int:
    """The size as listed, else that of the file beside the manifest."""
    if value is None:
        value = _size(beside)
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 20:
        value = int(value)
    if type(value) is not int or not 0 <= value <= MOST_BYTES:
        raise Unfit("bytes must be an integer from 0")
    return value


def _size(beside: Path) -> int | None:
    try:
        found = beside.lstat()
    except OSError:
        return None
    return found.st_size if S_ISREG(found.st_mode) else None


def _text(entry: dict[str, Any], name: str) -> str | None:
    value = entry.get(name)
    if value is not None and (not isinstance(value, str) or "\0" in value):
        raise Unfit(f"{name} must be a string")
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
        raise Unfit(f"{name} must be a time such as 2026-01-31T08:00:00Z") from None
