"""The items of a search: rows of its statements, with previews."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from orgctx.operations.exposure import Source, by_id
from orgctx.resources.search.parts import ITEM_HREFS
from orgctx.schemas.excerpt import centred, preview
from orgctx.schemas.white_space import matched_length


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


def preview_of(row: Mapping[str, Any], q: str) -> str:
    excerpt, match_at = row["excerpt"], row["match_at"]
    if not match_at:
        return preview(excerpt)
    start = match_at - 1
    end = start + matched_length(excerpt, start, q)
    return centred(
        excerpt[:start],
        excerpt[start:end],
        excerpt[end:],
        starts=row["starts"],
        ends=row["ends"],
    )
