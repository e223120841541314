"""Convert files to documents in sandboxes, and report what is left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from time import monotonic
from typing import Any

from orgctx.importers.archive import DAMAGED
from orgctx.importers.documents.converted import Converted
from orgctx.importers.documents.files import File
from orgctx.importers.documents.formats import BY_SUFFIX, UNSUPPORTED
from orgctx.importers.folder.document_set import Document
from orgctx.importers.folder.headings import first_heading
from orgctx.importers.records import Progress
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
    """The conversions of one import, whose sandboxes end with the stack.

    Args:
        suffixes: those of the files to convert.
        minutes: the time limit of all conversions together.
    """

    def __init__(
        self, stack: ExitStack, report: Report, minutes: int, suffixes: Iterable[str]
    ) -> None:
        modules = sorted({BY_SUFFIX[suffix].module for suffix in suffixes})
        limits: dict[str, Any] = {"seconds": PATIENCE_SECONDS, "memory": MEMORY}
        self._pool = stack.enter_context(SandboxPool(CONVERSION, **limits, preloaded=modules))
        self._report, self._minutes = report, minutes
        self._deadline = monotonic() + 60 * minutes
        # By path of a file that holds several documents; None if it cannot be read.
        self._paths: dict[str, list[str] | None] = {}

    def paths(self, files: Iterable[File]) -> Iterator[str]:
        """Yield the paths of the documents in supported files, which determine their ids.

        Files of several documents are read. If one cannot be, nothing is deleted.
        """
        several = []
        for file in files:
            if file.holds_several:
                several.append(_Task(file, keys_only=True))
            else:
                yield file.document_path
        for task, result in self._pool.map(_convert, several):
            try:
                keys = [d["key"] for part in self._parts(task, result) for d in part]
            except (SandboxError, *DAMAGED) as error:
                self._report.refuse_folder(task.file.path, FAILED.format(error))
                self._paths[task.file.path] = None
            else:
                paths = [_path(task.file, key) for key in dict.fromkeys(keys) if key]
                self._paths[task.file.path] = paths
                yield from paths

    def documents(
        self, files: Iterable[File], progress: Progress
    ) -> Iterator[tuple[str, Document | None]]:
        """Yield the documents by path; None for one whose stored version stays.

        Call `paths` before.
        """
        for task, result in self._pool.map(_convert, self._tasks(files, progress)):
            paths = self._paths.get(task.file.path) or [task.file.document_path]
            seen: set[str] = set()
            try:
                for part in self._parts(task, result):
                    for data in part:
                        document = self._document(task.file, Converted(**data), seen)
                        if document:
                            yield document.path, document
            except (SandboxError, *DAMAGED) as error:
                self._report.read += not seen
                self._report.refuse(task.file.path, FAILED.format(error))
                yield from ((path, None) for path in paths if path not in seen)

    def _tasks(self, files: Iterable[File], progress: Progress) -> Iterator[_Task]:
        for file in files:
            progress(file.size)
            is_unreadable = self._paths.get(file.path, []) is None
            if is_unreadable or not _is_converted(file, self._report):
                continue
            is_late = monotonic() > self._deadline
            limit = f"the limit of {self._minutes} minutes is reached; raise it with --minutes"
            yield _Task(file, reason=limit if is_late else "")

    def _parts(self, task: _Task, result: Future[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
        """Yield the documents of each part of a file. Raises SandboxError or one of DAMAGED."""
        part = result.result()
        yield part["documents"]
        while part["next"] is not None:
            task = replace(task, start=part["next"])
            _, result = next(self._pool.map(_convert, [task]))
            part = result.result()
            yield part["documents"]

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


def _convert(task: _Task, sandbox: Sandbox) -> dict[str, Any]:
    if task.reason:
        raise SandboxError(task.reason)
    with task.file.place() as path:
        request = {"path": str(path), "suffix": task.file.suffix}
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
