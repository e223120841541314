"""Convert RTF texts, without hidden text, deleted text and comments."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from striprtf.striprtf import rtf_to_text

from orgctx.importers.documents.converted import ConversionError, Converted

# A control word with its parameter, a control symbol, a brace, or text.
TOKEN = re.compile(
    r"\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,9})? ?"
    r"|(?P<text>\\'[0-9a-fA-F]{2}|[^\\{}]+)|\\.|[{}]|\\\Z",
    re.DOTALL,
)
HEADER = "header or footer"
# Destinations that are no text of the document, and how they are counted.
DROPPED = {
    **dict.fromkeys(("header", "headerl", "headerr", "headerf"), HEADER),
    **dict.fromkeys(("footer", "footerl", "footerr", "footerf"), HEADER),
    **dict.fromkeys(("atnid", "atnauthor", "atndate", "atnref", "atnparent", "atntime"), ""),
    "annotation": "comment",
    "fldinst": "address of a link, or another field",
    "pict": "picture",
    "objdata": "embedded object",
}
TITLE = re.compile(r"\\title ([^{}\\]*)")
CREATED, UPDATED = (
    re.compile(rf"\\{name}\\yr(\d{{4}})\\mo(\d\d?)\\dy(\d\d?)(?:\\hr(\d\d?))?(?:\\min(\d\d?))?")
    for name in ("creatim", "revtim")
)
HIDDEN = {"v": "hidden text", "deleted": "deleted text of a tracked change"}


@dataclass(frozen=True, slots=True)
class _Group:
    """The state of a group, which ends with it. hidden: a key of HIDDEN."""

    is_dropped: bool = False
    hidden: str = ""
    end: str = "}"


def convert(content: bytes) -> Converted:
    """Convert a text. Footnotes follow in brackets; what is left out is counted."""
    if not content.lstrip().startswith(b"{\\rtf"):
        raise ConversionError("is damaged or of another type")
    text = content.decode("latin-1")
    title = TITLE.search(text)
    document = Converted(title=title[1] if title else "", content_format="plain_text")
    document.created, document.updated = (_time(text, pattern) for pattern in (CREATED, UPDATED))
    visible = _visible(text, document.skipped)
    document.content = rtf_to_text(visible, errors="replace")  # type: ignore[no-untyped-call]
    return document


def _time(text: str, pattern: re.Pattern[str]) -> float | None:
    match = pattern.search(text)
    if not match:
        return None
    try:
        year, month, day, hour, minute = (int(part or 0) for part in match.groups())
        return datetime(year, month, day, hour, minute, tzinfo=UTC).timestamp()
    except ValueError:
        return None


def _visible(text: str, skipped: Counter[str]) -> str:
    """Remove what a reader of the document does not see."""
    kept: list[str] = []
    groups, group, position = [], _Group(), 0
    while token := TOKEN.match(text, position):
        position = token.end()
        word, number = token["word"], token["number"]
        if word == "bin":  # bytes, not tokens
            position += max(int(number or 0), 0)
        elif token[0] == "{":
            groups.append(group)
            group = replace(group, end="}")
            kept.append("" if group.is_dropped else "{")
        elif token[0] == "}":
            kept.append("" if group.is_dropped else group.end)
            group = groups.pop() if groups else _Group()
        elif group.is_dropped:
            continue
        elif word in DROPPED:
            skipped[DROPPED[word]] += 1
            group = replace(group, is_dropped=True)
            kept.append("}" if groups else "")
        elif word == "footnote":
            group = replace(group, end="]}")
            kept.append(" [")
        elif word in (*HIDDEN, "plain"):
            group = _switched(group, word, number, skipped)
            kept.append(token[0])
        elif not (group.hidden and (token["text"] or word == "u")):
            kept.append(token[0])
    return "".join(kept)


def _switched(group: _Group, word: str, number: str | None, skipped: Counter[str]) -> _Group:
    """Return the group after a word that hides or shows the text that follows."""
    is_hidden = word != "plain" and number != "0"
    if is_hidden and not group.hidden:
        skipped[HIDDEN[word]] += 1
    return replace(group, hidden=word if is_hidden else "")
