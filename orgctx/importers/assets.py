"""Convert files and folders to assets: only metadata, contents are never read.

The input is a folder, or a list in CSV of files that are stored elsewhere, with the columns path
and bytes, and optionally mime, public, publicUrl, createdAt and updatedAt.
"""

import csv
import mimetypes
import re
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from io import StringIO
from pathlib import Path
from stat import S_ISLNK, S_ISREG

import filetype  # type: ignore[import-untyped]

from orgctx.bundle import packed
from orgctx.bundle.loader import MAX_FOLDER_DEPTH
from orgctx.importers.existing import OLDER
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
from orgctx.importers.sandbox import TookTooLong, time_limit
from orgctx.schemas.fields import MAX_NAME
from orgctx.schemas.formats import instant_text, parsed_instant

MAX_MANIFEST_BYTES = 64 * 1024 * 1024
# A list of few megabytes could name millions of folders, and the loader rejects deeper ones.
MAX_DEPTH = MAX_FOLDER_DEPTH + 1
MAX_BYTES = 2**63 - 1
ADDRESS = re.compile(r"https?://\S+")
COLUMNS = ("path", "bytes", "mime", "public", "publicUrl", "createdAt", "updatedAt")
# Formats that filetype and some versions of Python lack: the registered names of IANA, else the
# names that the vendors use.
TYPES = {
    **dict.fromkeys(("md", "markdown", "mdown", "mkdown", "mkdn", "mkd", "mdx"), "text/markdown"),
    **dict.fromkeys(("yaml", "yml"), "application/yaml"),
    **dict.fromkeys(("js", "mjs", "cjs", "jsx"), "text/javascript"),
    **dict.fromkeys(("ts", "tsx", "mts", "cts"), "text/x-typescript"),
    **dict.fromkeys(("text", "log", "ini", "cfg", "conf", "env", "lock"), "text/plain"),
    **dict.fromkeys(("c", "h"), "text/x-c"),
    **dict.fromkeys(("cc", "cpp", "hpp", "cxx"), "text/x-c++"),
    **dict.fromkeys(("jsonl", "ndjson"), "application/jsonl"),
    **dict.fromkeys(("sh", "bash", "zsh"), "application/x-sh"),
    **dict.fromkeys(("adoc", "asciidoc"), "text/asciidoc"),
    "dart": "text/x-dart", "drawio": "application/vnd.jgraph.mxfile", "fig": "application/x-figma",
    "feather": "application/vnd.apache.arrow.file", "geojson": "application/geo+json",
    "glb": "model/gltf-binary", "gltf": "model/gltf+json", "go": "text/x-go",
    "ics": "text/calendar", "ipynb": "application/x-ipynb+json", "java": "text/x-java",
    "key": "application/vnd.apple.keynote", "kt": "text/x-kotlin", "lua": "text/x-lua",
    "numbers": "application/vnd.apple.numbers", "org": "text/org",
    "pages": "application/vnd.apple.pages", "parquet": "application/vnd.apache.parquet",
    "php": "application/x-httpd-php", "proto": "text/x-protobuf", "py": "text/x-python",
    "rb": "text/x-ruby", "rs": "text/x-rust", "rst": "text/x-rst", "scss": "text/x-scss",
    "sketch": "application/x-sketch", "sql": "application/sql",
    "sqlite": "application/vnd.sqlite3", "stl": "model/stl", "svelte": "text/x-svelte",
    "swift": "text/x-swift", "tex": "application/x-tex", "toml": "application/toml",
    "usdz": "model/vnd.usdz+zip", "vcf": "text/vcard", "vue": "text/x-vue",
    "webmanifest": "application/manifest+json", "xml": "application/xml",
}  # fmt: skip
# Python's table without the system's files.
STANDARD_TYPES = mimetypes.MimeTypes(filenames=()).types_map[True]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asset:
    """A file or folder that becomes an asset."""

    path: str  # from the root, with `/`
    updated_at: datetime
    bytes: int = 0
    created_at: datetime | None = None
    mime: str | None = None
    public: bool = False
    public_url: str | None = None
    is_folder: bool = False


class InvalidEntry(Exception):
    """An entry that cannot become an asset."""


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

    Ids are derived from paths. The stored asset of an invalid line is kept. Options are those of
    `folder.importer`. Raises ImportRejected.
    """

    if not path.exists():
        raise ImportRejected(str(path), "no such folder or file")
    refused_paths: set[str] = set()
    committed = History()
    if path.is_file():
        try:
            with time_limit():
                assets = list(_listed(path, report, refused_paths))
        except TookTooLong as error:
            raise ImportRejected(path.name, str(error)) from None
    else:
        entries = deque(walk(path, report, exclude, gitignore=gitignore))
        committed = read_history(path, [entry.path for entry in entries], report, history)
        assets = list(_walked(entries, committed, report, refused_paths))
    if not (assets or refused_paths or allow_empty or keep_missing) and target.existing.ids:
        raise ImportRejected(
            str(path),
            f"contains no file, but {len(target.existing.ids):,} are stored. Check the path, or "
            "pass --allow-empty to delete them",
        )
    updated_at, label = modified_at(path), packed.unpacked_name(path).stem
    if path.is_dir():
        files = (asset.updated_at for asset in assets if not asset.is_folder)
        updated_at = max(files, default=updated_at)
        label = label_of(path, [asset.path for asset in assets])
    description = "Files and folders, without their contents."
    updated_at = committed.committed_at or updated_at
    is_dated = committed.committed_at is not None
    yield target.source("assets", label, description, updated_at, is_exact=is_dated)
    refused_names = (name for path in refused_paths for name in (path, *_folders(path)))
    kept = {target.path_id(name) for name in refused_names}
    held: set[str] = set()
    for asset in _with_folders(assets):
        progress(asset.bytes)
        folder, _, name = asset.path.rpartition("/")
        id_, parent_id = target.path_id(asset.path), target.path_id(folder) if folder else None
        kept.add(id_)
        # A file stays deleted, or the folder that contains it.
        if target.holds("asset", id_, updated_at, is_state=True) or parent_id in held:
            held.add(id_)
            report.skip(OLDER, name)
            continue
        data = {
            "id": id_,
            "parentId": parent_id,
            "kind": "folder" if asset.is_folder else "file",
            "name": name,
            "mime": None if asset.is_folder else asset.mime or mime_of(name),
            "bytes": asset.bytes,
            "public": asset.public,
            "publicUrl": asset.public_url,
            "uploadedBy": None,
            "createdAt": instant_text(not_later(asset.created_at or asset.updated_at)),
            "updatedAt": instant_text(not_later(asset.updated_at)),
        }
        yield target.record("asset", data)
    if not keep_missing:
        yield from target.deletions("asset", target.existing.ids - kept, updated_at, report)


def mime_of(name: str) -> str | None:
    """Return the MIME type of a file by its name, the same on every machine; None if unknown."""
    stem, _, suffix = name.rpartition(".")
    if not stem or not suffix:
        return None
    suffix = suffix.lower()
    if suffix in TYPES:
        return TYPES[suffix]
    type_ = filetype.get_type(ext=suffix)
    return type_.mime if type_ else STANDARD_TYPES.get(f".{suffix}")


def _folders(path: str) -> list[str]:
    """Return the folders above a path: `a` and `a/b` for `a/b/c`."""
    return [path[:end] for end, character in enumerate(path) if character == "/"]


def _with_folders(assets: Collection[Asset]) -> Iterator[Asset]:
    """Yield the assets, and before them the folders that are not listed.

    A folder is as old as the newest file in it, at any depth.
    """
    times: dict[str, datetime] = {}
    for asset in (asset for asset in assets if not asset.is_folder):
        for folder in _folders(asset.path):
            times[folder] = max(times.get(folder, asset.updated_at), asset.updated_at)
    seen = set()
    for asset in assets:
        for folder in _folders(asset.path):
            if folder not in seen:
                seen.add(folder)
                yield Asset(path=folder, updated_at=times[folder], is_folder=True)
        if asset.path not in seen:
            yield replace(asset, updated_at=times.get(asset.path, asset.updated_at))
        if asset.is_folder:
            seen.add(asset.path)


def _walked(
    entries: deque[File], history: History, report: Report, refused_paths: set[str]
) -> Iterator[Asset]:
    """Yield the files and folders below a folder. refused_paths collects the unreadable ones.

    Takes the entries, which need more memory than the assets.
    """
    while entries:
        entry = entries.popleft()
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
        yield Asset(
            path=entry.path,
            updated_at=history.dates.get(entry.path, (None, written_at(status)))[1],
            created_at=history.dates.get(entry.path, (None,))[0],
            bytes=0 if entry.is_folder else status.st_size,
            is_folder=entry.is_folder,
        )


def _listed(path: Path, report: Report, refused_paths: set[str]) -> Iterator[Asset]:
    """Yield the files of a CSV list; collect the paths of invalid lines. Raises ImportRejected."""
    if packed.unpacked_name(path).suffix.lower() != ".csv":
        raise ImportRejected(path.name, "must be a folder or a .csv file")
    written = modified_at(path)
    files: set[str] = set()
    folders: set[str] = set()
    for number, entry in _rows(path):
        report.read += 1
        name = entry.get("path", "")
        try:
            asset = _asset(entry, path.parent, written)
            name, parents = asset.path, set(_folders(asset.path))
            if name in files or name in folders or parents & files:
                raise InvalidEntry(f"path {name} is listed twice, or as a file and as a folder")
        except InvalidEntry as error:
            report.refuse(f"{path.name}: line {number}", str(error))
            if name.count("/") <= MAX_DEPTH:
                refused_paths.add(name.removeprefix("./"))
            continue
        files.add(asset.path)
        folders |= parents
        yield asset


def _rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the number of each line, and its values that are not empty."""
    with packed.opened(path) as file:
        content = file.read(MAX_MANIFEST_BYTES + 1)
    if len(content) > MAX_MANIFEST_BYTES:
        raise ImportRejected(path.name, f"exceeds {MAX_MANIFEST_BYTES >> 20} MiB")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ImportRejected(f"{path.name}: byte {error.start}", "is not UTF-8") from None
    rows = csv.DictReader(StringIO(text, newline=""), strict=True)
    try:
        if "path" not in (rows.fieldnames or ()):
            columns = ", ".join(COLUMNS)
            raise ImportRejected(path.name, f"needs a column path; columns are {columns}")
        for row in rows:
            # Values beyond the columns are a list.
            yield rows.line_num, {k: v for k, v in row.items() if v and isinstance(v, str)}
    except csv.Error as error:
        raise ImportRejected(f"{path.name}: line {rows.line_num}", str(error)) from None


def _asset(entry: dict[str, str], folder: Path, written: datetime) -> Asset:
    """Parse a line of a list in a folder. Raises InvalidEntry."""
    path, url = _path(entry.get("path", "")), entry.get("publicUrl")
    public = entry.get("public") == "true"
    if nul := next((name for name in COLUMNS if "\0" in entry.get(name, "")), None):
        raise InvalidEntry(f"{nul} must not contain NUL")
    if url is not None and not (public and len(url) <= 2000 and ADDRESS.fullmatch(url)):
        raise InvalidEntry("publicUrl must be an http or https URL, and needs public to be true")
    return Asset(
        path=path,
        bytes=_bytes(entry.get("bytes"), folder, path),
        updated_at=_instant(entry, "updatedAt") or written,
        created_at=_instant(entry, "createdAt"),
        mime=entry.get("mime"),
        public=public,
        public_url=url,
    )


def _path(value: str) -> str:
    parts = value.removeprefix("./").split("/")
    if "\\" in value or "://" in value or any(part in ("", ".", "..") for part in parts):
        raise InvalidEntry("path must be relative, with / between names, without . and ..")
    if len(parts) > MAX_DEPTH or max(map(len, parts)) > MAX_NAME:
        limit = f"{MAX_DEPTH} names of up to {MAX_NAME} characters"
        raise InvalidEntry(f"path must have at most {limit}")
    return "/".join(parts)


def _bytes(value: str | None, folder: Path, path: str) -> int:
    """Return the listed size, else that of the file beside the list."""
    if value is None:
        with suppress(OSError):
            status = File(folder, path).status()
            value = str(status.st_size) if S_ISREG(status.st_mode) else None
    if not (value and value.isascii() and value.isdigit() and len(value) < 20):
        value = str(MAX_BYTES + 1)
    if (size := int(value)) > MAX_BYTES:
        raise InvalidEntry("bytes must be a non-negative integer")
    return size


def _instant(entry: dict[str, str], name: str) -> datetime | None:
    time = parsed_instant(entry.get(name))
    if name in entry and not time:
        raise InvalidEntry(f"{name} must be a time such as 2026-01-31T08:00:00Z")
    return time
