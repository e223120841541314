"""Write audit records."""

from __future__ import annotations

from functools import partial
from typing import Any
from uuid import UUID

import orjson
import psycopg
from psycopg.types.json import Jsonb

from orgctx.stores.db import sql


def record(
    connection: psycopg.Connection[Any],
    organization_id: UUID,
    *,
    command: str,
    before: dict[str, Any],
    after: dict[str, Any],
    decided_by: UUID | None = None,
) -> None:
    """Add a record to the audit log.

    Args:
        command: the words of the command, such as `keys issue`.
        before, after: the values that change, by the id or name of what they belong to.
        decided_by: the member; None for a change that needs no decision.
    """
    values = {
        "organization_id": organization_id,
        "decided_by": decided_by,
        "command": command,
        "before": _jsonb(before),
        "after": _jsonb(after),
    }
    connection.execute(sql("cli/record_decision"), values)


def _jsonb(value: Any) -> Jsonb:
    return Jsonb(value, dumps=partial(orjson.dumps, default=str))
