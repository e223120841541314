"""Read the files of a folder or export: convert, refuse, count and keep each of their documents."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from time import monotonic
from typing import Any

from orgctx.importers.archive import DAMAGED
from orgctx.importers.folder.conversion import ConversionError, Converted
from orgctx.importers.folder.documents import DocumentSet
from orgctx.importers.folder.files import File
from orgctx.importers.folder.titles import first_heading
from orgctx.importers.formats import UNREAD, UNSUPPORTED, Format
from orgctx.importers.records import Progress, Record
from orgctx.importers.report import Report
from orgctx.importers.sandbox import (
    FILE_SECONDS,
    Sandbox,
    SandboxError,
    TookTooLong,
    time_limit,
)

CONVERSION = "orgctx.importers.folder.conversion:convert"
MINUTES = 60
MEMORY = 1024 * 1024 * 1024
FAILED = "cannot be converted: {}"
EMPTY, EMPTY_PAGE = "document without text", "empty page"
SAME_ID = "has the id of another file; remove one of them"
COPY = "copy of another mail or note in the same file"
# What programs call a document that nobody has named.
NO_TITLE = re.compile(
    r"\(?(?:untitled|anonymous|unspecified|no title)(?: document)?\d{0,4}\)?"
    r"|powerpoint presentation|(?:sheet|slide|document|presentation|book|workbook) ?\d{1,4}",
    re.IGNORECASE,
)
UNFIT = (ConversionError, SandboxError, TookTooLong, *DAMAGED)


@dataclass(frozen=True, slots=True)
class Task:
    """A file to convert, or a part of it.

    start: where the part begins. reason: why not to convert it. keys_only: without texts.
    """

    file: File
    format: Format
    start: int = 0
    reason: str = ""
    keys_only: bool = False


@dataclass(slots=True)
class Reading:
    """The files that one importer reads.

    importer: its name. It deletes no document of another importer.
    collected_at: the time of the newest commit or file.
    minutes: the time limit of all conversions in sandboxes together.
    folder: passed to the functions that convert in this process, besides the file.
    """

    importer: str
    tasks: Sequence[Task]
    collected_at: datetime
    report: Report
    progress: Progress
    minutes: int = MINUTES
    folder: Any = None
    # The paths of the documents, which determine their ids.
    paths: frozenset[str] = field(init=False)
    # By path of a file that holds several documents; None if it cannot be read.
    _paths: dict[str, list[str] | None] = field(init=False, default_factory=dict)
    _deadline: float = 0

    def __post_init__(self) -> None:
        """Find the documents. If a file that holds several cannot be read, nothing is deleted."""
        known = [task for task in self.tasks if task.format is not UNREAD]
        paths = Counter(task.file.document_path for task in known if not task.format.holds_several)
        # Which of them the stored document came from, nobody knows.
        self.tasks = [
            replace(task, reason=SAME_ID) if paths[task.file.document_path] > 1 else task
            for task in self.tasks
        ]
        several = [replace(task, keys_only=True) for task in known if task.format.holds_several]
        with self._pool(several) as pool:
            for task, result in pool.map(_convert, several):
                try:
                    keys = [document.key for document in _documents(pool, task, result)]
                except UNFIT as error:
                    self.report.read += 1
                    self.report.refuse_folder(task.file.path, FAILED.format(error))
                    self._paths[task.file.path] = None
                else:
                    file_paths = [_path(task, key) for key in dict.fromkeys(keys) if key]
                    self._paths[task.file.path] = file_paths
                    paths.update(file_paths)
        self.paths = frozenset(paths)

    def records(self, documents: DocumentSet) -> Iterator[Record]:
        """Yield the records of the documents, and keep what is stored of those that are unfit."""
        if self.folder:
            self.folder.begin(documents)
        with self._pool(self.tasks) as pool:
            for task in self.tasks:
                if not task.format.is_sandboxed:
                    yield from self._add(task, self._converted_here(task), documents)
            for task, result in pool.map(_convert, self._sandboxed(self.tasks)):
                yield from self._add(task, _documents(pool, task, result), documents)

    def _add(
        self, task: Task, converted: Iterable[Converted | None], documents: DocumentSet
    ) -> Iterator[Record]:
        seen: set[str] = set()
        try:
            for document in converted:
                self.report.read += 1
                if document and task.format.has_heading:
                    text = f"# {task.file.title}\n\n{document.content}"
                    document.content = text.rstrip() + "\n"
                if document and (path := self._reported(task, document, seen)):
                    seen.add(path)
                    document.title = _title(task, document)
                    yield from documents.add(path, document, *_times(document, task.file))
        except UNFIT as error:
            is_sandboxed = task.format.is_sandboxed
            reason = FAILED.format(error) if is_sandboxed else str(error)
            if isinstance(error, OSError) and error.strerror and not is_sandboxed:
                reason = f"cannot be read: {error.strerror}"
            self.report.read += not seen
            self.report.refuse(task.file.path, reason)
            for path in self._paths.get(task.file.path) or [task.file.document_path]:
                if path not in seen:
                    documents.keep(path)

    def _converted_here(self, task: Task) -> Iterator[Converted | None]:
        self.progress(task.file.size)
        if task.reason:
            raise ConversionError(task.reason)
        with time_limit():
            document = task.format.load()(task.file, self.folder)
        yield document

    def _sandboxed(self, tasks: Iterable[Task]) -> Iterator[Task]:
        """Yield what to convert in sandboxes; report the other files that have no format."""
        self._deadline = self._deadline or monotonic() + 60 * self.minutes
        late = f"the limit of {self.minutes} minutes is reached; raise it with --minutes"
        for task in tasks:
            file = task.file
            if task.format.is_sandboxed:
                self.progress(file.size)
            if task.format is UNREAD and (advice := UNSUPPORTED.get(file.suffix)):
                self.report.refuse(file.path, FAILED.format(advice))
            elif task.format is UNREAD:
                self.report.skip(f"unsupported type: {file.suffix or 'no extension'}", file.path)
            elif task.format.is_sandboxed and self._paths.get(file.path, []) is not None:
                is_late = not task.reason and monotonic() > self._deadline
                yield replace(task, reason=late) if is_late else task

    def _pool(self, tasks: Iterable[Task]) -> Sandbox:
        formats = {task.format for task in tasks if task.format.is_sandboxed} - {UNREAD}
        limits: dict[str, Any] = {"seconds": FILE_SECONDS, "memory": MEMORY}
        return Sandbox(CONVERSION, **limits, preloaded=sorted({each.module for each in formats}))

    def _reported(self, task: Task, document: Converted, seen: set[str]) -> str:
        """Report what a document lacks. Returns its path; empty if it is not imported."""
        file = task.file
        for reason, count in document.skipped.items():
            if reason and count:
                self.report.skip(reason, file.path, count)
        for reason, count in document.repaired.items():
            for _ in range(count):
                self.report.repair(reason)
        path = _path(task, document.key) if task.format.holds_several else file.document_path
        if document.error:
            self.report.refuse(file.path, document.error)
        elif path in seen:
            self.report.skip(COPY, file.path)
        elif path and not document.content.strip():
            empty = EMPTY if task.format.is_sandboxed else EMPTY_PAGE
            self.report.skip(document.reason or empty, file.path)
        else:
            return path
        return ""


def _documents(pool: Sandbox, task: Task, result: Future[dict[str, Any]]) -> Iterator[Converted]:
    """Yield the documents of a file, part by part. Raises SandboxError or one of DAMAGED."""
    while True:
        part = result.result()
        for data in part["documents"]:
            yield Converted(**data)
        if part["next"] is None:
            return
        task = replace(task, start=part["next"])
        _, result = next(pool.map(_convert, [task]))


def _convert(task: Task, sandbox: Sandbox) -> dict[str, Any]:
    if task.reason:
        raise SandboxError(task.reason)
    with task.file.place() as (folder, path):
        # Not the suffix of its name, which the format of an export may not follow.
        suffix = task.format.suffixes[0]
        request = {"folder": str(folder), "path": path, "suffix": suffix}
        options = {"start": task.start, "keys_only": task.keys_only}
        result: dict[str, Any] = sandbox({**request, **options})
        return result


def _path(task: Task, key: str) -> str:
    return f"{task.file.path}/{key}" if key else ""


def _title(task: Task, document: Converted) -> str:
    """Return the title of a document, its first heading, or the name of its file."""
    for title in filter(None, (document.title, first_heading(document.content))):
        if not (task.format.is_sandboxed and NO_TITLE.fullmatch(title.strip())):
            return title
    return task.file.title


def _times(document: Converted, file: File) -> tuple[datetime, datetime]:
    created, updated = _time(document.created), _time(document.updated)
    updated = updated or created or file.written_at
    created = created or min(file.committed[0] if file.committed else file.written_at, updated)
    return created, max(created, updated)


def _time(time: float | datetime | None) -> datetime | None:
    """Return a time that a document states; None if it is in the future."""
    try:
        time = datetime.fromtimestamp(int(time), UTC) if isinstance(time, int | float) else time
    except (ValueError, OverflowError, OSError):
        return None
    return time if time and time <= datetime.now(UTC) else None
