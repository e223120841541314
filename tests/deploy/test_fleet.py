"""Three hosts behind two proxies share quotas and ETags, and see the client's address.

No request fails while they are restarted or upgraded.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from time import sleep
from typing import Any

import orjson
import pytest

from tests.mcp.served import ROOT
from tests.reliability.test_quotas import ask
from tests.soak.wire import Connection
from tests.support import crawl, windows
from tests.support import factories as make
from tests.support.deployment import UNLIMITED, Deployment
from tests.support.fleet import Host
from tests.support.programs import need
from tests.support.proxies import proxied
from tests.support.redis_servers import wait_for
from tests.support.service import Answer, Running, head, receive

pytestmark = pytest.mark.system

HOSTS = 3
CLIENTS = 6
PAUSE_SECONDS = 0.02
LIMIT = 60
NEWER = "9.9.9"
# This organization has the limits of the ordinary plan; all others have none.
SECOND = "22222222-2222-4222-8222-222222222222"
PATH = "/api/v1/knowledge"
MESSAGE = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
           "params": {"name": "list_knowledge", "arguments": {}}}  # fmt: skip
BODY = orjson.dumps(MESSAGE)


@dataclass(frozen=True)
class Fleet:
    """edge: nginx before HAProxy, so two hops. directory: for proxies."""

    hosts: list[Host]
    edge: Running
    directory: Path
    deployment: Deployment
    key: str
    second_key: str

    @property
    def places(self) -> dict[str, str]:
        """The hosts by their addresses in the examples."""
        return {f"10.0.0.{number}:8000": host.place for number, host in enumerate(self.hosts, 1)}


@pytest.fixture(scope="module")
def fleet(
    module_deployment: Deployment, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Fleet]:
    need("nginx", "haproxy")
    deployment = module_deployment
    deployment.load([*make.everything(), make.organization(plan="pro")])
    deployment.load([make.organization(SECOND, slug="second"), *make.staff(SECOND)])
    deployment.approve(make.ACME, make.OWNER)
    keys = [deployment.issue_key(one, make.OWNER) for one in (make.ACME, SECOND)]
    directory = tmp_path_factory.mktemp("proxies")
    directory.chmod(0o755)
    settings: dict[str, Any] = {
        "trusted_proxy_hops": 2,
        "limit_organization": LIMIT,
        "limit_key_top": UNLIMITED,
        "limit_organization_top": UNLIMITED,
    }
    with ExitStack() as stack:
        hosts = [Host(deployment, **settings) for _ in range(HOSTS)]
        for host in hosts:
            host.start()
            stack.callback(host.stop)
        places = Fleet(hosts, None, directory, deployment, *keys).places  # type: ignore[arg-type]
        balancer = stack.enter_context(proxied("fleet-haproxy.cfg", directory, places))
        before = {"127.0.0.1:8000": f"127.0.0.1:{balancer.port}"}
        edge = stack.enter_context(proxied("nginx.conf", directory, before))
        yield Fleet(hosts, edge, directory, deployment, *keys)


def running(host: Host) -> Running:
    return Running(host.port, None)  # type: ignore[arg-type]


def test_etags_and_bodies_are_equal_on_every_host(fleet: Fleet) -> None:
    seen = Counter[int]()
    for path in crawl.reads():
        answers = [running(host).get(path, fleet.key) for host in fleet.hosts]
        seen[answers[0].status] += 1
        told = {(one.status, one.headers.get("etag")) for one in answers}
        assert len(told) == 1, path
        if answers[0].status == 200:
            assert len({orjson.dumps(one.body) for one in answers}) == 1, path
            unchanged = f"If-None-Match: {answers[0].headers['etag']}"
            with running(fleet.hosts[-1]).connect() as connection:
                connection.sendall(head(path, fleet.key, unchanged, "Connection: close"))
                assert receive(connection).status == 304, path
    assert seen[200] > 20


def test_quotas_are_shared_and_exact(fleet: Fleet) -> None:
    with windows.held(fleet.deployment.redis_url), ThreadPoolExecutor(32) as threads:
        answers = [
            *threads.map(
                lambda number: ask(fleet.edge, fleet.second_key, f"127.0.0.{2 + number % 8}"),
                range(2 * LIMIT),
            )
        ]
        # Each host says so, whichever answers.
        refused = {running(host).get(key=fleet.second_key).status for host in fleet.hosts}
    assert Counter(answer.status for answer in answers) == {200: LIMIT, 429: LIMIT}
    assert refused == {429}


def test_the_clients_address_is_right_after_two_hops(fleet: Fleet) -> None:
    """What the client claims about itself does not count."""
    addresses = [f"127.0.1.{last}" for last in range(2, 14)]
    with ThreadPoolExecutor(CLIENTS) as threads:
        answers = [*threads.map(lambda one: ask(fleet.edge, fleet.key, one), addresses)]
    assert {answer.status for answer in answers} == {200}
    lines = [line for host in fleet.hosts for line in running(host).log()]
    of_request = {line["request_id"]: line["client"] for line in lines if "request_id" in line}
    found = [of_request[answer.headers["x-request-id"]] for answer in answers]
    assert found == addresses


@contextmanager
def load(proxy: Running, key: str, expected: Any) -> Iterator[Counter[str]]:
    """Clients ask without pause by REST and MCP, on kept and new connections. Yields failures."""
    ended = Event()
    seen = Counter[str]()

    def note(status: int, data: Any) -> None:
        # The pause leaves time to the hosts, which start on the same machine.
        sleep(PAUSE_SECONDS)
        right = status == 200 and data == expected
        seen["right" if right else f"wrong: {status}"] += 1

    def keep() -> None:
        connection = Connection(("127.0.0.1", proxy.port))
        lines = ["Content-Type: application/json", f"Content-Length: {len(BODY)}"]
        message = head("/api/mcp", key, *lines, method="POST") + BODY
        while not ended.is_set():
            reply = connection.exchange(head(PATH, key))
            note(reply.status, orjson.loads(reply.body)["data"] if reply.status == 200 else None)
            reply = connection.exchange(message)
            found = orjson.loads(reply.body) if reply.status == 200 else {}
            note(reply.status, found.get("result", {}).get("structuredContent", {}).get("data"))
        connection.close()

    def renew() -> None:
        while not ended.is_set():
            answer: Answer = proxy.get(PATH, key)
            note(answer.status, answer.body["data"] if answer.status == 200 else None)

    with ThreadPoolExecutor(CLIENTS) as threads:
        futures = [threads.submit((keep, renew)[number % 2]) for number in range(CLIENTS)]
        try:
            yield seen
        finally:
            ended.set()
        for future in futures:
            # A lost connection raises.
            future.result()


def served(host: Host, key: str) -> str:
    """The version that a host reports."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize",
               "params": {"protocolVersion": "2025-06-18"}}  # fmt: skip
    body = orjson.dumps(message)
    lines = ["Content-Type: application/json", f"Content-Length: {len(body)}", "Connection: close"]
    with running(host).connect() as connection:
        connection.sendall(head("/api/mcp", key, *lines, method="POST") + body)
        return str(receive(connection).body["result"]["serverInfo"]["version"])


def restart(fleet: Fleet, proxy: Running, code: Path = ROOT) -> Counter[str]:
    """Restart the hosts one after the other while clients ask."""
    expected = proxy.get(PATH, fleet.key).body["data"]
    assert expected
    with load(proxy, fleet.key, expected) as seen:
        for host in fleet.hosts:
            before = seen["right"]
            host.stop()
            # Clients ask the other hosts meanwhile.
            wait_for(lambda: seen["right"] >= before + 4 * CLIENTS, "answers of the other hosts")  # noqa: B023
            host.start(code)
            # A proxy that found it gone asks the others for some seconds more.
            first = _asked(host)
            wait_for(lambda: _asked(host) > first, "requests of the proxy")  # noqa: B023
    print(dict(seen))
    return seen


def _asked(host: Host) -> int:
    """How many requests with a key it has answered."""
    return sum(bool(line.get("key_id")) for line in running(host).log())


def test_a_rolling_restart_fails_no_request(fleet: Fleet, tmp_path: Path) -> None:
    """This runs behind nginx, and the upgrade behind HAProxy."""
    tmp_path.chmod(0o755)
    with proxied("fleet-nginx.conf", tmp_path, fleet.places) as proxy:
        seen = restart(fleet, proxy)
    assert set(seen) == {"right"}


def test_a_rolling_upgrade_fails_no_request(fleet: Fleet, tmp_path: Path) -> None:
    """The schema is migrated under load; then the old code returns and runs on the new schema."""
    for name in ("orgctx", "sql"):
        shutil.copytree(ROOT / name, tmp_path / name)
    package = tmp_path / "orgctx/__init__.py"
    package.write_text(
        re.sub(r'__version__ = ".*"', f'__version__ = "{NEWER}"', package.read_text())
    )
    migration = tmp_path / "sql/schema/999_newer.sql"
    migration.write_text("ALTER TABLE knowledge ADD COLUMN newer text;\n")
    old = served(fleet.hosts[0], fleet.key)
    expected = fleet.edge.get(PATH, fleet.key).body["data"]
    with load(fleet.edge, fleet.key, expected) as seen:
        environment = {**os.environ, **fleet.deployment.environment}
        migrated = subprocess.run(
            [sys.executable, "-m", "orgctx.cli", "migrate"],
            cwd=tmp_path,
            env={name: value for name, value in environment.items() if value is not None},
            capture_output=True,
            timeout=60,
        )
        assert migrated.returncode == 0, migrated.stderr
    assert set(seen) == {"right"}
    assert fleet.deployment.execute("SELECT newer FROM knowledge LIMIT 1") == [(None,)]
    try:
        assert set(restart(fleet, fleet.edge, tmp_path)) == {"right"}
        assert {served(host, fleet.key) for host in fleet.hosts} == {NEWER}
    finally:
        seen = restart(fleet, fleet.edge)
    assert set(seen) == {"right"}
    assert {served(host, fleet.key) for host in fleet.hosts} == {old}
