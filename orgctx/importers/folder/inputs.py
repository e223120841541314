"""Import the files of one folder or export, which one or several importers read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from orgctx.importers.folder.document_set import DocumentSet, ItemKind
from orgctx.importers.records import Record, Target
from orgctx.importers.report import ImportRejected, Report


@dataclass(frozen=True, slots=True)
class Input:
    """The files that one importer reads.

    importer: its name, a package of orgctx.importers. It deletes no document of another importer.
    paths: the paths of the files, which identify their documents.
    collected_at: the time of the newest commit or file.
    records: yields the records of the files; `documents` makes them.
    """

    importer: str
    paths: Collection[str]
    collected_at: datetime
    records: Callable[[DocumentSet], Iterator[Record]]


@dataclass(frozen=True, slots=True)
class Import:
    """An import of documents: what they become, and what happens to missing ones."""

    item_kind: ItemKind
    target: Target
    report: Report
    label: str
    description: str
    allow_empty: bool
    keep_missing: bool

    def records(self, inputs: Sequence[Input], paths: Collection[str]) -> Iterator[Record]:
        """Yield the source, the documents of the inputs, and deletions of the missing ones.

        Args:
            inputs: at least one.
            paths: every file of the folder, including those that no importer here reads.

        Raises:
            ImportRejected: no input has a file, so all stored documents would be deleted.
        """
        # The time of a folder is no evidence of its files.
        filled = [input_ for input_ in inputs if input_.paths] or inputs
        collected_at = max(input_.collected_at for input_ in filled)
        source = self.target.source(self.item_kind.kind, self.label, self.description, collected_at)
        label = source["data"]["label"]
        sets = [self._set(input_, label) for input_ in inputs]
        stored_ids = set[str]()
        for input_, documents in zip(inputs, sets, strict=True):
            input_paths = frozenset(input_.paths)
            stored_ids |= documents.begin(
                input_paths, (path for path in paths if path not in input_paths)
            )
        has_files = any(input_.paths for input_ in inputs)
        if stored_ids and not (has_files or self.allow_empty or self.keep_missing):
            raise ImportRejected(
                label,
                f"contains no document, but {len(stored_ids):,} are stored. Check the path, or "
                "pass --allow-empty to delete them",
            )
        yield source
        for input_, documents in zip(inputs, sets, strict=True):
            yield from input_.records(documents)
        for documents in sets:
            yield from documents.deletions()

    def _set(self, input_: Input, label: str) -> DocumentSet:
        return DocumentSet(
            self.item_kind,
            self.target,
            label,
            self.report,
            self.keep_missing,
            importer=input_.importer,
            collected_at=input_.collected_at,
        )
