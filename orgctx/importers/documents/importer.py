"""Convert files of the formats in `formats`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from orgctx.importers.documents.conversions import Conversions
from orgctx.importers.documents.files import File, list_files, skip_attachments
from orgctx.importers.documents.formats import BY_SUFFIX
from orgctx.importers.folder.document_set import ItemKind
from orgctx.importers.folder.inputs import Import, Input
from orgctx.importers.records import Progress, Record, Target, modified_at
from orgctx.importers.report import Report


def records(
    path: Path,
    item_kind: ItemKind,
    target: Target,
    report: Report,
    minutes: int,
    exclude: Sequence[str],
    progress: Progress,
    *,
    allow_empty: bool,
    keep_missing: bool,
) -> Iterator[Record]:
    """Yield the source, the documents of one file or archive, and deletions of missing ones.

    minutes: the time limit of all conversions together. Raises ImportRejected.
    """
    with ExitStack() as stack:
        files = list(list_files(path, stack, report, exclude))
        run = Import(
            item_kind,
            target,
            report,
            path.stem,
            item_kind.description,
            allow_empty=allow_empty,
            keep_missing=keep_missing,
        )
        conversions = input_of(path, files, report, minutes, progress)
        yield from run.records([conversions], [file.path for file in files])


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
