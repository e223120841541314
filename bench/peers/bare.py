"""A bare WSGI callable under orgctx's gunicorn settings: the upper bound for Python.

It has no framework, keeps connections in a list and builds dicts by hand. Nobody would maintain a
service like this; it shows how much of the time the framework takes.
"""

import os
from collections.abc import Callable, Iterable
from threading import Semaphore
from time import time
from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote
from uuid import UUID

import orjson
import psycopg
import redis
from psycopg.types.json import set_json_loads

from bench.peers import quota, reads, responses
from bench.peers.statements import FIND_CALLER, text_of
from orgctx.operations.exposure import Caller
from orgctx.stores.db import numbered
from orgctx.stores.quota import CHARGE

Start = Callable[[str, list[tuple[str, str]]], object]

set_json_loads(orjson.loads)


class Stores(NamedTuple):
    """The connections of one request at a time."""

    cursor: Any
    redis: Any
    script: str


# The connections that no request uses now.
idle: list[Stores] = []
# Of a worker, as in asyncpg's pools of the FastAPI peers. Further requests wait.
slots = Semaphore(10)


def app(environ: dict[str, Any], start: Start) -> Iterable[bytes]:
    """Answer one request."""
    with slots:
        stores = idle.pop() if idle else _connect()
        answer = _handle(stores, environ, start)
        idle.append(stores)
    return answer


def _handle(stores: Stores, environ: dict[str, Any], start: Start) -> Iterable[bytes]:
    now = int(time())
    counters = _charge(stores, *quota.address_charge(environ["REMOTE_ADDR"], now))
    digest = quota.key_hash(environ.get("HTTP_AUTHORIZATION"))
    rows = _rows(stores, FIND_CALLER, {"key_hash": digest}) if digest else []
    if not rows:
        return _send(start, "401 Unauthorized", *responses.unauthorized())
    caller = reads.caller_of(rows)
    counters += _charge(stores, *quota.key_charge(caller, now))
    read = _route(environ, caller)
    document = read.answer(_rows(stores, read.statement, read.parameters))
    body, headers = responses.success(document, counters)
    if environ.get("HTTP_IF_NONE_MATCH") == headers["ETag"]:
        start("304 Not Modified", [*headers.items()])
        return []
    return _send(start, "200 OK", body, headers)


def _send(start: Start, status: str, body: bytes, headers: dict[str, str]) -> Iterable[bytes]:
    headers |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
    start(status, [*headers.items()])
    return [body]


def _connect() -> Stores:
    connection = psycopg.connect(os.environ["ORGCTX_DATABASE_URL"], autocommit=True)
    connection.execute("SET timezone = 'UTC'")
    connection.execute("SET jit = off")
    connection.execute("SET plan_cache_mode = force_generic_plan")
    client = redis.Redis.from_url(os.environ["ORGCTX_REDIS_URL"], single_connection_client=True)
    return Stores(psycopg.RawCursor(connection), client, client.script_load(CHARGE))


def _charge(stores: Stores, keys: list[str], arguments: list[int]) -> list[int]:
    answer: list[int] = stores.redis.evalsha(stores.script, len(keys), *keys, *arguments)
    return answer[2:]


def _rows(stores: Stores, name: str, parameters: dict[str, Any]) -> list[tuple[Any, ...]]:
    statement, names = numbered(text_of(name))
    values = [parameters[each] for each in names]
    rows: list[tuple[Any, ...]] = stores.cursor.execute(statement, values, prepare=True).fetchall()
    return rows


def _route(environ: dict[str, Any], caller: Caller) -> reads.Read:
    query = {name: values[0] for name, values in parse_qs(environ["QUERY_STRING"]).items()}
    match environ["PATH_INFO"].split("/")[3:]:
        case ["context"]:
            return reads.context(caller)
        case ["assets", id]:
            return reads.asset(caller, UUID(id))
        case ["telegram", "chats", id, "messages"]:
            before = int(query["before"]) if "before" in query else None
            return reads.messages(caller, UUID(id), before, int(query.get("limit", 50)))
        case ["knowledge", id]:
            offset, limit = int(query.get("offset", 0)), int(query.get("limit", 20_000))
            return reads.knowledge(caller, unquote(id), offset, limit)
        case ["people"]:
            return reads.people(caller, int(query.get("page", 1)))
        case ["search"]:
            return reads.search(caller, query.get("q"), int(query.get("limit", 20)))
    raise LookupError(environ["PATH_INFO"])
