"""Read the files of a folder: convert, refuse and count them, in this process or in sandboxes."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from os.path import isdir
from pathlib import Path
from tempfile import TemporaryFile
from time import monotonic

from orgctx.importers.folder.files import File
from orgctx.importers.folder.generators import has
from orgctx.importers.folder.history import History
from orgctx.importers.folder.ignore import GITIGNORE
from orgctx.importers.formats import (
    MARKDOWN,
    MAX_FILE_BYTES,
    OBSIDIAN,
    UNSUPPORTED,
    WEB_PAGES,
    Converted,
    Facts,
    Format,
    by_suffix,
    convert,
)
from orgctx.importers.html.site import Site
from orgctx.importers.report import Report
from orgctx.importers.sandbox import FILE_SECONDS, Sandbox, SandboxError

CONVERSION = "orgctx.importers.formats:convert"
MINUTES = 60
MEMORY = 1024 * 1024 * 1024
SAME_ID = "has the id of another file; remove one of them"
DATABASE = "part of a database of Notion that another file has as a whole"
OVER = "the time for all conversions is over; raise it with --minutes"


@dataclass(frozen=True, slots=True)
class Reading:
    """How to read the files of one import.

    minutes: the time limit of all conversions in sandboxes together.
    unread: collects what determines the ids of the files that cannot be read.
    """

    report: Report
    history: History
    minutes: int = MINUTES
    includes_drafts: bool = False
    all_versions: bool = False
    unread: set[str] = field(default_factory=set)

    def documents(self, files: Sequence[File]) -> Iterator[tuple[File, Converted]]:
        """Yield the documents. Web pages are last, because they are compared with each other."""
        known = self._formats(files)
        paths = Counter(file.document_path for file, _ in known)
        modules = sorted({format_.module for _, format_ in known if format_.is_sandboxed})
        sandbox = Sandbox(CONVERSION, seconds=FILE_SECONDS, memory=MEMORY, preloaded=modules)
        deadline = monotonic() + 60 * self.minutes
        with sandbox as process, TemporaryFile() as texts:
            site = Site(texts, self.history, all_versions=self.all_versions)
            for file, format_ in known:
                if paths[file.document_path] > 1:
                    self._refuse(file, SAME_ID)
                    continue
                document = self._attempt(file, format_, process, deadline)
                if document and format_ is WEB_PAGES and not document.reason:
                    site.add(file, document)
                elif document and self._is_document(file, document):
                    yield file, document
            for file, document, reason in site.documents():
                if reason:
                    self.report.skip(f"not a page of its own: {reason}", file.path)
                elif self._is_document(file, document):
                    yield file, document

    def _formats(self, files: Sequence[File]) -> list[tuple[File, Format]]:
        """Return the files that have a format, and report the others."""
        known, is_in_vault = by_suffix(), cache(_is_in_vault)
        names = {file.path for file in files}
        formats = []
        for file in files:
            whole = f"{file.path.removesuffix('.csv')}_all.csv"
            if file.suffix == ".csv" and file.notion and whole in names:
                self.report.skip(DATABASE, file.path)
            elif file.suffix in known:
                format_ = known[file.suffix]
                folder = (file.root / file.raw_path).parent
                is_obsidian = format_ is MARKDOWN and is_in_vault(folder)
                formats.append((file, OBSIDIAN if is_obsidian else format_))
            elif advice := UNSUPPORTED.get(file.suffix):
                self.report.refuse(file.path, f"cannot be converted: {advice}")
            else:
                self.report.skip(f"unsupported type: {file.suffix or 'no extension'}", file.path)
        return formats

    def _attempt(
        self, file: File, format_: Format, sandbox: Sandbox, deadline: float
    ) -> Converted | None:
        """Return a document, or report why its file cannot be read."""
        self.report.read += 1
        try:
            return _converted(file, format_, sandbox, deadline)
        except OSError as error:
            self._refuse(file, f"cannot be read: {error.strerror or error}")
        except Exception as error:  # noqa: BLE001 - of a sandbox or another distribution
            self._refuse(file, f"cannot be converted: {error or type(error).__name__}")
        return None

    def _refuse(self, file: File, reason: str) -> None:
        self.report.refuse(file.path, reason)
        self.unread.add(file.document_path)

    def _is_document(self, file: File, document: Converted) -> bool:
        """Return whether to import a document, after reporting what it lacks."""
        if document.reason and not self.includes_drafts:
            self.report.skip(f"not published: {document.reason}", file.path)
            return False
        for reason, count in document.skipped.items():
            if count:
                self.report.skip(reason, file.path, count)
        for reason, count in document.repaired.items():
            self.report.repair(reason, count)
        if not document.content.strip():
            self.report.skip("document without text", file.path)
            return False
        return True


def _is_in_vault(folder: Path) -> bool:
    """Return whether a folder is in a vault of Obsidian, whose settings git may ignore."""
    path = folder.resolve()
    return any(
        isdir(each / ".obsidian") or has(each, GITIGNORE, r"\.obsidian")
        for each in (path, *path.parents)
    )


def _converted(file: File, format_: Format, sandbox: Sandbox, deadline: float) -> Converted:
    """Convert a file, unless the deadline of sandboxes, a value of `monotonic`, has passed."""
    with file.opened() as opened:
        # So much of one that is too large that its conversion is refused.
        content = opened.read(MAX_FILE_BYTES + 1)
    value = (format_.function, format_.is_text)
    if not format_.is_sandboxed:
        return convert(value, content)
    if monotonic() > deadline:
        raise SandboxError(OVER)
    members = sandbox.call(value, content, is_alone=not format_.is_text)
    document = Converted(**members)
    document.facts = document.facts and Facts(**document.facts)
    document.skipped, document.repaired = Counter(document.skipped), Counter(document.repaired)
    return document
