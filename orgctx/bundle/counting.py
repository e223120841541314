"""Count the records of sources, which the list of sources shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import psycopg
from psycopg.rows import tuple_row

from orgctx.stores.db import sql


def count_records(
    connection: psycopg.Connection[Any], organization_id: UUID, source_ids: Sequence[str]
) -> None:
    """Store how many records these sources have now.

    The caller must hold the organization's lock (cli/lock_organization), because counts taken while
    another transaction stores records would be outdated when written. Two statements: a distributed
    database can read an organization's records and change the sources, which every server has a
    copy of, only one after the other.
    """
    of = {"organization_id": organization_id, "source_ids": [*source_ids]}
    with connection.cursor(row_factory=tuple_row) as cursor:
        counted = cursor.execute(sql("cli/count_records"), of).fetchall()
        if counted:
            ids, counts, chat_ids = (list(column) for column in zip(*counted, strict=True))
            of |= {"source_ids": ids, "record_counts": counts, "chat_ids": chat_ids}
            cursor.execute(sql("cli/store_counts"), of)
