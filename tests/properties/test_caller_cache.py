"""A cached caller gets the same answers and charges as any other, but for one that has changed.

Each request is sent twice: to one of several processes with a caller cache, and to a process
without one that counts in another Redis database. Keys, members and sources change in between.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from random import Random
from time import monotonic
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit
from uuid import UUID

import psycopg
import pytest
from redis import Redis

from orgctx.decisions import ADMIN_LOGIN, deciding
from orgctx.decisions.keys import issue
from orgctx.gate.admission import Gate
from orgctx.operations.source_kinds import SCOPES
from orgctx.stores.db import Tenant
from tests.operations import PATHS
from tests.soak.run import pss
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.service import serve
from tests.support.thorough import sampled

PROCESSES, STEPS = 3, 150
# Low enough that each limit rejects some requests.
LIMITS = {
    "limit_ip": 18, "limit_key": 8, "limit_organization": 11,
    "limit_key_top": 12, "limit_organization_top": 15,
}  # fmt: skip
ASKED = (
    *PATHS.values(),
    "/knowledge?page=0",
    f"/knowledge/{make.knowledge_id(404)}",
    "/nothing",
)
MESSAGES: tuple[Any, ...] = (
    {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
    {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_sources"}},
    {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_assets"}},
    {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get_token"}},
    {"jsonrpc": "2.0", "id": 1, "method": "ping"},
    {"jsonrpc": "2.0", "id": 1},
    [{"jsonrpc": "2.0", "id": n, "method": "ping"} for n in range(3)],
)
NEW_VERSION = "UPDATE organizations SET version = gen_random_uuid()"
USABLE = (
    "UPDATE api_keys SET expires_at = now() + interval '1 day', revoked_at = NULL, access = 'both',"
    " source_ids = NULL",
    "UPDATE members SET role = 'owner'",
    "UPDATE sources SET external = true, included = true",
    NEW_VERSION,
)
CHANGES = (
    *USABLE,
    "UPDATE api_keys SET revoked_at = now()",
    "UPDATE api_keys SET revoked_at = NULL",
    "UPDATE api_keys SET expires_at = now() - interval '1 second'",
    "UPDATE api_keys SET access = 'api'",
    "UPDATE api_keys SET access = 'mcp'",
    *(
        f"UPDATE api_keys SET scopes = ARRAY{list(scopes)}"
        for scopes in (SCOPES[::2], SCOPES[1::2], SCOPES[:2])
    ),
    "UPDATE api_keys SET source_ids = ARRAY['docs:handbook', 'telegram:main']",
    "UPDATE api_keys SET source_ids = ARRAY['assets:main']",
    "UPDATE api_keys SET source_ids = NULL",
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
    """Processes with a caller cache, a reference process without one, and their stores."""

    def __init__(self, deployment: Deployment, stack: ExitStack) -> None:
        urls = [with_database(deployment.redis_url, number) for number in (11, 12)]
        self.redis = [
            stack.enter_context(Redis.from_url(url, decode_responses=True)) for url in urls
        ]
        self.admin = stack.enter_context(psycopg.connect(deployment.admin_url, autocommit=True))
        cached, uncached = (replace(deployment, redis_url=url) for url in urls)
        stack.callback(self.restore)
        self.restore()
        apps = [stack.enter_context(cached.app(**LIMITS)) for _ in range(PROCESSES)]
        self.gates: list[Gate] = [app.extensions["orgctx"].gate for app in apps]
        self.processes: list[Any] = [app.test_client() for app in apps]
        reference = stack.enter_context(uncached.app(**LIMITS))
        reference.extensions["orgctx"].gate.caller_cache = None
        self.reference: Any = reference.test_client()

    def restore(self) -> None:
        """Reset the windows and the rights of keys, members and sources."""
        self.clear()
        for change in USABLE:
            self.change(change)

    def change(self, statement: str) -> None:
        """Change data as every transaction does: with a new version, unless only of a key."""
        with self.admin.transaction():
            self.admin.execute(statement)
            if "api_keys" not in statement and "members" not in statement:
                self.admin.execute(NEW_VERSION)

    def clear(self) -> None:
        """End every window."""
        for redis in self.redis:
            redis.flushdb()
        self.cleared_at = monotonic()

    def counters(self) -> list[dict[str, Any]]:
        """Return the counters and the names of marks in each Redis, without remaining times."""
        counters: list[dict[str, Any]] = []
        for redis in self.redis:
            # A process marks a scope once a day, so after a flush the marks depend on the process.
            names = [name for name in sorted(redis.keys("orgctx:*")) if ":scopes:" not in name]
            counters.append({name: _value(redis, name) for name in names})
        return counters


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
        yield World(acme, stack)


def random_request(random: Random, keys: list[str]) -> Callable[[Any], Any]:
    """Return a function that sends a random request with a client."""
    headers = {"Authorization": f"Bearer {random.choice(keys)}"}
    if random.random() < 0.3:
        message = random.choice(MESSAGES)
        if isinstance(message, list):
            headers["MCP-Protocol-Version"] = "2025-03-26"
        return lambda client: client.post("/api/mcp", json=message, headers=headers)
    path = f"/api/v1{random.choice(ASKED)}"
    if random.random() < 0.2:
        headers["If-None-Match"] = "*"
    method = random.choice(("GET", "GET", "GET", "HEAD", "DELETE"))
    return lambda client: client.open(path, method=method, headers=headers)


def comparable(response: Any) -> tuple[Any, ...]:
    """Return the parts of an answer that must be equal for equal requests.

    If two limits are equally tight, an answer names the one whose window began first. Which one
    that is depends on a millisecond, so it is left out. How many requests are left follows from the
    counters.
    """
    body = response.json if response.is_json and response.data else response.data
    text = re.sub(r"in \d+ s", "-", str(body).replace(response.headers["X-Request-Id"], "-"))
    text = re.sub(r"API key|organization|IP address", "-", text)
    varying = (
        "X-Request-Id", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset",
        "Retry-After", "ETag", "Content-Length", "Date",
    )  # fmt: skip
    headers = {name: value for name, value in response.headers.items() if name not in varying}
    return response.status_code, text, headers


@pytest.mark.parametrize("seed", sampled(range(3), lambda seed: seed == 0))
def test_caller_cache_changes_no_answer_or_counter(
    world: World, acme: Deployment, seed: int
) -> None:
    """Both get the same random requests, with changes in between."""
    random = Random(seed)
    keys = [acme.issue_key(make.ACME, make.OWNER, access="both") for _ in range(2)]
    keys += [keys[0][:-1] + "x", ""]
    statuses = set()
    for step in range(STEPS):
        change = random.random()
        if change < 0.35:
            world.change(random.choice(CHANGES))
        elif change < 0.40:
            world.redis[0].script_flush()
        elif change < 0.45 or monotonic() - world.cleared_at > 20:
            # Otherwise the windows of both end by themselves, at different moments.
            world.clear()
        elif change < 0.50:
            world.redis[0].client_kill_filter(_type="normal", skipme=True)
        elif change < 0.60:
            for usable in USABLE:
                world.change(usable)
        send = random_request(random, keys if random.random() < 0.3 else keys[:1])
        answer, expected = send(random.choice(world.processes)), send(world.reference)
        cached, uncached = world.counters()
        if cached != uncached:
            # One request of a caller that has changed counts, within the limits that it had.
            assert answer.status_code == 401 or expected.status_code == 429, step
            world.clear()
        if cached == uncached or expected.status_code != 429:
            assert comparable(answer) == comparable(expected), step
        statuses.add(answer.status_code)
    assert {200, 401, 403, 404, 429} <= statuses
    assert any(gate.caller_cache._callers for gate in world.gates if gate.caller_cache)


def test_caller_cache_is_bounded(world: World, acme: Deployment) -> None:
    gate, client = world.gates[0], world.processes[0]
    assert gate.caller_cache
    gate.caller_cache._max_rows = 20
    keys = [acme.issue_key(make.ACME, make.OWNER) for _ in range(4)]
    for key in keys * 2:
        headers = {"Authorization": f"Bearer {key}"}
        assert client.get("/api/v1/sources", headers=headers).status_code == 200
        held = sum(caller.row_count for caller in gate.caller_cache._callers.values())
        assert held == gate.caller_cache._row_count
        assert 0 < held <= 20


@pytest.mark.system
def test_caller_cache_of_a_thousand_keys_keeps_a_worker_below_60_mib(acme: Deployment) -> None:
    by: dict[str, Any] = {"command": "test", "authentication": ADMIN_LOGIN}
    rights: dict[str, Any] = {"name": None, "access": "both", "scopes": [*SCOPES], "days": 30}
    with (
        psycopg.connect(acme.admin_url) as connection,
        deciding(Tenant(connection, UUID(make.ACME)), UUID(make.OWNER), **by) as decision,
    ):
        keys = [issue(decision, **rights)["key"] for _ in range(1000)]
    with serve(acme) as running:
        (worker,) = running.workers()
        taken = []
        for key in ["", *keys]:
            assert running.get("/api/v1/sources", key).status == (200 if key else 401)
            taken.append(pss(worker))
    assert taken[-1] < 60
    # Otherwise the worker cached no keys, and the bound proves nothing.
    assert taken[-1] - taken[0] > 1


def test_cached_caller_needs_one_charge_and_one_round_trip(
    world: World, acme: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, client = world.gates[0], world.processes[0]
    # It allows more requests.
    acme.execute("UPDATE organizations SET plan = 'pro', version = gen_random_uuid()")
    headers = {"Authorization": f"Bearer {acme.issue_key(make.ACME, make.OWNER)}"}
    assert client.get("/api/v1/assets", headers=headers).status_code == 200
    calls: list[str] = []

    def count(owner: Any, name: str) -> None:
        original = getattr(owner, name)

        def counted(*arguments: Any, **keywords: Any) -> Any:
            calls.append(name)
            return original(*arguments, **keywords)

        monkeypatch.setattr(owner, name, counted)

    count(gate._pool.connections, "_run")
    count(gate._quota._redis, "_run")
    paths = ("/assets", "/knowledge", "/sources", "/people", "/assets?page=0")
    for path in paths:
        # The first answer of a day marks its scope.
        client.get(f"/api/v1{path}", headers=headers)
    for path in paths:
        calls.clear()
        response = client.get(f"/api/v1{path}", headers=headers)
        assert calls == ["_run", "_run"], path
        tightest = {str(LIMITS["limit_key"]), str(LIMITS["limit_key_top"])}
        assert response.headers["RateLimit-Limit"] in tightest


def test_caller_cache_is_off_with_a_redis_cluster(deployment: Deployment) -> None:
    with deployment.app(redis_url="redis+cluster://127.0.0.1:1") as app:
        assert app.extensions["orgctx"].gate.caller_cache is None
