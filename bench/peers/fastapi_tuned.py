"""FastAPI with everything taken out of the way that the documentation lets one take out.

No response models, no dependency injection on the hot path, orjson, and connections that are
neither reset nor checked between requests.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from hashlib import sha256
from time import time
from typing import Annotated, Any
from uuid import UUID, uuid4

import orjson
from fastapi import FastAPI, Query, Request, Response

from bench.peers import connections, parameters, shapes
from bench.peers.statements import SEARCH, bound
from orgctx.operations.exposure import Caller
from orgctx.stores.quota import CHARGE

LIMITS = int(os.environ["ORGCTX_LIMIT_KEY"]), int(os.environ["ORGCTX_LIMIT_ORGANIZATION"])
IP_LIMIT = int(os.environ["ORGCTX_LIMIT_IP"])
# Address, key and organization are charged at once, after the look-up, which shows what fewer
# round trips are worth.
# An address beyond its limit then costs a look-up.
ONE_CHARGE = "ORGCTX_BENCH_ONE_CHARGE" in os.environ


class _State:
    """What one process holds."""

    pool: Any
    redis: Any
    script: str


state = _State()


async def keep(_: Any) -> None:
    """Do not reset a connection: nothing here changes its state."""


@asynccontextmanager
async def lifespan(_: FastAPI) -> AsyncIterator[None]:
    state.redis = connections.open_redis()
    state.script = await state.redis.script_load(CHARGE)
    state.pool = await connections.open_pool(keep)
    yield
    await state.pool.close()
    await state.redis.aclose()


app = FastAPI(lifespan=lifespan, openapi_url=None)


async def charge(keys: list[str], arguments: list[int]) -> list[int]:
    answer: list[int] = await state.redis.evalsha(state.script, len(keys), *keys, *arguments)
    return answer[1:]


async def respond(request: Request, answer: Callable[[Caller], Any]) -> Response:
    """The whole of one request; `answer` gives the awaitable document."""
    now = int(time())
    address = request.client.host if request.client else "unix"
    ip_keys, ip_arguments = parameters.ip_charge(address, IP_LIMIT, now)
    counters = [] if ONE_CHARGE else await charge(ip_keys, ip_arguments)
    digest = parameters.key_of(request.headers.get("authorization"))
    rows = digest and await state.pool.fetch(*bound("gate/find_key", {"key_hash": digest}))
    if not rows:
        return refuse()
    who = shapes.caller(rows)
    keys, arguments = parameters.key_charge(who, LIMITS, now)
    if ONE_CHARGE:
        arguments = [*arguments[:-2], IP_LIMIT, *LIMITS]
    counters += await charge([*ip_keys, *keys] if ONE_CHARGE else keys, arguments)
    body = orjson.dumps(await answer(who), option=orjson.OPT_UTC_Z, default=str)
    etag = f'"{sha256(body).hexdigest()[:32]}"'
    headers = {
        "Cache-Control": "private, no-cache",
        "Vary": "Authorization",
        "ETag": etag,
        "X-Request-Id": str(uuid4()),
        "X-Content-Type-Options": "nosniff",
        **parameters.rate_limits(counters, [IP_LIMIT, *LIMITS]),
    }
    if request.headers.get("if-none-match") == etag:
        return Response(status_code=304, headers=headers)
    return Response(body, 200, headers, "application/json")


def refuse() -> Response:
    request_id = str(uuid4())
    error = {"code": "unauthorized", "message": "The API key cannot be used."}
    headers = {
        "Cache-Control": "no-store",
        "WWW-Authenticate": "Bearer",
        "X-Request-Id": request_id,
        "X-Content-Type-Options": "nosniff",
    }
    body = orjson.dumps({"error": error, "requestId": request_id})
    return Response(body, 401, headers, "application/json")


@app.get("/api/v1/assets/{id}", response_model=None)
async def read_asset(request: Request, id: UUID) -> Response:
    async def answer(who: Caller) -> Any:
        values = parameters.asset(who, id)
        return shapes.asset(who, await state.pool.fetch(*bound("assets/read_asset", values)))

    return await respond(request, answer)


@app.get("/api/v1/telegram/chats/{id}/messages", response_model=None)
async def list_telegram_messages(
    request: Request,
    id: UUID,
    before: Annotated[int | None, Query(ge=1, le=2_147_483_647)] = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> Response:
    async def answer(who: Caller) -> Any:
        values = parameters.messages(who, id, before, limit)
        rows = await state.pool.fetch(*bound("telegram/list_telegram_messages", values))
        return shapes.messages(who, rows, None, limit)

    return await respond(request, answer)


@app.get("/api/v1/context", response_model=None)
async def get_context(request: Request) -> Response:
    async def answer(who: Caller) -> Any:
        values = parameters.context(who)
        return shapes.context(who, await state.pool.fetch(*bound("context/get_context", values)))

    return await respond(request, answer)


@app.get("/api/v1/knowledge/{id}", response_model=None)
async def read_knowledge(
    request: Request,
    id: str,
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=50_000)] = 20_000,
) -> Response:
    async def answer(who: Caller) -> Any:
        values = parameters.knowledge(who, id, offset, limit)
        rows = await state.pool.fetch(*bound("knowledge/read_knowledge", values))
        return shapes.knowledge(who, rows, offset, limit)

    return await respond(request, answer)


@app.get("/api/v1/people", response_model=None)
async def list_people(
    request: Request, page: Annotated[int, Query(ge=1, le=10_000)] = 1
) -> Response:
    async def answer(who: Caller) -> Any:
        values = parameters.people(who, page)
        rows = await state.pool.fetch(*bound("people/list_people", values))
        return shapes.people(who, rows, page)

    return await respond(request, answer)


@app.get("/api/v1/search", response_model=None)
async def search_context(
    request: Request,
    q: Annotated[str | None, Query(max_length=200)] = None,
    limit: Annotated[int, Query(ge=1, le=50)] = 20,
) -> Response:
    async def answer(who: Caller) -> Any:
        values = parameters.search(who, q, limit)
        rows = await state.pool.fetch(*bound(SEARCH, values))
        return shapes.search(who, rows, q, limit)

    return await respond(request, answer)
