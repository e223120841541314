"""What several resources look up: matches, places of files, titles, people by name, paths."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple
from urllib.parse import unquote

from orgctx.errors import InvalidParameter
from orgctx.operations.exposure import ids
from orgctx.operations.operation import Reader
from orgctx.schemas.text import ELLIPSIS, preview
from orgctx.stores.db import Row

# Contents that one call of read_knowledge does not return whole, in UTF-16 code units.
LONG_UNITS = 20_000
# Chunks of each document that are examined.
CHUNK_LIMIT = 200
# Of what tells a title apart, and what separates the parts of a link.
MAX_PLACE, SEPARATORS = 80, re.compile(r"[/?#&]+")
MAX_KEYS = 5
# The id of a person who does not exist, because no id contains a slash.
NOBODY = "/"


def find_matches(
    reader: Reader,
    source_ids: Sequence[str],
    knowledge_ids: Sequence[str],
    q: str,
    **bounds: int,
) -> list[Row]:
    """Return the rows of operations/find_matches. bounds: its other parameters."""
    values = {"source_ids": source_ids, "knowledge_ids": knowledge_ids, "q": q, **bounds}
    return reader.rows("operations/find_matches", **values).dicts()


def matches_in(
    reader: Reader, source_ids: Sequence[str], knowledge_ids: Sequence[str], q: str | None
) -> dict[str, dict[str, int]]:
    """Return `matchOffset` of long documents that contain q, by id.

    An agent then reads there, not from the start.
    """
    if not q or not knowledge_ids:
        return {}
    rows = find_matches(
        reader,
        source_ids,
        knowledge_ids,
        q,
        segment_start=0,
        first_chunk=0,
        least_units=LONG_UNITS,
        chunk_limit=CHUNK_LIMIT,
    )
    return {row["id"]: {"matchOffset": row["match_offset"]} for row in rows}


def message_href(id_: str) -> str:
    """Return the path that reads one message. id_: of its item, the chat and the message."""
    chat_id, _, number = id_.partition(":")
    # The largest possible id needs no `before`.
    before = f"before={int(number) + 1}&" if int(number) < 2**31 - 1 else ""
    return f"/api/v1/telegram/chats/{chat_id}/messages?{before}limit=1"


def places_of_assets(reader: Reader, asset_ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return path and more of the files and folders that the key may read, by id.

    The members are `kind`, `bytes`, `publicUrl`, `path`, `sourceId` and `sourceLabel`. A path
    starts with `…` below a folder that the key may not read.
    """
    if not asset_ids:
        return {}
    sources = reader.caller.exposed("assets")
    labels = {source.id: source.label for source in sources}
    rows = reader.rows(
        "operations/list_places_of_assets", asset_ids=asset_ids, source_ids=ids(sources)
    )
    return {
        str(row["id"]): {
            "kind": row["kind"],
            "bytes": row["bytes"],
            "publicUrl": row["public_url"],
            "path": "/".join([ELLIPSIS] * row["is_cut"] + row["folders"]),
            "sourceId": row["source_id"],
            "sourceLabel": labels[row["source_id"]],
        }
        for row in rows.dicts()
    }


class Titled(NamedTuple):
    """A document with what is stored about its place."""

    id: str
    title: str
    href: str | None  # where a person reads it
    label: str  # of its place


def distinct_titles(documents: Iterable[Titled]) -> dict[str, str]:
    """Return titles by id that name version or folder, for documents that share their title.

    Omits documents whose place is not stored or the same.
    """
    groups: dict[str, list[Titled]] = defaultdict(list)
    for document in documents:
        groups[document.title].append(document)
    return {
        document.id: f"{document.title} ({preview(place, MAX_PLACE)})"
        for group in groups.values()
        for document, place in zip(group, _places(group), strict=True)
        if place
    }


def _places(group: Sequence[Titled]) -> list[str]:
    """Return what differs between the links of documents, else between their labels."""
    ends = _without_common_start([_segments(document.href) for document in group])
    reversed_ends = _without_common_start([path[::-1] for path in ends])
    places = ["/".join(path[::-1]) for path in reversed_ends]
    labels = [document.label for document in group]
    return places if any(places) or len(set(labels)) == 1 else labels


def _segments(href: str | None) -> list[str]:
    """Return the parts of a link, with those of its query, because versions can be there."""
    parts = SEPARATORS.split((href or "").partition("//")[2])
    return [unquote(part) for part in parts if part]


def _without_common_start(paths: list[list[str]]) -> list[list[str]]:
    while all(paths) and len({path[0] for path in paths}) == 1:
        paths = [path[1:] for path in paths]
    return paths


def person_id(
    reader: Reader,
    source_ids: Sequence[str],
    platform: str,
    argument: str,
    name: str,
    *,
    has_display_name: bool = False,
) -> str:
    """Return the id of the person with an exact username, ignoring case; NOBODY without one.

    Args:
        argument: the argument that contains the name.
        name: a username with or without @.
        has_display_name: whether all of `name` may be a display name too.

    Raises:
        InvalidParameter: several people have the name. The message lists their keys.
    """
    rows = reader.rows(
        "operations/find_named",
        source_ids=source_ids,
        person_name=name.removeprefix("@") or name,
        display_name=name if has_display_name else None,
    ).dicts()
    if len(rows) > 1:
        keys = ", ".join(f"{platform}:{row['person_id']}" for row in rows[:MAX_KEYS])
        more = " and more" if len(rows) > MAX_KEYS else ""
        raise InvalidParameter(
            f"{argument} is the name of several people: {keys}{more}; read_person describes them"
        )
    return rows[0]["person_id"] if rows else NOBODY
