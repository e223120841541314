"""Convert the texts and documents of a folder, a file or an export to documents or team notes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

from orgctx.importers.folder.documents import ITEM_KINDS, DocumentSet
from orgctx.importers.folder.exports import archived, is_notion, notion_pages, without_attachments
from orgctx.importers.folder.files import File, named, walk
from orgctx.importers.folder.history import History, read_history
from orgctx.importers.folder.reading import MINUTES, Reading, Task
from orgctx.importers.folder.titles import label_of
from orgctx.importers.formats import DOCUMENTS, TEXTS
from orgctx.importers.lockdown import lacking
from orgctx.importers.markdown.front_matter import FrontMatter, read_front_matter
from orgctx.importers.markdown.publishing import Publishing
from orgctx.importers.markdown.texts import Texts
from orgctx.importers.records import Progress, Record, Target, modified_at, no_progress
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
        history: root of the repository whose commits date the files: `path` or a folder above it.
            Default: `path`, if it is a repository.
        minutes: the time limit of all conversions together.
        exclude: patterns as in .gitignore.
        gitignore: skip the files that .gitignore files match.
        include_drafts: load unpublished texts as drafts for the team.
        allow_empty: allow an empty folder to delete everything.
        keep_missing: delete nothing.
    """
    read = partial(Reading, report=report, progress=progress, minutes=minutes)
    kind = ITEM_KINDS[library]
    label, description, committed = path.stem, kind.description, History()
    with ExitStack() as stack:
        if path.is_file() and (only == "markdown" or (only is None and is_notion(path))):
            export = archived(path, stack, report, exclude, is_notion=True)
            tasks = [Task(*page) for page in notion_pages(export, report)]
            readings = [read("markdown", tasks, _newest(tasks, path))]
            paths, description = set[str](), "A Notion export."
        elif path.is_file() and (only == "documents" or path.suffix.lower() not in TEXTS):
            is_archive = path.suffix.lower() == ".zip"
            files = list(archived(path, stack, report, exclude)) if is_archive else [named(path)]
            readings = [_documents(files, path, report, read)]
            paths = {file.path for file in files}
        else:
            files = [named(path)]
            if not path.is_file():
                walked = walk(path, report, exclude, gitignore=gitignore)
                files = [file for file in walked if not file.is_folder]
                committed = read_history(path, [file.path for file in files], report, history)
                dated = (replace(file, committed=committed.dates.get(file.path)) for file in files)
                files = list(dated) if committed.dates else files
            paths = {file.path for file in files}
            folder = path.parent if path.is_file() else path
            texts = None
            if only != "documents":
                texts = Texts(folder, files, report, include_drafts)
            readings = list(_in_folder(folder, files, texts, only, report, read))
            label = label_of(path, paths) if path.is_dir() else label
        # The time of a folder is no evidence of its files.
        filled = [reading for reading in readings if reading.paths]
        collected_at = max(reading.collected_at for reading in filled or readings)
        if is_dated := committed.committed_at is not None:
            collected_at = committed.committed_at or collected_at
            for reading in readings:
                reading.collected_at = collected_at
        source = target.source(kind.kind, label, description, collected_at, is_exact=is_dated)
        label = source["data"]["label"]
        make = partial(DocumentSet, kind, target, label, report, paths, keep_missing)
        sets = [make(each.importer, each.collected_at, each.paths) for each in readings]
        stored_ids = set[str]().union(*(documents.own_ids for documents in sets))
        if stored_ids and not (filled or allow_empty or keep_missing):
            raise ImportRejected(
                label,
                f"contains no document, but {len(stored_ids):,} are stored. Check the path, or "
                "pass --allow-empty to delete them",
            )
        yield source
        for reading, documents in zip(readings, sets, strict=True):
            yield from reading.records(documents)
        for documents in sets:
            yield from documents.deletions()


def _in_folder(
    folder: Path,
    files: Sequence[File],
    texts: Texts | None,
    only: str | None,
    report: Report,
    read: Callable[..., Reading],
) -> Iterator[Reading]:
    """Yield the reading of texts, then that of documents that the site does not hide."""
    if texts:
        tasks = [Task(file, TEXTS[file.suffix]) for file in texts.files]
        yield read("markdown", tasks, _newest(tasks, folder), folder=texts)
        publishing = texts.publishing
    else:
        publishing = Publishing.of(folder, files, read_front_matter, report)
    others = list(_others(files, only, publishing, report))
    if only != "markdown":
        yield _documents(others, folder, report, read)


def _documents(
    files: Iterable[File], path: Path, report: Report, read: Callable[..., Reading]
) -> Reading:
    """Return the reading of the files that are converted in sandboxes.

    path: the folder or export that contains them.
    """
    files = without_attachments(files, report)
    tasks = [Task(file, DOCUMENTS.get(file.suffix)) for file in files]
    if tasks and (means := lacking()):
        report.note(
            f"native code of converters is not bound: the system lacks {' and '.join(means)}"
        )
    return read("documents", tasks, _newest(tasks, path))


def _newest(tasks: Iterable[Task], path: Path) -> datetime:
    """Return the time of the newest file that is read, or of the folder or export itself."""
    times = [task.file.written_at for task in tasks if task.format]
    return max(times, default=modified_at(path))


def _others(
    files: Iterable[File], only: str | None, publishing: Publishing, report: Report
) -> Iterator[File]:
    """Yield the files that are no texts, or not read as texts, but for what the site hides."""
    for file in files:
        suffix = file.suffix
        if suffix in TEXTS and only != "documents":
            continue
        if only == "markdown":
            report.skip(f"unsupported type: {suffix or 'no extension'}", file.path)
        elif suffix in DOCUMENTS and (reason := publishing.reason(file, FrontMatter({}))):
            report.skip(reason, file.path)
        else:
            yield file
