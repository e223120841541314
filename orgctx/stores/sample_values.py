"""A value of each type that answers contain, to find out whether the database returns it unchanged.

A default of the login or of the database may change how values are written and read.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import psycopg
from psycopg.types.json import Jsonb

from orgctx.errors import ServiceUnavailable
from orgctx.stores.db import Database
from orgctx.stores.deadline import Deadline

# Errors of psycopg's loaders, and of the server for a parameter.
UNREADABLE = (psycopg.DataError, NotImplementedError, ValueError)
# The parameters of gate/read_values, in the order of its columns.
VALUES: dict[str, Any] = {
    "moment": datetime(2026, 7, 9, 12, 34, 56, 789012, tzinfo=UTC),
    "period": timedelta(days=-1, hours=2, minutes=3, seconds=4.5),
    "words": ["a,b", "NULL", None, "é日🚢", "\\"],
    "document": {"é日🚢": [1.5, None, "\\"]},
    "bytes": b"\x00\xff\x27\x5c",
    "number": 0.1 + 0.2,
    "amount": Decimal("12345678901234567890.123456789"),
    "label": "é日🚢 \\",
    "id": UUID(int=7),
    "count": 2**53 + 1,
    "is_true": True,
}


def check(database: Database, deadline: Deadline) -> None:
    """Raise ServiceUnavailable if the database changes a value."""
    parameters = VALUES | {"document": Jsonb(VALUES["document"])}
    try:
        (result,) = database.query_all([("gate/read_values", parameters)], deadline)
    except UNREADABLE as error:
        raise _unavailable() from error
    if result.rows != [tuple(VALUES.values())] * 2:
        raise _unavailable()


def _unavailable() -> ServiceUnavailable:
    return ServiceUnavailable(
        "The database is unavailable. Retry with backoff.", reason="changes values"
    )
