"""Convert the texts and documents of a folder, a file or an export to documents or team notes."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

from orgctx.importers.archive import DAMAGED, members
from orgctx.importers.folder.documents import ITEM_KINDS, DocumentSet
from orgctx.importers.folder.files import BUNDLED, File, named, opened, walk
from orgctx.importers.folder.history import History, read_history
from orgctx.importers.folder.ignore import Patterns, parse
from orgctx.importers.folder.reading import MINUTES, Reading, Task
from orgctx.importers.folder.titles import label_of
from orgctx.importers.formats import DOCUMENTS, NOTION, TEXTS, UNREAD
from orgctx.importers.lockdown import lacking
from orgctx.importers.markdown.front_matter import FrontMatter, read_front_matter
from orgctx.importers.markdown.publishing import Publishing
from orgctx.importers.markdown.texts import Texts
from orgctx.importers.records import Progress, Record, Target, modified_at, no_progress
from orgctx.importers.report import ImportRejected, Report

EXPECTED = "a folder, a document, or an export as a .zip"
EXPECTED_NOTION = "a folder, or a Notion export as a .zip"
UNCLEAR = (
    "holds pages of Notion and other documents at its top; for a Notion export in Markdown, "
    "use `orgctx import markdown`, else `orgctx import documents`"
)
# The name of a page that Notion exported as Markdown. A database has a file with all rows too.
PAGE = re.compile(r"(?P<title>.*?)[ _]?(?P<id>[0-9a-f]{32})(?P<all>_all)?\Z")
INDEX = "index.html"
# Occurs near the start of the page that lists a Confluence space, and in no other page.
SPACE = re.compile(rb"""id=["']main-content["']\s+class=["']pageSection["']""")
FIRST_BYTES = 64 * 1024
ATTACHMENTS = re.compile(r"(?:^|(?<=/))attachments/")


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
        only: "markdown" reads texts only, "documents" documents only; what the other one stored is
            kept. The catalog describes the other options.
    """
    read = partial(Reading, report=report, progress=progress, minutes=minutes)
    kind = ITEM_KINDS[library]
    label, description, committed = path.stem, kind.description, History()
    with ExitStack() as stack:
        if path.is_file() and (only == "markdown" or (only is None and is_notion(path))):
            export = archived(path, stack, report, exclude, is_notion=True)
            tasks = notion_pages(export, report)
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
        # The time of a folder says nothing about its files.
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
    """Return the reading of the files of a folder or export that are converted in sandboxes."""
    files = without_attachments(files, report)
    tasks = [Task(file, DOCUMENTS.get(file.suffix, UNREAD)) for file in files]
    if tasks and (means := lacking()):
        report.note(
            f"native code of converters is not bound: the system lacks {' and '.join(means)}"
        )
    return read("documents", tasks, _newest(tasks, path))


def _newest(tasks: Iterable[Task], path: Path) -> datetime:
    times = [task.file.written_at for task in tasks if task.format is not UNREAD]
    return max(times, default=modified_at(path))


def _others(
    files: Iterable[File], only: str | None, publishing: Publishing, report: Report
) -> Iterator[File]:
    """Yield the files that are not read as texts, except those that the site hides."""
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


def is_notion(path: Path) -> bool:
    """Return whether a file is a Notion export in Markdown. Raises ImportRejected if unclear.

    Databases are CSV in any export. Attachments, whatever their names are, lie in folders below
    their page, so the files at the top decide.
    """
    are_pages = defaultdict[int, set[bool]](set)  # by depth
    has_database = False
    for name in _names(path, with_parts=_is_in_parts(path)):
        *folders, file = name.split("/")
        stem, _, ending = file.rpartition(".")
        has_id = PAGE.match(stem) is not None
        if any(part.startswith((".", "__macosx")) for part in (*folders, file)):
            continue
        if ending == "csv":
            has_database |= has_id
        elif f".{ending}" in DOCUMENTS or (ending == "md" and has_id):
            are_pages[len(folders)].add(ending == "md")
    top = are_pages[min(are_pages)] if are_pages else {has_database}
    if len(top) > 1:
        raise ImportRejected(path.name, UNCLEAR)
    return top == {True}


def _is_in_parts(path: Path) -> bool:
    """Return whether an archive holds nothing but archives, as large exports do."""
    names = _names(path, with_parts=False)
    return bool(names) and all(name.endswith(".zip") for name in names)


def archived(
    path: Path, stack: ExitStack, report: Report, exclude: Sequence[str], *, is_notion: bool = False
) -> Iterator[File]:
    """Yield the files of an archive. Raises ImportRejected.

    is_notion: read the pages of a Notion export in Markdown.
    """
    ignored = Patterns(parse(exclude, "--exclude"))
    seen = set()
    expected, suffixes = (EXPECTED_NOTION, NOTION) if is_notion else (EXPECTED, DOCUMENTS)
    for member in members(path, stack, expected, _has(suffixes), with_parts=_is_in_parts(path)):
        name = member.name
        parts = name.split("/")
        # The title of a page may begin with a dot.
        hidden = ("._" if is_notion else ".", "__MACOSX")
        if ".." in parts or not parts[0]:
            report.refuse(name, "the name points outside the archive")
        elif name in seen:
            report.refuse(name, "occurs twice in the archive")
        elif any(part.startswith(hidden) for part in parts):
            report.skip("hidden file or folder", name)
        elif ignored.excludes(name):
            report.skip("excluded by --exclude", name)
        else:
            seen.add(name)
            yield File(path, name, is_file=True, member=member)


def notion_pages(files: Iterable[File], report: Report) -> list[Task]:
    """Return the pages of a Notion export in Markdown by id, so that they can be renamed or moved.

    Of the two files of a database, which are beside each other, returns the one with all rows.
    """
    pages: dict[tuple[str, str], Task] = {}
    for file in files:
        stem, _, ending = file.name.rpartition(".")
        format_ = NOTION.get(f".{ending.lower()}")
        if format_ is None:
            report.skip(f"unsupported type: {file.suffix or 'no extension'}", file.path)
            continue
        match = PAGE.match(stem)
        key = f"notion:{match['id'] if match else file.path}"
        has_all_rows = format_ is NOTION[".csv"] and bool(match and match["all"])
        beside = f"_all.{ending}" if has_all_rows else f".{ending}"
        name = (key, file.path.removesuffix(beside))
        if name not in pages or has_all_rows:
            title = match["title"] if match else stem
            pages[name] = Task(replace(file, page=(key, title or "Untitled")), format_)
    return [page for _, page in sorted(pages.items())]


def without_attachments(files: Iterable[File], report: Report) -> Iterator[File]:
    """Skip the attachments of exports and text bundles, and the list of an export's pages."""
    files = sorted(files, key=lambda file: file.path)
    exports = {file.path.removesuffix(INDEX) for file in files if file.path.endswith(INDEX)}
    for file in files:
        if any(file.path[: match.start()] in exports for match in ATTACHMENTS.finditer(file.path)):
            report.skip("attachment of an export", file.path)
        elif BUNDLED.search(file.path):
            report.skip("attachment of a text bundle", file.path)
        elif file.name == INDEX and _lists_pages(file):
            report.skip("list of an export's pages", file.path)
        else:
            yield file


def _lists_pages(file: File) -> bool:
    try:
        with file.place() as place, opened(*place) as content:
            return bool(SPACE.search(content.read(FIRST_BYTES)))
    except DAMAGED:  # the conversion reports it
        return False


def _has(suffixes: Iterable[str]) -> Callable[[str], bool]:
    return lambda name: name.lower().endswith(tuple(suffixes))


def _names(path: Path, *, with_parts: bool) -> list[str]:
    """Return the names of the files of an archive in lower case; none if it is not an archive."""
    try:
        with ExitStack() as stack:
            files = members(path, stack, EXPECTED, lambda _: False, with_parts=with_parts)
            return [member.name.lower() for member in files]
    except ImportRejected:
        return []
