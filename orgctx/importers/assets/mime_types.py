"""Guess the MIME type of a file by its name, with the same result on every machine."""

from __future__ import annotations

import mimetypes

import filetype  # type: ignore[import-untyped]

# Formats that filetype and some versions of Python lack: the registered names of IANA, else the
# names that the vendors use.
TYPES = {
    **dict.fromkeys(("md", "markdown", "mdown", "mkdown", "mkdn", "mkd", "mdx"), "text/markdown"),
    **dict.fromkeys(("yaml", "yml"), "application/yaml"),
    **dict.fromkeys(("js", "mjs", "cjs", "jsx"), "text/javascript"),
    **dict.fromkeys(("ts", "tsx", "mts", "cts"), "text/x-typescript"),
    **dict.fromkeys(("txt", "text", "log", "ini", "cfg", "conf", "env", "lock"), "text/plain"),
    **dict.fromkeys(("c", "h"), "text/x-c"),
    **dict.fromkeys(("cc", "cpp", "hpp", "cxx"), "text/x-c++"),
    **dict.fromkeys(("jsonl", "ndjson"), "application/jsonl"),
    **dict.fromkeys(("sh", "bash", "zsh"), "application/x-sh"),
    **dict.fromkeys(("adoc", "asciidoc"), "text/asciidoc"),
    **dict.fromkeys(("htm", "html"), "text/html"),
    **dict.fromkeys(("jpg", "jpeg"), "image/jpeg"),
    "7z": "application/x-7z-compressed", "avif": "image/avif", "bz2": "application/x-bzip2",
    "css": "text/css", "csv": "text/csv", "dart": "text/x-dart",
    "drawio": "application/vnd.jgraph.mxfile",
    "dwg": "image/vnd.dwg", "eml": "message/rfc822", "feather": "application/vnd.apache.arrow.file",
    "fig": "application/x-figma", "geojson": "application/geo+json", "glb": "model/gltf-binary",
    "gltf": "model/gltf+json", "go": "text/x-go", "gz": "application/gzip", "heic": "image/heic",
    "heif": "image/heif", "ics": "text/calendar", "ipynb": "application/x-ipynb+json",
    "java": "text/x-java", "json": "application/json", "key": "application/vnd.apple.keynote",
    "kt": "text/x-kotlin", "lua": "text/x-lua", "numbers": "application/vnd.apple.numbers",
    "odp": "application/vnd.oasis.opendocument.presentation",
    "ods": "application/vnd.oasis.opendocument.spreadsheet",
    "odt": "application/vnd.oasis.opendocument.text", "org": "text/org",
    "pages": "application/vnd.apple.pages", "parquet": "application/vnd.apache.parquet",
    "php": "application/x-httpd-php", "proto": "text/x-protobuf", "py": "text/x-python",
    "rb": "text/x-ruby", "rs": "text/x-rust", "rst": "text/x-rst", "rtf": "application/rtf",
    "scss": "text/x-scss", "sketch": "application/x-sketch", "sql": "application/sql",
    "sqlite": "application/vnd.sqlite3", "stl": "model/stl", "svelte": "text/x-svelte",
    "svg": "image/svg+xml", "swift": "text/x-swift", "tex": "application/x-tex",
    "toml": "application/toml", "tsv": "text/tab-separated-values", "usdz": "model/vnd.usdz+zip",
    "vcf": "text/vcard", "vtt": "text/vtt", "vue": "text/x-vue", "wasm": "application/wasm",
    "webmanifest": "application/manifest+json", "webp": "image/webp", "xml": "application/xml",
    "zst": "application/zstd",
}  # fmt: skip

# Python's table without the system's files.
_standard_types = mimetypes.MimeTypes(filenames=())


def mime_of(name: str) -> str | None:
    """Return the MIME type of a file of that name, or None if it is unknown."""
    stem, _, suffix = name.rpartition(".")
    if not stem or not suffix:
        return None
    suffix = suffix.lower()
    if suffix in TYPES:
        return TYPES[suffix]
    type_ = filetype.get_type(ext=suffix)
    return type_.mime if type_ else _standard_types.types_map[True].get(f".{suffix}")
