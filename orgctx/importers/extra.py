"""Load importers, whose libraries are installed by the extra `importers`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

LIBRARIES = (
    "bs4", "charset_normalizer", "dulwich", "filetype", "lxml", "mammoth", "markdown_it",
    "markdownify", "odfdo", "olefile", "openpyxl", "pdfminer", "pptx", "re2", "striprtf",
    "yaml",
)  # fmt: skip


class MissingExtraError(Exception):
    """The extra is not installed; the message names the command that installs it."""


def importer(module: str, *, needs_extra: bool = True) -> Callable[..., Iterator[dict[str, Any]]]:
    """Import a module of orgctx.importers and return its function `records`.

    needs_extra: False if it uses none of the libraries. Raises MissingExtraError.
    """
    missing = [library for library in LIBRARIES if find_spec(library) is None]
    if missing and needs_extra:
        raise MissingExtraError(
            f"This import needs {missing[0]}, which is not installed. "
            "Run: pip install 'orgctx[importers]'"
        )
    records: Callable[..., Iterator[dict[str, Any]]]
    records = import_module(f"orgctx.importers.{module}").records
    return records
