"""Three hosts behind two proxies see the address of the client.

No request fails while the hosts are upgraded.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from threading import local
from time import sleep
from typing import Any

import orjson
import pytest

from tests.mcp.endpoint import call, request
from tests.reliability.test_quotas import ask
from tests.soak.requests import MCP, REST, Request, exchange
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.processes import ROOT, need
from tests.support.proxies import proxied
from tests.support.service import NEWER, Host, Running, newer_release
from tests.support.traffic import steady
from tests.support.waiting import until

pytestmark = pytest.mark.system

HOSTS = 3
CLIENTS = 6
PAUSE_SECONDS = 0.06
PATH = "/api/v1/knowledge"
READ = Request(REST, "GET", PATH)
CALL = Request(MCP, "POST", "/api/mcp", orjson.dumps(call("list_knowledge", {})))


@dataclass(frozen=True)
class Fleet:
    """Hosts behind nginx, which is behind nginx (`edge`)."""

    hosts: list[Host]
    edge: Running
    deployment: Deployment
    key: str


def places(hosts: list[Host]) -> dict[str, str]:
    """The hosts by their addresses in the example configurations."""
    return {f"10.0.0.{number}:8000": host.address for number, host in enumerate(hosts, 1)}


@pytest.fixture(scope="module")
def fleet(
    module_deployment: Deployment, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Fleet]:
    need("nginx")
    deployment = module_deployment
    deployment.load_acme()
    key = deployment.issue_key(make.ACME, make.OWNER)
    directory = tmp_path_factory.mktemp("proxies")
    directory.chmod(0o755)
    with ExitStack() as stack:
        hosts = [Host(deployment, trusted_proxy_hops=2) for _ in range(HOSTS)]
        for host in hosts:
            host.start()
            stack.callback(host.stop)
        balancer = stack.enter_context(proxied("fleet-nginx.conf", directory, places(hosts)))
        upstream = {"127.0.0.1:8000": f"127.0.0.1:{balancer.port}"}
        edge = stack.enter_context(proxied("nginx.conf", directory, upstream))
        yield Fleet(hosts, edge, deployment, key)


def running(host: Host) -> Running:
    return Running(host.port, None)  # type: ignore[arg-type]


def test_hosts_log_the_client_address_after_two_hops(fleet: Fleet) -> None:
    """Headers of the client that claim another address are ignored."""
    addresses = [f"127.0.1.{last}" for last in range(2, 14)]
    with ThreadPoolExecutor(CLIENTS) as threads:
        answers = [*threads.map(lambda address: ask(fleet.edge, fleet.key, address), addresses)]
    assert {answer.status for answer in answers} == {200}
    lines = [line for host in fleet.hosts for line in running(host).log()]
    clients = {line["request_id"]: line["client"] for line in lines if "request_id" in line}
    assert [clients[answer.headers["x-request-id"]] for answer in answers] == addresses


def tool_data(body: dict[str, Any]) -> Any:
    """Return the data of a tool result, or None for an error."""
    return body.get("result", {}).get("structuredContent", {}).get("data")


@contextmanager
def load(proxy: Running, key: str) -> Iterator[list[set[int]]]:
    """Send REST and MCP requests on persistent and new connections. Yields their statuses.

    Asserts that each response with status 200 has the same data.
    """
    expected = proxy.get(PATH, key).body["data"]
    of_tool = tool_data(proxy.post(call("list_knowledge", {}), key).body)
    assert expected
    assert of_tool
    own, stack = local(), ExitStack()

    def send() -> set[int]:
        # The pause leaves time for the hosts, which start on the same machine.
        sleep(PAUSE_SECONDS)
        if not hasattr(own, "kept"):
            own.kept = HTTPConnection("127.0.0.1", proxy.port)
            stack.callback(own.kept.close)
        rest, tool = (exchange(own.kept, request, key) for request in (READ, CALL))
        new = proxy.get(PATH, key)
        assert rest[0] != 200 or orjson.loads(rest[2])["data"] == expected
        assert tool[0] != 200 or tool_data(orjson.loads(tool[2])) == of_tool
        assert new.status != 200 or new.body["data"] == expected
        return {rest[0], tool[0], new.status}

    with stack, steady(send, CLIENTS) as statuses:
        yield statuses


def version_of(host: Host, key: str) -> str:
    """Return the version that a host reports."""
    parameters = {"protocolVersion": "2025-06-18"}
    reply = running(host).post(request("initialize", parameters), key)
    return str(reply.body["result"]["serverInfo"]["version"])


def restart(fleet: Fleet, code: Path = ROOT) -> set[int]:
    """Restart the hosts one after the other under load. Returns the statuses of responses."""
    with load(fleet.edge, fleet.key) as statuses:
        for host in fleet.hosts:
            before = len(statuses)
            host.stop()
            # The other hosts serve meanwhile.
            until(lambda: len(statuses) >= before + 2 * CLIENTS, "the others do not answer")  # noqa: B023
            host.start(code)
            # A proxy avoids a host for some seconds after it was unavailable.
            first = request_count(host)
            until(lambda: request_count(host) > first, "the proxy sends nothing")  # noqa: B023
    return set().union(*statuses)


def request_count(host: Host) -> int:
    """Count the requests with a key that a host has answered."""
    return sum(bool(line.get("key_id")) for line in running(host).log())


def test_rolling_upgrade_fails_no_request(fleet: Fleet, tmp_path: Path) -> None:
    """The schema is migrated; in the end the old code returns and runs on the new schema."""
    newer_release(tmp_path, "ALTER TABLE knowledge ADD COLUMN newer text;\n")
    old = version_of(fleet.hosts[0], fleet.key)
    migration = fleet.deployment.process("migrate", cwd=tmp_path)
    _, errors = migration.communicate(timeout=60)
    assert migration.returncode == 0, errors
    try:
        assert restart(fleet, tmp_path) == {200}
        assert {version_of(host, fleet.key) for host in fleet.hosts} == {NEWER}
    finally:
        after = restart(fleet)
    assert after == {200}
    assert {version_of(host, fleet.key) for host in fleet.hosts} == {old}
