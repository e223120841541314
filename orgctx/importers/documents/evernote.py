"""Convert Evernote exports (.enex); each note is a document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, BinaryIO

from bs4 import BeautifulSoup
from lxml import etree

from orgctx.importers.documents.converted import Converted, seconds
from orgctx.importers.documents.message import with_facts
from orgctx.importers.documents.web_page import markdown_of


def convert_all(file: BinaryIO, start: int) -> Iterator[tuple[Converted, int]]:
    """Yield the notes from the number `start` on, each with the number after it."""
    names: Counter[str] = Counter()
    notes = etree.iterparse(
        file, tag=("{*}note", "{*}resource"), resolve_entities=False, load_dtd=False,
        no_network=True, huge_tree=True,
    )  # fmt: skip
    number = 0
    for _, element in notes:
        if etree.QName(element).localname == "resource":
            _clear(element)  # a picture or file, which may be large
            continue
        number += 1
        key = _key(element, names)
        if number > start:
            yield _convert(element, key), number
        _clear(element)


def _clear(element: Any) -> None:
    """Free an element and those before it."""
    element.clear()
    if element.tag == "note":
        while element.getprevious() is not None:
            del element.getparent()[0]


def _key(note: Any, names: Counter[str]) -> str:
    """Identify a note by title and creation: exports have no ids. Equal ones are numbered."""
    name = f"{note.findtext('title') or ''}\0{note.findtext('created') or ''}"
    names[name] += 1
    text = f"{name}\0{names[name]}" if names[name] > 1 else name
    return sha256(text.encode(errors="replace")).hexdigest()[:32]


def _convert(note: Any, key: str) -> Converted:
    created, updated = (seconds(note.findtext(name)) for name in ("created", "updated"))
    document = Converted(
        title=note.findtext("title") or "", created=created, updated=updated, key=key
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
