"""Convert a file to documents, inside the sandbox."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import Any, BinaryIO

from orgctx.importers.documents.converted import ConversionError, Converted
from orgctx.importers.documents.formats import BY_SUFFIX, MIB, Format
from orgctx.importers.folder import beneath

LONGEST_TEXT = 64 * MIB
# A file of several documents is converted in parts, each of about this size or time.
PART_LENGTH = 8 * MIB
PART_SECONDS = 20
EMPTY_LINES = re.compile(r"\n{3,}")


def convert(request: dict[str, Any]) -> dict[str, Any]:
    """Convert a file, or a part of it. Raises ConversionError.

    Args:
        request: `folder`, and `path` of the file below it; its `suffix`, a key of BY_SUFFIX;
            `start`, where to begin (0 or `next` of the part before); `keys_only`, to leave out
            texts.

    Returns:
        `documents`, each a Converted, and `next`, None after the last part.
    """
    format_ = BY_SUFFIX[request["suffix"]]
    documents: list[Converted] = []
    length, deadline = 0, monotonic() + PART_SECONDS
    with beneath.opened(Path(request["folder"]), request["path"]) as file:
        if file.seek(0, 2) > format_.max_bytes:
            raise ConversionError(f"exceeds {format_.max_bytes >> 20:,} MiB")
        file.seek(0)
        for document, position in _convert(format_, file, request["start"]):
            length += len(document.content)
            if request["keys_only"]:
                document = Converted(key=document.key)
            documents.append(_clean(document))
            if length > PART_LENGTH or monotonic() > deadline:
                return {"documents": documents, "next": position}
    return {"documents": documents, "next": None}


def _convert(format_: Format, file: BinaryIO, start: int) -> Iterator[tuple[Converted, int | None]]:
    module = import_module(format_.module)
    if format_.holds_several:
        yield from module.convert_all(file, start)
    else:
        yield module.convert(file.read()), None


def _clean(document: Converted) -> Converted:
    text = document.content.replace("\0", "").encode(errors="replace").decode()
    if len(text) > LONGEST_TEXT:
        raise ConversionError(f"contains more than {LONGEST_TEXT >> 20} MiB of text")
    document.content = EMPTY_LINES.sub("\n\n", text).strip() + "\n"
    document.title = document.title.encode(errors="replace").decode()
    return document
