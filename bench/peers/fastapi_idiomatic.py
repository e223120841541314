"""FastAPI as its documentation teaches: pydantic models, dependencies, a pool in the lifespan."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from hashlib import sha256
from time import time
from typing import Annotated, Any
from urllib.parse import quote
from uuid import UUID, uuid4

import asyncpg
from fastapi import APIRouter, Depends, FastAPI, Header, HTTPException, Query, Request, Response
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute

from bench.peers import connections, models, parameters, shapes
from bench.peers.statements import SEARCH, bound
from orgctx.operations.exposure import SCOPES, Caller, Source, by_id, freshness
from orgctx.operations.source_kinds import KNOWLEDGE_KINDS, PEOPLE_KINDS
from orgctx.resources.knowledge.segment import cut
from orgctx.resources.people.service import PROFILES
from orgctx.schemas.envelope import numbered
from orgctx.stores.quota import CHARGE

LIMITS = int(os.environ["ORGCTX_LIMIT_KEY"]), int(os.environ["ORGCTX_LIMIT_ORGANIZATION"])
IP_LIMIT = int(os.environ["ORGCTX_LIMIT_IP"])
Handler = Callable[[Request], Coroutine[Any, Any, Response]]


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    app.state.redis = connections.open_redis()
    app.state.charge = app.state.redis.register_script(CHARGE)
    async with await connections.open_pool() as pool:
        app.state.pool = pool
        yield
    await app.state.redis.aclose()


class ConditionalRoute(APIRoute):
    """A route whose answers carry an ETag and become 304 where the client holds them."""

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


async def connection(request: Request) -> AsyncIterator[asyncpg.Connection]:
    async with request.app.state.pool.acquire() as acquired:
        yield acquired


Connection = Annotated[asyncpg.Connection, Depends(connection)]


async def charge_ip(request: Request) -> list[int]:
    address = request.client.host if request.client else "unix"
    keys, arguments = parameters.ip_charge(address, IP_LIMIT, int(time()))
    answer: list[int] = await request.app.state.charge(keys, arguments)
    return answer[1:]


async def authenticate(
    request: Request,
    response: Response,
    ip_counters: Annotated[list[int], Depends(charge_ip)],
    connection: Connection,
    authorization: Annotated[str | None, Header()] = None,
) -> Caller:
    digest = parameters.key_of(authorization)
    rows = await connection.fetch(*bound("gate/find_key", {"key_hash": digest})) if digest else []
    if not rows:
        raise HTTPException(401, "The API key cannot be used.", {"WWW-Authenticate": "Bearer"})
    caller = shapes.caller(rows)
    keys, arguments = parameters.key_charge(caller, LIMITS, int(time()))
    _, *counters = await request.app.state.charge(keys, arguments)
    response.headers.update(parameters.rate_limits(ip_counters + counters, [IP_LIMIT, *LIMITS]))
    return caller


Who = Annotated[Caller, Depends(authenticate)]

router = APIRouter(prefix="/api/v1", route_class=ConditionalRoute)


def meta(who: Caller, sources: tuple[Source, ...], origin: str, *, empty: bool) -> models.Meta:
    is_preview = who.organization.is_preview
    fresh = freshness(sources, origin=origin, is_preview=is_preview, empty=empty)
    return models.Meta(
        organization_id=who.organization.id, freshness=models.Freshness.model_validate(fresh)
    )


@router.get("/assets/{id}", response_model_exclude_unset=True)
async def read_asset(who: Who, connection: Connection, id: UUID) -> models.Envelope[models.Asset]:
    row = await connection.fetchrow(*bound("assets/read_asset", parameters.asset(who, id)))
    if row is None:
        raise HTTPException(404, "There is no such asset.")
    members = dict(row)
    uploader_id, uploader_name = (
        members.pop("uploaded_by.id"),
        members.pop("uploaded_by.display_name"),
    )
    uploader = models.Uploader(id=uploader_id, display_name=uploader_name) if uploader_id else None
    source_id = members.pop("source_id")
    asset = models.Asset(**members, uploaded_by=uploader)
    sources = by_id(who.exposed("assets"), source_id)
    return models.Envelope[models.Asset](
        data=asset, meta=meta(who, sources, "database", empty=False)
    )


def message(row: Any) -> models.Message:
    return models.Message(
        id=row["id"],
        sender=models.Sender(
            id=row["sender.id"], name=row["sender.name"], username=row["sender.username"]
        ),
        kind=row["kind"],
        text=row["text"],
        detail=row["detail"],
        file=row["file"],
        reply_to_message_id=row["reply_to_message_id"],
        sent_at=row["sent_at"],
        edited_at=row["edited_at"],
    )


@router.get("/telegram/chats/{id}/messages", response_model_exclude_unset=True)
async def list_telegram_messages(
    who: Who,
    connection: Connection,
    id: UUID,
    query: Annotated[models.MessageQuery, Query()],
) -> models.MessageList[list[models.Message]]:
    values = parameters.messages(who, id, query.before, query.limit)
    rows = await connection.fetch(*bound("telegram/list_telegram_messages", values))
    if not rows:
        raise HTTPException(404, "There is no such chat.")
    found = [row for row in rows if row["id"] is not None]
    has_more = len(found) > query.limit
    messages = [message(row) for row in found[: query.limit]]
    sources = by_id(who.exposed("telegram"), rows[0]["source_id"])
    return models.MessageList[list[models.Message]](
        data=messages,
        meta=meta(who, sources, "collector", empty=not messages),
        pagination=models.MessagePagination(
            limit=query.limit,
            has_more=has_more,
            next_before=messages[-1].id if has_more else None,
            search_limited=False,
        ),
    )


@router.get("/context", response_model_exclude_unset=True)
async def get_context(who: Who, connection: Connection) -> models.Envelope[models.Context]:
    symbols = await connection.fetch(*bound("context/get_context", parameters.context(who)))
    organization = models.ContextOrganization(id=who.organization.id)
    if who.exposed("profile"):
        organization = models.ContextOrganization(
            id=who.organization.id,
            display_name=who.organization.display_name,
            slug=who.organization.slug,
            created_at=who.organization.created_at,
            updated_at=who.organization.updated_at,
        )
    context = models.Context(
        organization=organization,
        granted_scopes=[scope for scope in SCOPES if scope in who.scopes],
        sources=[models.ContextSource(**shapes.source(one)) for one in who.exposed()],
        connections=models.Connections(**shapes.connections(who, symbols)),
    )
    return models.Envelope[models.Context](
        data=context, meta=meta(who, who.exposed(), "database", empty=False)
    )


@router.get("/knowledge/{id}", response_model_exclude_unset=True)
async def read_knowledge(
    who: Who, connection: Connection, id: str, query: Annotated[models.KnowledgeQuery, Query()]
) -> models.Envelope[models.KnowledgeItem]:
    values = parameters.knowledge(who, id, query.offset, query.limit)
    rows = await connection.fetch(*bound("knowledge/read_knowledge", values))
    if not rows:
        raise HTTPException(404, "There is no such item.")
    members = dict(rows[0])
    source_id, total = members.pop("source_id"), members.pop("content_units")
    first_unit = members.pop("first_unit")
    chunks = [(row["first_unit"], row["content"]) for row in rows if first_unit is not None]
    members["content"], content_range = cut(chunks, total, query.offset, query.limit)
    item = models.KnowledgeItem(**members, content_range=models.ContentRange(**content_range))
    sources = by_id(who.approved_of(*KNOWLEDGE_KINDS), source_id)
    return models.Envelope[models.KnowledgeItem](
        data=item, meta=meta(who, sources, "database", empty=False)
    )


def person(row: Any, labels: dict[str, str]) -> models.Person:
    username, platform = row["username"], row["platform"]
    evidence = zip(row["source_ids"], row["activity_counts"], row["last_active_ats"], strict=True)
    return models.Person(
        key=f"{platform}:{row['person_id']}",
        platform=platform,
        id=row["person_id"],
        display_name=row["display_name"],
        username=username,
        profile_url=PROFILES[platform] + quote(username, safe="") if username else None,
        verified=row["verified"],
        first_active_at=row["first_active_at"],
        last_active_at=row["last_active_at"],
        activity_count=row["activity_count"],
        sources=[
            models.PersonSource(
                source_id=id, label=labels[id], activity_count=count, last_active_at=at
            )
            for id, count, at in evidence
        ],
    )


@router.get("/people", response_model_exclude_unset=True)
async def list_people(
    who: Who, connection: Connection, query: Annotated[models.PeopleQuery, Query()]
) -> models.PeopleList[list[models.Person]]:
    values = parameters.people(who, query.page)
    rows = await connection.fetch(*bound("people/list_people", values))
    sources = who.exposed(*PEOPLE_KINDS)
    labels = {source.id: source.label for source in sources}
    people = [person(row, labels) for row in rows if row["platform"] is not None]
    pages = numbered(query.page, 50, rows[0]["total"])
    return models.PeopleList[list[models.Person]](
        data=people,
        meta=meta(who, sources, "collector", empty=not people),
        pagination=models.PeoplePagination(**pages, search_limited=rows[0]["search_limited"]),
    )


@router.get("/search", response_model_exclude_unset=True)
async def search_context(
    who: Who, connection: Connection, query: Annotated[models.SearchQuery, Query()]
) -> models.Envelope[models.ContextSearchResult]:
    values = parameters.search(who, query.q, query.limit)
    rows = await connection.fetch(*bound(SEARCH, values))
    sources = who.exposed()
    labels = {source.id: source.label for source in sources}
    found = [row for row in rows if row["kind"] is not None]
    result = models.ContextSearchResult(
        items=[
            models.SearchItem(**shapes.item(tuple(row), query.q or "", labels))
            for row in found[: query.limit]
        ],
        sources=[models.ContextSource(**shapes.source(source)) for source in sources],
        has_more=len(found) > query.limit or any(row[0] for row in rows),
    )
    return models.Envelope[models.ContextSearchResult](
        data=result, meta=meta(who, sources, "database", empty=False)
    )


app = FastAPI(lifespan=lifespan)
app.include_router(router)


@app.exception_handler(HTTPException)
async def refuse(_: Request, error: HTTPException) -> JSONResponse:
    request_id = uuid4()
    code = "unauthorized" if error.status_code == 401 else "not_found"
    body = models.ErrorBody(
        error=models.Error(code=code, message=error.detail), request_id=request_id
    )
    headers = {"X-Request-Id": str(request_id), "X-Content-Type-Options": "nosniff"}
    return JSONResponse(
        body.model_dump(mode="json", by_alias=True),
        error.status_code,
        headers | {"Cache-Control": "no-store"} | dict(error.headers or {}),
    )
