"""The items of a search: rows of its statements, with previews."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, repeat
from typing import Any
from urllib.parse import quote

from orgctx.operations.exposure import Caller, Source, by_id, ids
from orgctx.operations.source_kinds import KNOWLEDGE_KINDS, KNOWLEDGE_SCOPE, PEOPLE_KINDS
from orgctx.operations.stored_text import LETTER, Folded, TextWork, occurrences
from orgctx.schemas.text import (
    PREVIEW_LENGTH,
    centered,
    collapse,
    fold,
    matched_length,
    preview,
)
from orgctx.stores.deadline import let_others_run

# The statements that find records, with the kinds of source that they search.
PARTS = {
    "search/find_messages": ("telegram",),
    "search/find_documents": KNOWLEDGE_KINDS,
    "search/find_posts": ("x",),
    "search/find_people": PEOPLE_KINDS,
    "search/find_assets": ("assets",),
    "search/find_profile": ("profile",),
    "search/find_token": ("token",),
}
# The kinds of item, each with the path that reads one; empty if the statement returns href.
ITEM_HREFS = {
    "document": "/api/v1/knowledge/{}",
    "note": "/api/v1/knowledge/{}",
    "message": "",
    "post": "",
    "person": "/api/v1/people/{}",
    "asset": "/api/v1/assets/{}",
    "profile": "/api/v1/context",
    "token": "/api/v1/token",
}

DOCUMENTS = ("document", "note")
# In tools: how long a record is shown whole, and the windows of the first longer ones.
WHOLE_LENGTH, WINDOWS = 600, (480, 480, 480)
# Occurrences of q that are looked at, of one record.
MOST_OCCURRENCES = 100


def parts_of(caller: Caller, sources: Sequence[Source]) -> Iterator[tuple[str, list[str]]]:
    """Yield the statements that have sources to search, with the ids of these sources."""
    for name, kinds in PARTS.items():
        source_ids = ids(source for source in sources if source.kind in kinds)
        is_readable = kinds is not KNOWLEDGE_KINDS or KNOWLEDGE_SCOPE in caller.scopes
        if source_ids and is_readable:
            yield name, source_ids


def item_of(row: Mapping[str, Any], q: str, sources: Sequence[Source]) -> dict[str, Any]:
    """Return the members of a SearchItem. q: the term that was found, for the preview."""
    (source,) = by_id(sources, row["source_id"])
    return {
        "id": row["id"],
        "kind": row["kind"],
        "title": row["title"],
        "preview": preview_of(row, q),
        "source_label": source.label,
        "source_id": source.id,
        "href": row["href"] or ITEM_HREFS[row["kind"]].format(quote(row["id"], safe="")),
        "updated_at": row["at"],
    }


def brief(item: dict[str, Any]) -> dict[str, Any]:
    """Leave out the label, which is with the source, and an href into this service.

    Agents read records by id.
    """
    is_own = (item["href"] or "/").startswith("/")
    left_out = {"sourceLabel", "href"} if is_own else {"sourceLabel"}
    return {name: value for name, value in item.items() if name not in left_out}


def preview_of(row: Mapping[str, Any], q: str, length: int = PREVIEW_LENGTH) -> str:
    """Return the excerpt of a row around its match, in at most `length` characters."""
    excerpt, match_at = row["excerpt"], row["match_at"]
    if not match_at:
        return preview(excerpt, length)
    # Finding where a match ends may take some milliseconds.
    let_others_run()
    start = match_at - 1
    end = row.get("match_end") or start + matched_length(excerpt, start, q)
    return centered(
        excerpt[:start],
        excerpt[start:end],
        excerpt[end:],
        starts=row["starts"],
        ends=row["ends"],
        length=length,
    )


def long_previews(rows: Iterable[tuple[Mapping[str, Any], str]]) -> Iterator[str]:
    """Yield a preview for each row and its term: short records whole, and longer first windows."""
    lengths = chain(WINDOWS, repeat(PREVIEW_LENGTH))
    for row, q in rows:
        yield preview_of(row, q, WHOLE_LENGTH if _is_short(row) else next(lengths))


def _is_short(row: Mapping[str, Any]) -> bool:
    """Return whether the excerpt is all of a record, and short enough to be shown whole."""
    # Without a match, the excerpt of a document is the beginning of its text.
    is_whole = row["starts"] and row["ends"] and (row["match_at"] or row["kind"] not in DOCUMENTS)
    return is_whole and len(collapse(row["excerpt"])) <= WHOLE_LENGTH


def is_inside_word(row: Mapping[str, Any], q: str, work: TextWork) -> bool:
    """Return whether each occurrence of q that the row shows is in a longer word: com*press*."""
    term = fold(q)
    if not LETTER.match(term):
        return False
    text = Folded(f"{row['title']}\n{row['excerpt']}", work).folded
    places = islice(occurrences(text, term, term, work), MOST_OCCURRENCES)
    return {place.kind for place in places} == {"inside"}
