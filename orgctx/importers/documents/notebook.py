"""Convert Jupyter notebooks: text, code and the text that code printed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import orjson

from orgctx.importers.documents.converted import ConversionError, Converted
from orgctx.importers.documents.front_matter import without_front_matter

LONGEST_OUTPUT = 10_000
# Tags of Jupyter Book and nbconvert for what is not published.
REMOVED = re.compile(r"(?:remove|hide)[-_](cell|input|output)\Z|(?:remove|hide)\Z")
# Options of Quarto and nbdev at the start of a cell's code, by what they hide.
OPTION = re.compile(r"^#\|[ \t]*(?:(include|echo|output):[ \t]*false|hide\b)", re.MULTILINE)
HIDES = {"include": "cell", "echo": "input", "output": "output", None: "cell"}
FENCE = re.compile("`{3,}")


def convert(content: bytes) -> Converted:
    """Convert a notebook. Removed cells, pictures and long outputs are counted."""
    try:
        notebook = orjson.loads(content)
        cells = notebook["cells"]
        metadata = notebook["metadata"]
    except (ValueError, KeyError, TypeError):
        raise ConversionError("is no notebook of version 4; save it again") from None
    language = str((metadata.get("language_info") or {}).get("name") or "")
    document = Converted(title=str(metadata.get("title") or ""))
    parts = (_cell(cell, language, document.skipped) for cell in cells)
    document.content = "\n\n".join(text for part in parts for text in part if text.strip())
    return document


def _cell(cell: dict[str, Any], language: str, skipped: Counter[str]) -> Iterator[str]:
    text, kind = _joined(cell.get("source")), cell.get("cell_type")
    hidden = _hidden(cell)
    if "cell" in hidden:
        skipped["hidden cell of a notebook"] += 1
    elif kind == "markdown":
        yield without_front_matter(text)
    elif kind != "code":
        without_front_matter(text)
        skipped["raw cell of a notebook"] += 1
    else:
        if "input" in hidden:
            skipped["hidden code of a notebook"] += 1
        else:
            yield _block(text, language)
        outputs = cell.get("outputs") or []
        if "output" in hidden:
            skipped["hidden output of a notebook"] += len(outputs)
        else:
            yield from (_output(output, skipped) for output in outputs)


def _hidden(cell: dict[str, Any]) -> set[str]:
    """Return which of cell, input and output are hidden."""
    metadata = cell.get("metadata") or {}
    tags = (REMOVED.match(str(tag)) for tag in metadata.get("tags") or ())
    hidden = {tag[1] or "cell" for tag in tags if tag}
    hidden |= {HIDES[option[1]] for option in OPTION.finditer(_joined(cell.get("source")))}
    jupyter = metadata.get("jupyter") or {}
    hidden |= {"input"} if jupyter.get("source_hidden") else set()
    return hidden | ({"output"} if jupyter.get("outputs_hidden") else set())


def _output(output: dict[str, Any], skipped: Counter[str]) -> str:
    data = output.get("data") or {}
    text = _joined(output.get("text") or data.get("text/plain"))
    if output.get("output_type") == "error":
        skipped["error output of a notebook"] += 1
        return ""
    if any(name.startswith(("image/", "application/", "video/")) for name in data):
        skipped["picture or program in a notebook"] += 1
    if len(text) > LONGEST_OUTPUT:
        skipped["output of a notebook after its first 10,000 characters"] += 1
    return _block(text[:LONGEST_OUTPUT], "")


def _joined(text: Any) -> str:
    return "".join(map(str, text)) if isinstance(text, list) else str(text or "")


def _block(text: str, language: str) -> str:
    """Return a code block whose fence is longer than those in the text."""
    longest = max(map(len, FENCE.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}" if text.strip() else ""
