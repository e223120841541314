"""asyncpg pools and the Redis client of both FastAPI peers."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg
import orjson
from redis.asyncio import Redis

SETTINGS = {
    "jit": "off",
    "timezone": "UTC",
    "plan_cache_mode": "force_generic_plan",
    "max_parallel_workers_per_gather": "0",
}
# asyncpg's default.
POOL_SIZE = 10


async def set_codec(connection: Any) -> None:
    """Read jsonb as Python values."""
    await connection.set_type_codec(
        "jsonb", schema="pg_catalog", encoder=orjson.dumps, decoder=orjson.loads
    )


async def open_pool(reset: Callable[[Any], Awaitable[None]] | None = None) -> asyncpg.Pool:
    """A pool. reset: instead of asyncpg's own."""
    return await asyncpg.create_pool(
        os.environ["ORGCTX_DATABASE_URL"],
        min_size=1,
        max_size=POOL_SIZE,
        init=set_codec,
        reset=reset,
        # The search is longer than what it keeps prepared otherwise.
        max_cacheable_statement_size=0,
        server_settings=SETTINGS,
    )


def open_redis() -> Redis:
    """A client with a pool of its own."""
    return Redis.from_url(os.environ["ORGCTX_REDIS_URL"])
