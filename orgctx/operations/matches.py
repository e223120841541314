"""Where a term is in long documents, for tools: an agent then reads there, not from the start."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from orgctx.errors import RequestTimeout
from orgctx.operations.operation import Reader

# Contents that one call of read_knowledge does not return whole, in UTF-16 code units.
LONG_UNITS = 20_000
# What is examined of each document: chunks, and chunks with a match.
CHUNK_LIMIT, MATCH_LIMIT = 200, 50


def match_members(
    reader: Reader, source_ids: Sequence[str], knowledge_ids: Sequence[str], q: str | None
) -> dict[str, dict[str, Any]]:
    """Return `matchOffset` and `furtherMatchCount` by id, for long documents that contain q.

    Returns {} if it takes too long, because the documents themselves are known already.
    """
    if not q or not knowledge_ids:
        return {}
    try:
        rows = reader.rows(
            "knowledge/find_matches",
            source_ids=source_ids,
            knowledge_ids=knowledge_ids,
            q=q,
            segment_start=0,
            first_chunk=0,
            least_units=LONG_UNITS,
            chunk_limit=CHUNK_LIMIT,
            match_limit=MATCH_LIMIT,
        ).dicts()
    except RequestTimeout:
        return {}
    return {
        row["id"]: {
            "matchOffset": row["match_offset"],
            "furtherMatchCount": row["further_count"],
        }
        for row in rows
    }
