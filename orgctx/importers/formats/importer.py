"""Convert the texts and documents of a folder, a file or an export to documents or team notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from orgctx.importers.archive import members
from orgctx.importers.documents import importer as documents
from orgctx.importers.documents.conversions import MINUTES
from orgctx.importers.documents.files import File, on_disk
from orgctx.importers.folder.document_set import ITEM_KINDS
from orgctx.importers.folder.inputs import Import
from orgctx.importers.folder.label import label_of
from orgctx.importers.folder.walk import Entry, named, walk
from orgctx.importers.formats.table import IMPORTERS
from orgctx.importers.markdown import notion
from orgctx.importers.markdown.front_matter import FrontMatter
from orgctx.importers.markdown.publishing import Publishing
from orgctx.importers.markdown.text_file import read_front_matter
from orgctx.importers.markdown.texts import Texts
from orgctx.importers.records import Progress, Record, Target, no_progress
from orgctx.importers.report import ImportRejected, Report


def records(
    path: Path,
    *,
    target: Target,
    report: Report,
    library: str = "docs",
    only: str | None = None,
    history: Path | None = None,
    minutes: int = MINUTES,
    exclude: Sequence[str] = (),
    gitignore: bool = True,
    include_drafts: bool = False,
    allow_empty: bool = False,
    keep_missing: bool = False,
    progress: Progress = no_progress,
) -> Iterator[Record]:
    """Yield the source, texts and documents by path, and deletions of those whose file is missing.

    Documents are skipped where the folder's site generator would not publish a text. The stored
    item of a file that cannot be read is kept. Raises ImportRejected.

    Args:
        path: a folder, one file, or an export as a .zip.
        library: docs or notes.
        only: "markdown" reads texts only, "documents" documents only; what the other one stored is
            kept.
        history: root of the repository whose commits date the texts: `path` or a folder above it.
            Default: `path`, if it is a repository.
        minutes: the time limit of all conversions together.
        exclude: patterns as in .gitignore.
        gitignore: skip the files that .gitignore files match.
        include_drafts: load unpublished texts as drafts for the team.
        allow_empty: allow an empty folder to delete everything.
        keep_missing: delete nothing.
    """
    item_kind = ITEM_KINDS[library]
    missing = {"allow_empty": allow_empty, "keep_missing": keep_missing}
    if path.is_file() and (only == "markdown" or (only is None and _is_notion(path))):
        yield from notion.records(path, item_kind, target, report, **missing)
        return
    if path.is_file() and (only == "documents" or not _is_text(path.name)):
        yield from documents.records(
            path, item_kind, target, report, minutes, exclude, progress, **missing
        )
        return
    folder, entries = _entries(path, report, exclude, gitignore)
    inputs = []
    if only == "documents":
        publishing = Publishing.of(folder, entries, read_front_matter, report)
    else:
        texts = Texts(folder, entries, report, history, include_drafts, progress)
        inputs, publishing = [texts.input()], texts.publishing
    others = _others(entries, only, publishing, report)
    if only != "markdown":
        inputs.append(documents.input_of(folder, others, report, minutes, progress))
    paths = [entry.path for entry in entries]
    label = label_of(folder, paths) if path.is_dir() else path.stem
    run = Import(item_kind, target, report, label, item_kind.description, **missing)
    yield from run.records(inputs, paths)


def _entries(
    path: Path, report: Report, exclude: Sequence[str], gitignore: bool
) -> tuple[Path, list[Entry]]:
    """Return the folder and its files, or the folder of a file and this file."""
    if path.is_file():
        return path.parent, [named(path)]
    entries = walk(path, report, exclude, gitignore=gitignore)
    return path, [entry for entry in entries if not entry.is_folder]


def _is_text(name: str) -> bool:
    return IMPORTERS.get(Path(name).suffix.lower()) == "markdown"


def _is_notion(path: Path) -> bool:
    """Return whether a file is a Notion export in Markdown, or a part of one.

    An export in HTML holds databases as CSV too; the importer of documents reads it.
    """
    try:
        with ExitStack() as stack:
            files = members(path, stack, notion.EXPECTED, lambda _: False, with_parts=True)
            names = [member.name for member in files]
    except ImportRejected:
        return False
    pages = [name for name in names if notion.is_page_name(name)]
    return bool(pages) and not any(name.lower().endswith(".html") for name in names)


def _others(
    entries: Iterable[Entry], only: str | None, publishing: Publishing, report: Report
) -> list[File]:
    """Return what the importer of documents reads or reports, without what the site hides."""
    files = []
    for entry in entries:
        suffix = entry.location.suffix.lower()
        importer = IMPORTERS.get(suffix)
        if importer == "markdown" and only != "documents":
            continue
        if only == "markdown":
            report.skip(f"unsupported type: {suffix or 'no extension'}", entry.path)
        elif importer == "documents" and (reason := publishing.reason(entry, FrontMatter({}))):
            report.skip(reason, entry.path)
        else:
            files.append(on_disk(entry))
    return files
