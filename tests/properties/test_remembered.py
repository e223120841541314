"""Whoever is remembered gets what the ordinary way gives, and is counted as there.

Each request is made twice: to one of several processes that remember, and to one that does not,
whose counters are in another database of Redis. Between any two requests anything may change.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from random import Random
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import psycopg
import pytest
from flask.testing import FlaskClient
from redis import Redis

from tests.support import factories as make
from tests.support.deployment import Deployment

PROCESSES, STEPS = 3, 150
# Low enough that each of them refuses some of so many requests.
LIMITS = {
    "limit_ip": 18, "limit_key": 8, "limit_organization": 11,
    "limit_key_top": 12, "limit_organization_top": 15,
}  # fmt: skip
PATHS = (
    "/sources", "/context", "/knowledge", "/knowledge?page=0", "/people", "/x/mentions", "/token",
    f"/knowledge/{make.knowledge_id()}", f"/knowledge/{make.knowledge_id(404)}", "/search?q=a",
    f"/telegram/chats/{make.CHAT}/messages?limit=2", "/nothing", "/assets",
)  # fmt: skip
MESSAGES: tuple[Any, ...] = (
    {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
    {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_sources"}},
    {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_assets"}},
    {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get_token"}},
    {"jsonrpc": "2.0", "id": 1, "method": "ping"},
    {"jsonrpc": "2.0", "id": 1},
    [{"jsonrpc": "2.0", "id": n, "method": "ping"} for n in range(3)],
)
USABLE = (
    "UPDATE api_keys SET expires_at = now() + interval '1 day', revoked_at = NULL, access = 'both'",
    "UPDATE members SET role = 'owner'",
    "UPDATE sources SET external = true, included = true",
)
CHANGES = (
    *USABLE,
    "UPDATE api_keys SET revoked_at = now()",
    "UPDATE api_keys SET revoked_at = NULL",
    "UPDATE api_keys SET expires_at = now() - interval '1 second'",
    "UPDATE api_keys SET access = 'api'",
    "UPDATE api_keys SET access = 'mcp'",
    "UPDATE api_keys SET scopes = ARRAY['context:read', 'token:read']",
    "UPDATE api_keys SET scopes = ARRAY['knowledge:read', 'x:read', 'assets:read']",
    "UPDATE api_keys SET scopes = ARRAY['telegram:read', 'context:read']",
    "UPDATE members SET role = 'member'",
    "UPDATE organizations SET plan = 'pro'",
    "UPDATE organizations SET plan = 'standard', verified_holding = 0",
    "UPDATE organizations SET verified_holding = 1000000",
    "UPDATE organizations SET display_name = display_name || '.'",
    "UPDATE sources SET external = NOT external WHERE kind = 'docs'",
    "UPDATE sources SET included = NOT included WHERE kind = 'telegram'",
    "UPDATE sources SET label = label || '.' WHERE kind = 'assets'",
    "UPDATE sources SET stale_after_seconds = 1, updated_at = now() - interval '1 hour'",
    "UPDATE sources SET stale_after_seconds = NULL",
    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()",
)


class World:
    """Processes that remember and one that does not, their counters, and what they read."""

    def __init__(self, deployment: Deployment, stack: ExitStack) -> None:
        urls = [with_database(deployment.redis_url, number) for number in (11, 12)]
        self.redis = [Redis.from_url(url, decode_responses=True) for url in urls]
        self.admin = stack.enter_context(
            psycopg.connect(
                deployment.admin_database_url or deployment.database_url, autocommit=True
            )
        )
        lane, ordinary = (replace(deployment, redis_url=url) for url in urls)
        apps = [stack.enter_context(lane.app(**LIMITS)) for _ in range(PROCESSES)]
        self.gates = [app.extensions["orgctx"].gate for app in apps]
        self.processes = [app.test_client() for app in apps]
        reference = stack.enter_context(ordinary.app(**LIMITS))
        reference.extensions["orgctx"].gate.memory = None
        self.reference = reference.test_client()
        self.restore()

    def restore(self) -> None:
        """Everybody may do what they could at first."""
        self.clear()
        for change in USABLE:
            self.admin.execute(change)

    def clear(self) -> None:
        """The end of every window."""
        for redis in self.redis:
            redis.flushdb()

    def counters(self) -> list[dict[str, Any]]:
        """What is stored beside the time left: counters by value, marks by being there."""
        found: list[dict[str, Any]] = []
        for redis in self.redis:
            names: list[Any] = sorted(redis.keys("orgctx:*"))
            found.append({name: _value(redis, name) for name in names})
        return found


def _value(redis: Any, name: str) -> Any:
    if ":usage:" in name:
        return redis.hgetall(name)
    return redis.get(name) if ":quota:" in name else None


def with_database(url: str, number: int) -> str:
    parts = urlsplit(url)
    if parts.scheme == "unix":
        query = dict(parse_qsl(parts.query)) | {"db": str(number)}
        return parts._replace(query=urlencode(query)).geturl()
    return parts._replace(path=f"/{number}").geturl()


@pytest.fixture
def world(acme: Deployment) -> Iterator[World]:
    with ExitStack() as stack:
        world = World(acme, stack)
        yield world
        world.restore()
        for redis in world.redis:
            redis.close()


def asks(random: Random, keys: list[str]) -> Callable[[FlaskClient], Any]:
    """One request, to be made of any process."""
    headers = {"Authorization": f"Bearer {random.choice(keys)}"}
    if random.random() < 0.3:
        message = random.choice(MESSAGES)
        if isinstance(message, list):
            headers["MCP-Protocol-Version"] = "2025-03-26"
        return lambda client: client.post("/api/mcp", json=message, headers=headers)
    path = f"/api/v1{random.choice(PATHS)}"
    if random.random() < 0.2:
        headers["If-None-Match"] = "*"
    method = random.choice(("GET", "GET", "GET", "HEAD", "DELETE"))
    return lambda client: client.open(path, method=method, headers=headers)


def told(response: Any) -> tuple[Any, ...]:
    """All of an answer but what is its own."""
    body = response.json if response.is_json and response.data else response.data
    text = re.sub(r"in \d+ s", "-", str(body).replace(response.headers["X-Request-Id"], "-"))
    own = ("X-Request-Id", "RateLimit-Reset", "Retry-After", "ETag", "Content-Length")
    headers = {name: value for name, value in response.headers.items() if name not in own}
    return response.status_code, text, headers


@pytest.mark.parametrize("seed", range(3))
def test_every_answer_and_every_counter_is_that_of_the_ordinary_way(
    world: World, acme: Deployment, seed: int
) -> None:
    random = Random(seed)
    keys = [acme.issue_key(make.ACME, make.OWNER, access="both") for _ in range(2)]
    keys += [keys[0][:-1] + "x", ""]
    statuses = set()
    for step in range(STEPS):
        change = random.random()
        if change < 0.35:
            world.admin.execute(random.choice(CHANGES))
        elif change < 0.40:
            world.redis[0].script_flush()
        elif change < 0.45:
            world.clear()
        elif change < 0.50:
            world.redis[0].client_kill_filter(_type="normal", skipme=True)
        elif change < 0.60:
            for usable in USABLE:
                world.admin.execute(usable)
        ask = asks(random, keys if random.random() < 0.3 else keys[:1])
        answer, expected = ask(random.choice(world.processes)), ask(world.reference)
        assert told(answer) == told(expected), step
        ours, theirs = world.counters()
        assert ours == theirs, step
        statuses.add(answer.status_code)
    assert {200, 401, 403, 404, 429} <= statuses
    assert any(gate.memory._callers for gate in world.gates)


def test_what_is_remembered_is_bounded(world: World, acme: Deployment) -> None:
    gate, client = world.gates[0], world.processes[0]
    gate.memory._most_rows = 20
    keys = [acme.issue_key(make.ACME, make.OWNER) for _ in range(4)]
    for key in keys * 2:
        headers = {"Authorization": f"Bearer {key}"}
        assert client.get("/api/v1/sources", headers=headers).status_code == 200
        rows = sum(len(one.rows) for one in gate.memory._callers.values())
        assert 0 < rows == gate.memory._rows <= 20


def test_a_remembered_key_needs_one_charge_and_one_round_trip(
    world: World, acme: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, client = world.gates[0], world.processes[0]
    headers = {"Authorization": f"Bearer {acme.issue_key(make.ACME, make.OWNER)}"}
    assert client.get("/api/v1/assets", headers=headers).status_code == 200
    made: list[str] = []

    def count(owner: Any, name: str) -> None:
        original = getattr(owner, name)

        def counted(*arguments: Any, **keywords: Any) -> Any:
            made.append(name)
            return original(*arguments, **keywords)

        monkeypatch.setattr(owner, name, counted)

    count(gate._pool, "_run")
    count(gate._quota._redis, "_run")
    for path in ("/assets", "/knowledge", "/sources", "/people", "/assets?page=0"):
        made.clear()
        client.get(f"/api/v1{path}", headers=headers)
        assert made == ["_run", "_run"], path


@pytest.mark.parametrize(
    "settings",
    [{"database_read_url": "of another host"}, {"redis_url": "redis+cluster://127.0.0.1:1"}],
)
def test_where_it_cannot_hold_nobody_is_remembered(
    deployment: Deployment, settings: dict[str, str]
) -> None:
    with deployment.app(**settings) as app:
        assert app.extensions["orgctx"].gate.memory is None
