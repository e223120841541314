"""Convert notes: Evernote exports and Jupyter notebooks."""

import re
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, BinaryIO

import orjson
from bs4 import BeautifulSoup
from lxml import etree

from orgctx.importers.folder.conversion import ConversionError, Converted, seconds
from orgctx.importers.formats.html import markdown_of, without_front_matter
from orgctx.importers.formats.mail import with_facts
from orgctx.importers.formats.package import SAFE
from orgctx.importers.markdown.comments import without_comments

LONGEST_OUTPUT = 10_000
# Tags of Jupyter Book and nbconvert for what is not published.
REMOVED = re.compile(r"(?:remove|hide)[-_](cell|input|output)\Z|(?:remove|hide)\Z")
# Options of Quarto and nbdev at the start of a cell's code, by what they hide.
OPTION = re.compile(r"^#\|[ \t]*(?:(include|echo|output):[ \t]*(?i:false)|hide\b)", re.MULTILINE)
HIDES = {"include": "cell", "echo": "input", "output": "output", None: "cell"}
FENCE = re.compile("`{3,}")


def evernote(file: BinaryIO, start: int) -> Iterator[tuple[Converted, int]]:
    """Yield the notes of an export from the number `start` on, each with the number after it."""
    names: Counter[str] = Counter()
    tags = ("{*}note", "{*}resource")
    number = 0
    for _, element in etree.iterparse(file, tag=tags, huge_tree=True, **SAFE):
        if etree.QName(element).localname == "note":
            number += 1
            name = f"{element.findtext('title') or ''}\0{element.findtext('created') or ''}"
            names[name] += 1
            if number > start:
                yield _note(element, f"{name}\0{names[name]}" if names[name] > 1 else name), number
            while element.getprevious() is not None:
                del element.getparent()[0]
        element.clear()  # a resource is a picture or file, which may be large


def _note(note: Any, name: str) -> Converted:
    """Convert a note. name: identifies it, because exports have no ids."""
    document = Converted(
        title=note.findtext("title") or "",
        created=seconds(note.findtext("created")),
        updated=seconds(note.findtext("updated")),
        key=sha256(name.encode(errors="replace")).hexdigest()[:32],
    )
    skipped = document.skipped
    skipped["attachment of a note"] += len(note.findall("resource"))
    soup = BeautifulSoup(note.findtext("content") or "", "html.parser")
    for secret in soup.find_all("en-crypt"):
        skipped["encrypted part of a note"] += 1
        secret.extract()
    for box in soup.find_all("en-todo"):
        box.replace_with("[x] " if box.get("checked") == "true" else "[ ] ")
    facts = [
        ("Author", note.findtext("note-attributes/author") or ""),
        ("Source", note.findtext("note-attributes/source-url") or ""),
        ("Tags", ", ".join(tag.text or "" for tag in note.findall("tag"))),
    ]
    document.content = f"{markdown_of(str(soup), skipped)}\n\n{with_facts(facts, '')}"
    return document


def notebook(content: bytes) -> Converted:
    """Convert a notebook: text, code and the text that code printed."""
    try:
        value = orjson.loads(content)
        cells, metadata = value["cells"], value["metadata"]
    except (ValueError, KeyError, TypeError):
        raise ConversionError("is not a notebook of version 4; save it again") from None
    language = str((metadata.get("language_info") or {}).get("name") or "")
    document = Converted(title=str(metadata.get("title") or ""))
    texts = (text for cell in cells for text in _cell(cell, language, document.skipped))
    document.content = "\n\n".join(text for text in texts if text.strip())
    return document


def _cell(cell: dict[str, Any], language: str, skipped: Counter[str]) -> Iterator[str]:
    text, kind, hidden = _joined(cell.get("source")), cell.get("cell_type"), _hidden(cell)
    if "cell" in hidden:
        skipped["hidden cell of a notebook"] += 1
    elif kind == "markdown":
        yield without_comments(without_front_matter(text), ".md", skipped)
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
    metadata = cell.get("metadata") or {}
    tags = (REMOVED.match(str(tag)) for tag in metadata.get("tags") or ())
    hidden = {tag[1] or "cell" for tag in tags if tag}
    slide = (metadata.get("slideshow") or {}).get("slide_type")
    is_hidden = slide in ("skip", "notes") or metadata.get("nbsphinx") == "hidden"
    hidden |= {"cell"} if is_hidden else set()
    hidden |= {HIDES[option[1]] for option in OPTION.finditer(_joined(cell.get("source")))}
    jupyter = metadata.get("jupyter") or {}
    places = (("input", "source_hidden"), ("output", "outputs_hidden"))
    return hidden | {part for part, name in places if jupyter.get(name)}


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
    joined = "".join(map(str, text)) if isinstance(text, list) else str(text or "")
    return joined.replace("\r\n", "\n")


def _block(text: str, language: str) -> str:
    """Return a code block whose fence is longer than those in the text."""
    longest = max(map(len, FENCE.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}" if text.strip() else ""
