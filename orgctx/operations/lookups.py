"""Look-ups that several resources share: matches in documents, places of files, people by name."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from orgctx.errors import InvalidParameter
from orgctx.operations.exposure import Caller, ids
from orgctx.operations.operation import Reader
from orgctx.schemas.text import ELLIPSIS
from orgctx.stores.db import Row, Statement

# Contents that one call of read_knowledge does not return whole, in UTF-16 code units.
LONG_UNITS = 20_000
# Chunks of each document that are examined.
CHUNK_LIMIT = 200
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


class LookUp(NamedTuple):
    """What a tool looks up about the records of a result."""

    statement: Statement | None  # None: nothing
    members: Callable[[Sequence[Row]], dict[str, Any]]  # of its rows: by id of the record


def look_up(reader: Reader, *asked: LookUp) -> list[dict[str, Any]]:
    """Return the members of each look-up, in one round trip."""
    statements = [each.statement for each in asked if each.statement]
    rows = iter(reader.rows_of_all(statements))
    return [each.members(next(rows).dicts()) if each.statement else {} for each in asked]


def matches_in(source_ids: Sequence[str], knowledge_ids: Sequence[str], q: str | None) -> LookUp:
    """Look up `matchOffset` of long documents that contain q.

    An agent then reads there, not from the start.
    """
    parameters = {
        "source_ids": source_ids, "knowledge_ids": knowledge_ids, "q": q,
        "segment_start": 0, "first_chunk": 0, "least_units": LONG_UNITS,
        "chunk_limit": CHUNK_LIMIT,
    }  # fmt: skip

    def members(rows: Sequence[Row]) -> dict[str, Any]:
        return {row["id"]: {"matchOffset": row["match_offset"]} for row in rows}

    is_asked = q and knowledge_ids
    return LookUp(("operations/find_matches", parameters) if is_asked else None, members)


def places_of_assets(caller: Caller, asset_ids: Sequence[str]) -> LookUp:
    """Look up path and more of the files and folders that the key may read.

    The members are `kind`, `bytes`, `publicUrl`, `path`, `sourceId` and `sourceLabel`. A path
    starts with `…` below a folder that the key may not read.
    """
    sources = caller.exposed("assets")
    labels = {source.id: source.label for source in sources}
    parameters = {"asset_ids": asset_ids, "source_ids": ids(sources)}

    def members(rows: Sequence[Row]) -> dict[str, Any]:
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

    return LookUp(("operations/list_places_of_assets", parameters) if asset_ids else None, members)


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
