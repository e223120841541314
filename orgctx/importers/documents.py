"""Convert files of word processors, browsers and e-book readers to documents in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

from orgctx.importers.confined import Unfinished, run
from orgctx.importers.existing import Existing
from orgctx.importers.folder import Entry, walk
from orgctx.importers.headings import first_heading
from orgctx.importers.library import FORMS, Document, Library
from orgctx.importers.records import Progress, Record, Target, modified_at, no_progress
from orgctx.importers.report import ImportRefused, Report

CONVERSION = "orgctx.importers.conversion:convert"
PATIENCE_SECONDS = 60
MEMORY = 1024 * 1024 * 1024
SUPPORTED = (".html", ".htm", ".xhtml", ".docx", ".pdf", ".pptx", ".epub")
# Documents in formats that cannot be converted.
OTHERS = {
    **dict.fromkeys((".doc", ".rtf", ".odt", ".pages"), "save it as .docx"),
    **dict.fromkeys((".ppt", ".odp", ".key"), "save it as .pptx"),
    **dict.fromkeys((".xls", ".xlsx", ".ods", ".numbers"), "save it as .html or .pdf"),
    ".mobi": "save it as .epub",
}


def records(
    path: Path,
    *,
    organization_id: str,
    source_id: str,
    report: Report,
    existing: Existing,
    library: str = "docs",
    exclude: Sequence[str] = (),
    allow_empty: bool = False,
    keep_missing: bool = False,
    stale_after_seconds: int | None = None,
    progress: Progress = no_progress,
) -> Iterator[Record]:
    """The source, the documents by path, and deletions of stored ones whose file is gone.

    path: a folder, or one file. Other arguments are as for Markdown. Raises ImportRefused.
    """
    if find_spec("mammoth") is None:
        raise ImportRefused(path.name, "needs more: run `pip install 'orgctx[documents]'`")
    form = FORMS[library]
    target = Target(organization_id, source_id, existing, stale_after_seconds)
    found = list(_entries(path, report, exclude))
    entries = [entry for entry in found if _suffix(entry) in SUPPORTED]
    collected_at = max((modified_at(e.location) for e in entries), default=modified_at(path))
    name = path.resolve().name if path.is_dir() else path.stem
    source = target.source(form.kind, name or "/", form.description, collected_at)
    shelf = Library(form, target, source["data"]["label"], report, keep_missing)
    shelf.begin((entry.path for entry in entries), allow_empty=allow_empty)
    yield source
    for entry in found:
        progress(entry.location.stat().st_size)
        if not _is_converted(entry, report):
            continue
        report.read += 1
        try:
            document = _document(entry)
        except Unfinished as error:
            report.refuse(entry.path, f"cannot be converted: {error}")
            shelf.keep(entry.path)
            continue
        yield from shelf.add(document)
    yield from shelf.deletions()


def _entries(path: Path, report: Report, exclude: Sequence[str]) -> Iterator[Entry]:
    if path.is_file():
        yield Entry(path, path.name, is_folder=False)
        return
    # A Confluence export puts attachments beside its pages.
    ignored = ["/attachments/"] if (path / "index.html").is_file() else []
    for entry in walk(path, report, [*ignored, *exclude]):
        if not entry.is_folder:
            yield entry


def _suffix(entry: Entry) -> str:
    return entry.location.suffix.lower()


def _is_converted(entry: Entry, report: Report) -> bool:
    """Whether to convert a file; others are reported."""
    suffix = _suffix(entry)
    if suffix in SUPPORTED:
        return True
    if suffix in OTHERS:
        report.refuse(entry.path, f"cannot be converted: {OTHERS[suffix]}")
    else:
        report.skip(f"unsupported type: {suffix or 'no ending'}", entry.path)
    return False


def _document(entry: Entry) -> Document:
    request = {"path": str(entry.location.resolve()), "suffix": _suffix(entry)}
    made = run(CONVERSION, request, seconds=PATIENCE_SECONDS, memory=MEMORY)
    written_at = modified_at(entry.location)
    updated_at = _at(made["updated"]) or _at(made["created"]) or written_at
    created_at = _at(made["created"]) or min(written_at, updated_at)
    content = made["content"]
    title = " ".join(made["title"].replace("\0", "").split()) or first_heading(content)
    return Document(
        path=entry.path,
        title=title or entry.location.stem,
        content=content,
        content_format="markdown",
        created_at=created_at,
        updated_at=max(created_at, updated_at),
    )


def _at(seconds: float | None) -> datetime | None:
    try:
        return datetime.fromtimestamp(int(seconds), UTC) if seconds is not None else None
    except (ValueError, OverflowError, OSError):
        return None
