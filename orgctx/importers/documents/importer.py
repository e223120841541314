"""Convert files of the formats in `formats` to documents or team notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from orgctx.importers.documents.conversions import MINUTES, Conversions
from orgctx.importers.documents.files import File, list_files, skip_attachments
from orgctx.importers.documents.formats import BY_SUFFIX
from orgctx.importers.folder.document_set import ITEM_KINDS
from orgctx.importers.folder.inputs import Import, Input
from orgctx.importers.folder.label import label_of
from orgctx.importers.records import Progress, Record, Target, modified_at, no_progress
from orgctx.importers.report import Report


def records(
    path: Path,
    *,
    target: Target,
    report: Report,
    library: str = "docs",
    minutes: int = MINUTES,
    exclude: Sequence[str] = (),
    gitignore: bool = True,
    allow_empty: bool = False,
    keep_missing: bool = False,
    progress: Progress = no_progress,
) -> Iterator[Record]:
    """Yield the source, the documents by path, and deletions of documents whose file is missing.

    Args:
        path: a folder, an export as a .zip, or one file.
        minutes: the time limit of all conversions together.

    Other arguments are those of the Markdown importer. Raises ImportRejected.
    """
    item_kind = ITEM_KINDS[library]
    with ExitStack() as stack:
        files = list(list_files(path, stack, report, exclude, gitignore=gitignore))
        paths = [file.path for file in files]
        name = label_of(path, paths) if path.is_dir() else path.stem
        run = Import(
            item_kind,
            target,
            report,
            name,
            item_kind.description,
            allow_empty=allow_empty,
            keep_missing=keep_missing,
        )
        conversions = input_of(path, files, report, minutes, progress)
        yield from run.records([conversions], paths)


def input_of(
    path: Path, files: Iterable[File], report: Report, minutes: int, progress: Progress
) -> Input:
    """Return the files to convert. Reports the others.

    path: the folder or export that contains them.
    """
    chosen = list(skip_attachments(files, report))
    supported = [file for file in chosen if file.suffix in BY_SUFFIX]
    collected_at = max((file.written_at for file in supported), default=modified_at(path))
    conversions = Conversions(chosen, report, minutes, progress)
    return Input("documents", conversions.paths(), collected_at, conversions.records)
