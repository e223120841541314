"""Convert every supported text and document of a folder, as the narrower importers do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from orgctx.importers.archive import members
from orgctx.importers.documents import importer as documents
from orgctx.importers.documents.conversions import MINUTES
from orgctx.importers.documents.files import File, on_disk
from orgctx.importers.folder.document_set import ITEM_KINDS
from orgctx.importers.folder.inputs import Import
from orgctx.importers.folder.label import label_of
from orgctx.importers.folder.walk import Entry, named, walk
from orgctx.importers.formats.table import IMPORTERS
from orgctx.importers.markdown import importer as markdown
from orgctx.importers.markdown import notion
from orgctx.importers.markdown.front_matter import FrontMatter
from orgctx.importers.markdown.publishing import Publishing
from orgctx.importers.markdown.text_file import read_front_matter
from orgctx.importers.records import Progress, Record, Target, no_progress
from orgctx.importers.report import ImportRejected, Report


def records(
    path: Path,
    *,
    target: Target,
    report: Report,
    library: str = "docs",
    history: Path | None = None,
    minutes: int = MINUTES,
    texts: bool = True,
    exclude: Sequence[str] = (),
    gitignore: bool = True,
    include_drafts: bool = False,
    allow_empty: bool = False,
    keep_missing: bool = False,
    progress: Progress = no_progress,
) -> Iterator[Record]:
    """Yield the source, texts and documents by path, and deletions of those whose file is missing.

    Documents are skipped where the folder's site generator would not publish a text. Ids are those
    of the Markdown and document importers, whose arguments these are. Raises ImportRejected.

    Args:
        path: a folder, one file, or an export as a .zip.
        texts: False reads documents only, and keeps the texts that are stored.
    """
    missing = {"allow_empty": allow_empty, "keep_missing": keep_missing}
    common: dict[str, Any] = {
        "target": target,
        "report": report,
        "library": library,
        "exclude": exclude,
        "gitignore": gitignore,
        "progress": progress,
        **missing,
    }
    if path.is_file() and texts and _is_notion(path):
        yield from markdown.records(path, **common)
        return
    if path.is_file() and not (texts and _is_text(path.name)):
        yield from documents.records(path, minutes=minutes, **common)
        return
    folder, entries = _entries(path, report, exclude, gitignore)
    inputs = []
    if texts:
        reader = markdown.Texts(folder, entries, report, history, include_drafts, progress)
        inputs, publishing = [reader.input()], reader.publishing
    else:
        publishing = Publishing.of(folder, entries, read_front_matter, report)
    others = _published(entries, publishing, report, texts=not texts)
    inputs.append(documents.input_of(folder, others, report, minutes, progress))
    item_kind = ITEM_KINDS[library]
    paths = [entry.path for entry in entries]
    label = label_of(folder, paths) if path.is_dir() else path.stem
    run = Import(item_kind, target, report, label, item_kind.description, allow_empty, keep_missing)
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
    """Return whether a file is a Notion export in Markdown, also in parts.

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


def _published(
    entries: Iterable[Entry], publishing: Publishing, report: Report, *, texts: bool
) -> Iterator[File]:
    """Yield the files that are no texts, except those that the site would not publish.

    texts: whether to yield texts too, because nothing else reads or reports them.
    """
    for entry in entries:
        importer = IMPORTERS.get(entry.location.suffix.lower())
        if importer == "markdown" and not texts:
            continue
        if importer == "documents" and (reason := publishing.reason(entry, FrontMatter({}))):
            report.skip(reason, entry.path)
            continue
        yield on_disk(entry)
