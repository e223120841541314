"""Convert files of the formats in `formats` to documents or team notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from orgctx.importers.documents.conversions import MINUTES, Conversions
from orgctx.importers.documents.files import list_files
from orgctx.importers.documents.formats import BY_SUFFIX
from orgctx.importers.folder.document_set import ITEM_KINDS, DocumentSet
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
        files = list_files(path, stack, report, exclude)
        supported = [file for file in files if file.suffix in BY_SUFFIX]
        collected_at = max((file.written_at for file in supported), default=modified_at(path))
        name = path.resolve().name if path.is_dir() else path.stem
        source = target.source(item_kind.kind, name or "/", item_kind.description, collected_at)
        documents = DocumentSet(item_kind, target, source["data"]["label"], report, keep_missing)
        conversions = Conversions(stack, report, minutes, (file.suffix for file in supported))
        documents.begin(conversions.paths(supported), allow_empty=allow_empty)
        yield source
        for document_path, document in conversions.documents(files, progress):
            if document:
                yield from documents.add(document)
            else:
                documents.keep(document_path)
        yield from documents.deletions()
