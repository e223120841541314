"""Convert texts in the TextBundle format, packed (.textpack) or as a folder."""

from __future__ import annotations

import re
from collections import Counter
from zipfile import ZipFile

from orgctx.importers.documents.converted import ConversionError, Converted
from orgctx.importers.documents.decoding import decoded
from orgctx.importers.documents.front_matter import has_front_matter
from orgctx.importers.documents.package_file import open_package

TEXT = re.compile(r"(?:[^/]+/)?text\.(?:md|markdown|txt|text)\Z", re.IGNORECASE)
ARCHIVE = b"PK\x03\x04"


def convert(content: bytes) -> Converted:
    """Convert a bundle, or its text. Assets are counted.

    A text with front matter is rejected, because front matter may say that it is a draft.
    """
    document = Converted()
    if content.startswith(ARCHIVE):
        archive = open_package(content)
        content = _text(archive, document.skipped)
    document.content = decoded(content, None, document.repaired)
    if has_front_matter(document.content):
        raise ConversionError("has front matter; import its text with `orgctx import markdown`")
    return document


def _text(archive: ZipFile, skipped: Counter[str]) -> bytes:
    names = [name for name in archive.namelist() if not name.endswith("/")]
    text = next((name for name in names if TEXT.match(name)), None)
    if text is None:
        raise ConversionError("contains no text.md")
    skipped["attachment of a text bundle"] += sum("assets/" in name for name in names)
    return archive.read(text)
