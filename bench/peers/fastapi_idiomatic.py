"""A FastAPI peer written as its documentation teaches, with response models and dependencies."""

from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from hashlib import sha256
from time import time
from typing import Annotated, Any
from uuid import UUID, uuid4

import asyncpg
from fastapi import APIRouter, Depends, FastAPI, Header, HTTPException, Request, Response
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute

from bench.peers import fastapi_shared as shared
from bench.peers import models, quota, reads
from bench.peers.fastapi_shared import bound
from bench.peers.statements import FIND_CALLER
from orgctx.operations.exposure import Caller
from orgctx.stores.quota import CHARGE

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    app.state.redis = shared.open_redis()
    app.state.charge = app.state.redis.register_script(CHARGE)
    async with await shared.open_pool() as pool:
        app.state.pool = pool
        yield
    await app.state.redis.aclose()


class ConditionalRoute(APIRoute):
    """A route that adds an ETag and answers 304 if the client already has it."""

    def get_route_handler(self) -> Handler:
        handler = super().get_route_handler()

        async def conditional(request: Request) -> Response:
            response = await handler(request)
            etag = f'"{sha256(response.body).hexdigest()[:32]}"'
            response.headers["ETag"] = etag
            response.headers["Cache-Control"] = "private, no-cache"
            response.headers["Vary"] = "Authorization"
            response.headers["X-Request-Id"] = str(uuid4())
            response.headers["X-Content-Type-Options"] = "nosniff"
            if request.headers.get("If-None-Match") == etag:
                del response.headers["Content-Length"]
                return Response(status_code=304, headers=response.headers)
            return response

        return conditional


async def acquire_connection(request: Request) -> AsyncIterator[asyncpg.Connection]:
    async with request.app.state.pool.acquire() as connection:
        yield connection


Connection = Annotated[asyncpg.Connection, Depends(acquire_connection)]


async def charge_address(request: Request) -> list[int]:
    """Charge the quota of an IP address and return its counters, as `quota.headers` expects."""
    address = request.client.host if request.client else "unix"
    result: list[int] = await request.app.state.charge(*quota.address_charge(address, int(time())))
    return result[2:]


async def authenticate(
    request: Request,
    response: Response,
    address_counters: Annotated[list[int], Depends(charge_address)],
    connection: Connection,
    authorization: Annotated[str | None, Header()] = None,
) -> Caller:
    digest = quota.key_hash(authorization)
    rows = await connection.fetch(*bound(FIND_CALLER, {"key_hash": digest})) if digest else []
    if not rows:
        raise HTTPException(401, "Invalid API key.", {"WWW-Authenticate": "Bearer"})
    caller = reads.caller_of(rows)
    _, _, *counters = await request.app.state.charge(*quota.key_charge(caller, int(time())))
    response.headers.update(quota.headers(address_counters + counters))
    return caller


Authenticated = Annotated[Caller, Depends(authenticate)]

router = APIRouter(prefix="/api/v1", route_class=ConditionalRoute)


async def fetch(connection: asyncpg.Connection, read: reads.Read) -> Any:
    """Run a read and return its JSON, which FastAPI validates against the response model."""
    rows = await connection.fetch(*bound(read.statement, read.parameters))
    if not rows:
        raise HTTPException(404, "No such record.")
    return read.answer(rows)


@router.get("/assets/{id}", response_model_exclude_unset=True)
async def read_asset(
    caller: Authenticated, connection: Connection, id: UUID
) -> models.Envelope[models.Asset]:
    return await fetch(connection, reads.asset(caller, id))  # type: ignore[no-any-return]


@router.get("/telegram/chats/{id}/messages", response_model_exclude_unset=True)
async def list_telegram_messages(
    caller: Authenticated, connection: Connection,
    id: UUID, before: shared.Before = None, limit: shared.MessageLimit = 50,
) -> models.MessageList:  # fmt: skip
    read = reads.messages(caller, id, before, limit)
    return await fetch(connection, read)  # type: ignore[no-any-return]


@router.get("/context", response_model_exclude_unset=True)
async def get_context(
    caller: Authenticated, connection: Connection
) -> models.Envelope[models.Context]:
    return await fetch(connection, reads.context(caller))  # type: ignore[no-any-return]


@router.get("/knowledge/{id}", response_model_exclude_unset=True)
async def read_knowledge(
    caller: Authenticated, connection: Connection,
    id: str, offset: shared.Offset = 0, limit: shared.SegmentLimit = 20_000,
) -> models.Envelope[models.KnowledgeItem]:  # fmt: skip
    read = reads.knowledge(caller, id, offset, limit)
    return await fetch(connection, read)  # type: ignore[no-any-return]


@router.get("/people", response_model_exclude_unset=True)
async def list_people(
    caller: Authenticated, connection: Connection, page: shared.Page = 1
) -> models.PeopleList:
    return await fetch(connection, reads.people(caller, page))  # type: ignore[no-any-return]


@router.get("/search", response_model_exclude_unset=True)
async def search_context(
    caller: Authenticated, connection: Connection,
    q: shared.Term = None, limit: shared.SearchLimit = 20,
) -> models.Envelope[models.ContextSearchResult]:  # fmt: skip
    return await fetch(connection, reads.search(caller, q, limit))  # type: ignore[no-any-return]


app = FastAPI(lifespan=lifespan)
app.include_router(router)


@app.exception_handler(HTTPException)
async def respond_with_error(_: Request, error: HTTPException) -> JSONResponse:
    request_id = str(uuid4())
    code = "unauthorized" if error.status_code == 401 else "not_found"
    body = {"error": {"code": code, "message": error.detail}, "requestId": request_id}
    headers = {"X-Request-Id": request_id, "X-Content-Type-Options": "nosniff"}
    headers |= {"Cache-Control": "no-store"} | dict(error.headers or {})
    return JSONResponse(body, error.status_code, headers)
