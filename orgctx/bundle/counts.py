"""What a load counts, and how many records sources have, for their list."""

from collections import Counter
from collections.abc import Sequence
from typing import Any
from uuid import UUID

import psycopg
from psycopg.rows import tuple_row

from orgctx.stores.db import sql

COUNTS = ("created", "updated", "unchanged", "deleted")
CHANGES = ("created", "updated", "deleted")


class Summary(dict[str, dict[str, int]]):
    """What a load counts, by record type: "read" and COUNTS.

    held: the reasons of the holds that began, by organization, source and document. secrets: the
    number of records with a secret that cannot be held, by organization and source.
    """

    def __init__(self) -> None:
        super().__init__()
        self.held: dict[tuple[UUID, str, str], set[str]] = {}
        self.secrets: Counter[tuple[UUID, str]] = Counter()

    def as_json(self) -> dict[str, Any]:
        """Return the counts, and how many documents were held for each reason."""
        types: dict[str, Any] = dict(self)
        if reasons := self.held_reasons():
            types["knowledge"] = self["knowledge"] | {"held": reasons}
        return types

    def held_reasons(self) -> dict[str, int]:
        return dict(Counter(reason for reasons in self.held.values() for reason in sorted(reasons)))


def count_records(
    connection: psycopg.Connection[Any], organization_id: UUID, source_ids: Sequence[str]
) -> None:
    """Store how many records these sources have now.

    The caller must hold the lock of the organization; otherwise the counts would miss records of a
    concurrent transaction. There are two statements, because Citus cannot read distributed tables
    and change a reference table, such as sources, in one statement.
    """
    parameters = {"organization_id": organization_id, "source_ids": [*source_ids]}
    with connection.cursor(row_factory=tuple_row) as cursor:
        rows = cursor.execute(sql("bundle/count_records"), parameters).fetchall()
        if rows:
            ids, counts, chat_ids = (list(column) for column in zip(*rows, strict=True))
            parameters |= {"source_ids": ids, "record_counts": counts, "chat_ids": chat_ids}
            cursor.execute(sql("bundle/store_counts"), parameters)
