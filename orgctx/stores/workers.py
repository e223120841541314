"""Whether the coordinator of a Citus cluster reaches its workers. Contains no query text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from orgctx.errors import ApiError
from orgctx.stores.deadline import Deadline
from orgctx.stores.replicas import OK, UNREACHABLE

if TYPE_CHECKING:
    from orgctx.stores.pool import Pool

# A connection that is silent for this long does not count as broken (see Pool).
CHECK_SECONDS = 2


class Worker(NamedTuple):
    """name: host and port. state: OK or UNREACHABLE."""

    name: str
    state: str


def list_workers(pool: Pool) -> list[Worker]:
    """Return the workers by age, none if the database is not distributed.

    Each is checked by itself, because one that is silent delays the statement until its deadline.
    """
    if not pool.has_shards:
        return []
    rows = pool.query("citus/list_workers", {}, Deadline(CHECK_SECONDS)).rows
    return [Worker(f"{host}:{port}", _state(pool, host, port)) for host, port in rows]


def _state(pool: Pool, host: str, port: int) -> str:
    try:
        rows = pool.query(
            "citus/check_worker", {"host": host, "port": port}, Deadline(CHECK_SECONDS)
        )
    except ApiError:
        return UNREACHABLE
    return OK if rows.rows[0][0] else UNREACHABLE
