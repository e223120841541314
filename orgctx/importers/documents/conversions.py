"""Convert files to documents in sandboxes, and report what is left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from time import monotonic
from typing import Any

from orgctx.importers.archive import DAMAGED
from orgctx.importers.documents.converted import Converted
from orgctx.importers.documents.files import File
from orgctx.importers.documents.formats import BY_SUFFIX, UNSUPPORTED
from orgctx.importers.folder.document_set import Document, DocumentSet
from orgctx.importers.folder.headings import first_heading
from orgctx.importers.records import Progress, Record
from orgctx.importers.report import Report
from orgctx.importers.sandbox import Sandbox, SandboxError
from orgctx.importers.sandbox_pool import SandboxPool

CONVERSION = "orgctx.importers.documents.conversion:convert"
PATIENCE_SECONDS = 60
MINUTES = 60
MEMORY = 1024 * 1024 * 1024
FAILED = "cannot be converted: {}"
COPY = "copy of another mail or note in the same file"
EMPTY = "document without text"


@dataclass(frozen=True, slots=True)
class _Task:
    """A part of a file to convert.

    start: where the part begins. reason: why not to convert it. keys_only: without texts.
    """

    file: File
    start: int = 0
    reason: str = ""
    keys_only: bool = False


class Conversions:
    """The conversions of one import.

    Args:
        minutes: the time limit of all conversions together.
    """

    def __init__(
        self, files: Sequence[File], report: Report, minutes: int, progress: Progress
    ) -> None:
        self._files, self._report = files, report
        self._minutes, self._progress = minutes, progress
        # By path of a file that holds several documents; None if it cannot be read.
        self._paths: dict[str, list[str] | None] = {}

    def paths(self) -> list[str]:
        """Return the paths of the documents, which determine their ids.

        Files of several documents are read. If one cannot be, nothing is deleted.
        """
        supported = [file for file in self._files if file.suffix in BY_SUFFIX]
        paths = [file.document_path for file in supported if not file.holds_several]
        several = [_Task(file, keys_only=True) for file in supported if file.holds_several]
        with self._pool() as pool:
            for task, result in pool.map(_convert, several):
                try:
                    keys = [d["key"] for part in _parts(pool, task, result) for d in part]
                except (SandboxError, *DAMAGED) as error:
                    self._report.read += 1
                    self._report.refuse_folder(task.file.path, FAILED.format(error))
                    self._paths[task.file.path] = None
                else:
                    file_paths = [_path(task.file, key) for key in dict.fromkeys(keys) if key]
                    self._paths[task.file.path] = file_paths
                    paths += file_paths
        return paths

    def records(self, documents: DocumentSet) -> Iterator[Record]:
        """Yield the records of the documents. Call `paths` first."""
        with self._pool() as pool:
            for task, result in pool.map(_convert, self._tasks()):
                paths = self._paths.get(task.file.path) or [task.file.document_path]
                seen: set[str] = set()
                try:
                    for part in _parts(pool, task, result):
                        for data in part:
                            document = self._document(task.file, Converted(**data), seen)
                            if document:
                                yield from documents.add(document)
                except (SandboxError, *DAMAGED) as error:
                    self._report.read += not seen
                    self._report.refuse(task.file.path, FAILED.format(error))
                    for path in paths:
                        if path not in seen:
                            documents.keep(path)

    def _pool(self) -> SandboxPool:
        suffixes = {file.suffix for file in self._files} & BY_SUFFIX.keys()
        modules = sorted({BY_SUFFIX[suffix].module for suffix in suffixes})
        limits: dict[str, Any] = {"seconds": PATIENCE_SECONDS, "memory": MEMORY}
        return SandboxPool(CONVERSION, **limits, preloaded=modules)

    def _tasks(self) -> Iterator[_Task]:
        deadline = monotonic() + 60 * self._minutes
        for file in self._files:
            self._progress(file.size)
            is_unreadable = self._paths.get(file.path, []) is None
            if is_unreadable or not _is_converted(file, self._report):
                continue
            is_late = monotonic() > deadline
            limit = f"the limit of {self._minutes} minutes is reached; raise it with --minutes"
            yield _Task(file, reason=limit if is_late else "")

    def _document(self, file: File, converted: Converted, seen: set[str]) -> Document | None:
        """Report a converted document, and return it if it is one."""
        path = _path(file, converted.key) if file.holds_several else file.document_path
        self._report.read += 1
        for reason, count in converted.skipped.items():
            if reason and count:
                self._report.skip(reason, file.path, count)
        for reason, count in converted.repaired.items():
            for _ in range(count):
                self._report.repair(reason)
        if converted.error:
            self._report.refuse(file.path, converted.error)
        elif file.holds_several and not converted.key:
            return None
        elif path in seen:
            self._report.skip(COPY, file.path)
        elif not converted.content.strip():
            self._report.skip(EMPTY, file.path)
        else:
            seen.add(path)
            return _as_document(file, path, converted)
        return None


def _parts(
    pool: SandboxPool, task: _Task, result: Future[dict[str, Any]]
) -> Iterator[list[dict[str, Any]]]:
    """Yield the documents of each part of a file. Raises SandboxError or one of DAMAGED."""
    part = result.result()
    yield part["documents"]
    while part["next"] is not None:
        task = replace(task, start=part["next"])
        _, result = next(pool.map(_convert, [task]))
        part = result.result()
        yield part["documents"]


def _convert(task: _Task, sandbox: Sandbox) -> dict[str, Any]:
    if task.reason:
        raise SandboxError(task.reason)
    with task.file.place() as (folder, path):
        request = {"folder": str(folder), "path": path, "suffix": task.file.suffix}
        options = {"start": task.start, "keys_only": task.keys_only}
        result: dict[str, Any] = sandbox({**request, **options})
        return result


def _path(file: File, key: str) -> str:
    return f"{file.path}/{key}" if key else ""


def _is_converted(file: File, report: Report) -> bool:
    """Return whether to convert a file; report it if not."""
    if file.suffix in BY_SUFFIX:
        return True
    if file.suffix in UNSUPPORTED:
        report.refuse(file.path, FAILED.format(UNSUPPORTED[file.suffix]))
    else:
        report.skip(f"unsupported type: {file.suffix or 'no extension'}", file.path)
    return False


def _as_document(file: File, path: str, converted: Converted) -> Document:
    updated_at = _time(converted.updated) or _time(converted.created) or file.written_at
    created_at = _time(converted.created) or min(file.written_at, updated_at)
    title = " ".join(converted.title.replace("\0", "").split())
    return Document(
        path=path,
        title=title or first_heading(converted.content) or file.title,
        content=converted.content,
        content_format=converted.content_format,
        created_at=created_at,
        updated_at=max(created_at, updated_at),
    )


def _time(seconds: float | None) -> datetime | None:
    try:
        return datetime.fromtimestamp(int(seconds), UTC) if seconds is not None else None
    except (ValueError, OverflowError, OSError):
        return None
