"""The items of a search: rows of its statements, with previews."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any
from urllib.parse import quote

from orgctx.operations.exposure import Caller, Source, by_id, ids
from orgctx.operations.lookups import message_href
from orgctx.operations.source_kinds import KNOWLEDGE_KINDS, KNOWLEDGE_SCOPE, PEOPLE_KINDS
from orgctx.operations.stored_text import LETTER, Folded, TextWork, occurrences
from orgctx.schemas.text import (
    PREVIEW_LENGTH,
    centered,
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
    "search/find_singles": ("profile", "token"),
}
# The kinds of item, each with the path that reads one; empty if another part makes it.
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
# Of a preview in tools. With 360, bench.agents finds one answer less.
LONG_PREVIEW = 480
# Occurrences of q that are looked at, of one record.
MOST_OCCURRENCES = 100


def parts_of(caller: Caller, sources: Sequence[Source]) -> Iterator[tuple[str, list[str]]]:
    """Yield the statements that have sources to search, with the ids of these sources."""
    for name, kinds in PARTS.items():
        source_ids = ids(source for source in sources if source.kind in kinds)
        is_readable = kinds is not KNOWLEDGE_KINDS or KNOWLEDGE_SCOPE in caller.scopes
        if source_ids and is_readable:
            yield name, source_ids


def item_of(
    row: Mapping[str, Any], q: str, sources: Sequence[Source], length: int = PREVIEW_LENGTH
) -> dict[str, Any]:
    """Return the members of a SearchItem. q: the term that was found. length: of the preview."""
    (source,) = by_id(sources, row["source_id"])
    return {
        "id": row["id"],
        "kind": row["kind"],
        "title": row["title"],
        "preview": preview_of(row, q, length),
        "source_label": source.label,
        "source_id": source.id,
        "href": row["href"] or href_of(row["kind"], row["id"]),
        "updated_at": row["at"],
    }


def href_of(kind: str, id_: str) -> str:
    """Return the path that reads an item whose statement returns no href."""
    return message_href(id_) if kind == "message" else ITEM_HREFS[kind].format(quote(id_, safe=""))


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


def is_inside_word(row: Mapping[str, Any], q: str, work: TextWork) -> bool:
    """Return whether each occurrence of q that the row shows is in a longer word: com*press*."""
    term = fold(q)
    if not LETTER.match(term):
        return False
    text = Folded(f"{row['title']}\n{row['excerpt']}", work).folded
    places = islice(occurrences(text, term, term, work), MOST_OCCURRENCES)
    return {place.kind for place in places} == {"inside"}
