"""Look-ups that several resources share: matches in documents, places of files, people by name."""

from collections.abc import Sequence
from typing import Any

from orgctx.errors import InvalidParameter, RequestTimeout
from orgctx.operations.exposure import ids
from orgctx.operations.operation import Reader
from orgctx.schemas.text import ELLIPSIS
from orgctx.stores.db import Row

# Contents that one call of read_knowledge does not return whole, in UTF-16 code units.
LONG_UNITS = 20_000
# What is examined of each document: chunks, and chunks with a match.
CHUNK_LIMIT, MATCH_LIMIT = 200, 50
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


def match_members(
    reader: Reader, source_ids: Sequence[str], knowledge_ids: Sequence[str], q: str | None
) -> dict[str, dict[str, Any]]:
    """Return `matchOffset` and `furtherMatchCount` by id, for long documents that contain q.

    An agent then reads there, not from the start.

    Returns {} if it takes too long, because the documents themselves are known already.
    """
    if not q or not knowledge_ids:
        return {}
    try:
        rows = find_matches(
            reader,
            source_ids,
            knowledge_ids,
            q,
            segment_start=0,
            first_chunk=0,
            least_units=LONG_UNITS,
            chunk_limit=CHUNK_LIMIT,
            match_limit=MATCH_LIMIT,
        )
    except RequestTimeout:
        return {}
    return {
        row["id"]: {
            "matchOffset": row["match_offset"],
            "furtherMatchCount": row["further_count"],
        }
        for row in rows
    }


def places_of_assets(reader: Reader, asset_ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return for the files and folders that the key may read, by id, their path and more.

    The members are `kind`, `bytes`, `publicUrl`, `path`, `sourceId` and `sourceLabel`. A path
    starts with `…` below a folder that the key may not read.
    """
    if not asset_ids:
        return {}
    sources = reader.caller.exposed("assets")
    labels = {source.id: source.label for source in sources}
    rows = reader.rows(
        "operations/list_places_of_assets", asset_ids=asset_ids, source_ids=ids(sources)
    ).dicts()
    return {
        str(row["id"]): {
            "kind": row["kind"],
            "bytes": row["bytes"],
            "publicUrl": row["public_url"],
            "path": "/".join([ELLIPSIS] * row["is_cut"] + row["folders"]),
            "sourceId": row["source_id"],
            "sourceLabel": labels[row["source_id"]],
        }
        for row in rows
    }


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
