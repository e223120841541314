"""FastAPI tuned by hand, by the means that its documentation names.

It has no response models and no dependency injection on the hot path, uses orjson, and neither
resets nor checks connections between requests.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from time import time
from typing import Any
from uuid import UUID

from fastapi import FastAPI, Request, Response

from bench.peers import fastapi_shared as shared
from bench.peers import quota, reads, responses
from bench.peers.fastapi_shared import bound
from bench.peers.statements import FIND_CALLER
from orgctx.operations.exposure import Caller
from orgctx.stores.quota import CHARGE


class _State:
    """The connections of one process."""

    pool: Any
    redis: Any
    script: str


state = _State()


async def keep(_: Any) -> None:
    """Skip the reset of a connection: no request changes its state."""


@asynccontextmanager
async def lifespan(_: FastAPI) -> AsyncIterator[None]:
    state.redis = shared.open_redis()
    state.script = await state.redis.script_load(CHARGE)
    state.pool = await shared.open_pool(keep)
    yield
    await state.pool.close()
    await state.redis.aclose()


app = FastAPI(lifespan=lifespan, openapi_url=None)


async def charge(keys: list[str], arguments: list[int]) -> list[int]:
    answer: list[int] = await state.redis.evalsha(state.script, len(keys), *keys, *arguments)
    return answer[2:]


async def respond(request: Request, read_of: Callable[[Caller], reads.Read]) -> Response:
    """Handle one request; `read_of` returns what its caller reads."""
    now = int(time())
    address = request.client.host if request.client else "unix"
    counters = await charge(*quota.address_charge(address, now))
    digest = quota.key_hash(request.headers.get("authorization"))
    rows = digest and await state.pool.fetch(*bound(FIND_CALLER, {"key_hash": digest}))
    if not rows:
        body, headers = responses.unauthorized()
        return Response(body, 401, headers, "application/json")
    caller = reads.caller_of(rows)
    counters += await charge(*quota.key_charge(caller, now))
    read = read_of(caller)
    document = read.answer(await state.pool.fetch(*bound(read.statement, read.parameters)))
    body, headers = responses.success(document, counters)
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    return Response(body, 200, headers, "application/json")


@app.get("/api/v1/assets/{id}", response_model=None)
async def read_asset(request: Request, id: UUID) -> Response:
    return await respond(request, lambda caller: reads.asset(caller, id))


@app.get("/api/v1/telegram/chats/{id}/messages", response_model=None)
async def list_telegram_messages(
    request: Request, id: UUID, before: shared.Before = None, limit: shared.MessageLimit = 50
) -> Response:
    return await respond(request, lambda caller: reads.messages(caller, id, before, limit))


@app.get("/api/v1/context", response_model=None)
async def get_context(request: Request) -> Response:
    return await respond(request, reads.context)


@app.get("/api/v1/knowledge/{id}", response_model=None)
async def read_knowledge(
    request: Request, id: str, offset: shared.Offset = 0, limit: shared.SegmentLimit = 20_000
) -> Response:
    return await respond(request, lambda caller: reads.knowledge(caller, id, offset, limit))


@app.get("/api/v1/people", response_model=None)
async def list_people(request: Request, page: shared.Page = 1) -> Response:
    return await respond(request, lambda caller: reads.people(caller, page))


@app.get("/api/v1/search", response_model=None)
async def search_context(
    request: Request, q: shared.Term = None, limit: shared.SearchLimit = 20
) -> Response:
    return await respond(request, lambda caller: reads.search(caller, q, limit))
