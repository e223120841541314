"""A bare WSGI callable under orgctx's gunicorn settings: what is possible at best.

No framework, connections kept in a list, dicts written by hand. Nobody would want to maintain a
service like this; it shows how much of the time is not the framework's.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from hashlib import sha256
from time import time
from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote
from uuid import UUID, uuid4

import orjson
import psycopg
import redis
from psycopg.types.json import set_json_loads

from bench.peers import parameters, shapes
from bench.peers.statements import SEARCH, text_of
from orgctx.stores.db import numbered
from orgctx.stores.quota import CHARGE

Start = Callable[[str, list[tuple[str, str]]], object]

set_json_loads(orjson.loads)
LIMITS = int(os.environ["ORGCTX_LIMIT_KEY"]), int(os.environ["ORGCTX_LIMIT_ORGANIZATION"])
IP_LIMIT = int(os.environ["ORGCTX_LIMIT_IP"])


class _Stores(NamedTuple):
    cursor: Any
    redis: Any
    script: str


_idle: list[_Stores] = []


def app(environ: dict[str, Any], start: Start) -> Iterable[bytes]:
    """Answer one request."""
    try:
        stores = _idle.pop()
    except IndexError:
        stores = _connect()
    answer = _handle(stores, environ, start)
    _idle.append(stores)
    return answer


def _handle(stores: _Stores, environ: dict[str, Any], start: Start) -> Iterable[bytes]:
    now = int(time())
    keys, arguments = parameters.ip_charge(environ["REMOTE_ADDR"], IP_LIMIT, now)
    ip_counters = _charge(stores, keys, arguments)
    digest = parameters.key_of(environ.get("HTTP_AUTHORIZATION"))
    rows = _rows(stores, "gate/find_key", {"key_hash": digest}) if digest else []
    if not rows:
        return _refuse(start)
    caller = shapes.caller(rows)
    keys, arguments = parameters.key_charge(caller, LIMITS, now)
    counters = ip_counters + _charge(stores, keys, arguments)
    limits = parameters.rate_limits(counters, [IP_LIMIT, *LIMITS])
    body = orjson.dumps(_answer(stores, environ, caller), option=orjson.OPT_UTC_Z)
    return _respond(environ, start, body, limits)


def _connect() -> _Stores:
    connection = psycopg.connect(os.environ["ORGCTX_DATABASE_URL"], autocommit=True)
    connection.execute("SET timezone = 'UTC'")
    connection.execute("SET jit = off")
    connection.execute("SET plan_cache_mode = force_generic_plan")
    client = redis.Redis.from_url(os.environ["ORGCTX_REDIS_URL"], single_connection_client=True)
    return _Stores(psycopg.RawCursor(connection), client, client.script_load(CHARGE))


def _charge(stores: _Stores, keys: list[str], arguments: list[int]) -> list[int]:
    answer: list[int] = stores.redis.evalsha(stores.script, len(keys), *keys, *arguments)
    return answer[1:]


def _rows(stores: _Stores, name: str, values: dict[str, Any]) -> list[tuple[Any, ...]]:
    statement, names = numbered(text_of(name))
    given = [values[each] for each in names]
    rows: list[tuple[Any, ...]] = stores.cursor.execute(statement, given, prepare=True).fetchall()
    return rows


def _answer(stores: _Stores, environ: dict[str, Any], caller: Any) -> Any:
    parts = environ["PATH_INFO"].split("/")[3:]
    query = {name: values[0] for name, values in parse_qs(environ["QUERY_STRING"]).items()}
    match parts:
        case ["context"]:
            return shapes.context(
                caller, _rows(stores, "context/get_context", parameters.context(caller))
            )
        case ["assets", id]:
            values = parameters.asset(caller, UUID(id))
            return shapes.asset(caller, _rows(stores, "assets/read_asset", values))
        case ["telegram", "chats", id, "messages"]:
            limit = int(query.get("limit", 50))
            before = int(query["before"]) if "before" in query else None
            values = parameters.messages(caller, UUID(id), before, limit)
            rows = _rows(stores, "telegram/list_telegram_messages", values)
            return shapes.messages(caller, rows, None, limit)
        case ["knowledge", id]:
            offset, limit = int(query.get("offset", 0)), int(query.get("limit", 20_000))
            values = parameters.knowledge(caller, unquote(id), offset, limit)
            rows = _rows(stores, "knowledge/read_knowledge", values)
            return shapes.knowledge(caller, rows, offset, limit)
        case ["people"]:
            page = int(query.get("page", 1))
            values = parameters.people(caller, page)
            return shapes.people(caller, _rows(stores, "people/list_people", values), page)
        case ["search"]:
            q, limit = query.get("q"), int(query.get("limit", 20))
            values = parameters.search(caller, q, limit)
            rows = _rows(stores, SEARCH, values)
            return shapes.search(caller, rows, q, limit)
    raise LookupError(parts)


def _respond(
    environ: dict[str, Any], start: Start, body: bytes, limits: dict[str, str]
) -> Iterable[bytes]:
    etag = f'"{sha256(body).hexdigest()[:32]}"'
    headers = [
        ("Content-Type", "application/json"),
        ("Cache-Control", "private, no-cache"),
        ("Vary", "Authorization"),
        ("ETag", etag),
        ("X-Request-Id", str(uuid4())),
        ("X-Content-Type-Options", "nosniff"),
        *limits.items(),
    ]
    if environ.get("HTTP_IF_NONE_MATCH") == etag:
        start("304 Not Modified", headers)
        return []
    headers.append(("Content-Length", str(len(body))))
    start("200 OK", headers)
    return [body]


def _refuse(start: Start) -> Iterable[bytes]:
    request_id = str(uuid4())
    error = {"code": "unauthorized", "message": "The API key cannot be used."}
    body = orjson.dumps({"error": error, "requestId": request_id})
    headers = [
        ("Content-Type", "application/json"),
        ("Cache-Control", "no-store"),
        ("WWW-Authenticate", "Bearer"),
        ("X-Request-Id", request_id),
        ("X-Content-Type-Options", "nosniff"),
        ("Content-Length", str(len(body))),
    ]
    start("401 Unauthorized", headers)
    return [body]
