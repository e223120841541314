"""asyncpg pools and the Redis client of both FastAPI peers."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg
import orjson
from redis.asyncio import Redis

SETTINGS = {"jit": "off", "timezone": "UTC"}
# asyncpg's default.
POOL_SIZE = 10


async def set_codec(connection: Any) -> None:
    """Read jsonb as Python values."""
    await connection.set_type_codec(
        "jsonb", schema="pg_catalog", encoder=orjson.dumps, decoder=orjson.loads
    )


async def open_pool(
    reset: Callable[[Any], Awaitable[None]] | None = None, **settings: str
) -> asyncpg.Pool:
    """A pool. reset: instead of asyncpg's own. settings: of the server."""
    return await asyncpg.create_pool(
        os.environ["ORGCTX_DATABASE_URL"],
        min_size=1,
        max_size=POOL_SIZE,
        init=set_codec,
        reset=reset,
        server_settings=SETTINGS | settings,
    )


async def open_search_pool(
    reset: Callable[[Any], Awaitable[None]] | None = None,
) -> asyncpg.Pool:
    """A pool for statements whose best plan depends on the values."""
    return await open_pool(reset, plan_cache_mode="force_custom_plan")


def open_redis() -> Redis:
    """A client with a pool of its own."""
    return Redis.from_url(os.environ["ORGCTX_REDIS_URL"])
