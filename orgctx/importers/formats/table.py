"""The formats that `orgctx import folder` reads, from the tables of the importers."""

from __future__ import annotations

from orgctx.importers.documents.formats import BY_SUFFIX as DOCUMENTS
from orgctx.importers.markdown.formats import FORMATS as TEXTS

# The importer that reads a file, a package of orgctx.importers, by the file's suffix.
IMPORTERS = {
    **dict.fromkeys(DOCUMENTS, "documents"),
    **dict.fromkeys(TEXTS, "markdown"),
}


def suffixes(importer: str | None = None) -> list[str]:
    """Return the suffixes that an importer reads, or those that any importer reads, sorted."""
    return sorted(suffix for suffix, name in IMPORTERS.items() if importer in (None, name))
