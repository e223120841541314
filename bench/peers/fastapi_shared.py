"""What both FastAPI peers use: asyncpg, Redis and the types of query parameters."""

import os
import re
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Annotated, Any

import asyncpg
import orjson
from fastapi import Query
from redis.asyncio import Redis

from bench.peers.statements import SEARCH, text_of
from orgctx.stores.db import numbered

SETTINGS = {
    "jit": "off",
    "timezone": "UTC",
    "plan_cache_mode": "force_generic_plan",
    "max_parallel_workers_per_gather": "0",
}
# asyncpg's default.
POOL_SIZE = 10
# asyncpg asks the server for parameter types, and the server infers a wrong one here.
CASTS = {"before": "::bigint"}

Before = Annotated[int | None, Query(ge=1, le=2_147_483_647)]
MessageLimit = Annotated[int, Query(ge=1, le=100)]
Offset = Annotated[int, Query(ge=0, le=10_000_000)]
SegmentLimit = Annotated[int, Query(ge=1, le=50_000)]
Page = Annotated[int, Query(ge=1, le=10_000)]
Term = Annotated[str | None, Query(max_length=200)]
SearchLimit = Annotated[int, Query(ge=1, le=50)]


@cache
def cast(name: str) -> tuple[str, tuple[str, ...]]:
    """Return a statement with $1, $2, … and the names of these parameters."""
    statement, names = numbered(text_of(name))
    text = statement.decode()
    for number, each in enumerate(names, 1):
        if each in CASTS and name != SEARCH:
            text = re.sub(rf"\${number}\b", f"${number}{CASTS[each]}", text)
    return text, names


def bound(name: str, parameters: dict[str, Any]) -> tuple[Any, ...]:
    """Return the arguments of asyncpg's fetch: the statement and its values in order."""
    text, names = cast(name)
    return (text, *(parameters[each] for each in names))


async def set_codec(connection: Any) -> None:
    """Decode jsonb to Python values."""
    await connection.set_type_codec(
        "jsonb", schema="pg_catalog", encoder=orjson.dumps, decoder=orjson.loads
    )


async def open_pool(reset: Callable[[Any], Awaitable[None]] | None = None) -> asyncpg.Pool:
    """Open a pool. `reset` replaces asyncpg's own reset of a released connection."""
    return await asyncpg.create_pool(
        os.environ["ORGCTX_DATABASE_URL"],
        min_size=1,
        max_size=POOL_SIZE,
        init=set_codec,
        reset=reset,
        # 0 lifts asyncpg's size limit for cached statements, which the search exceeds.
        max_cacheable_statement_size=0,
        server_settings=SETTINGS,
    )


def open_redis() -> Redis:
    """Open a client with its own pool, large enough for every connection of a bench."""
    return Redis.from_url(os.environ["ORGCTX_REDIS_URL"], max_connections=1_000)
