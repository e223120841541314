"""Connections are limited per address and per worker, and unread bodies close them."""

import resource
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.mcp.endpoint import request
from tests.support.deployment import Deployment
from tests.support.service import Running, head, receive, serve

MAX_CONNECTIONS = 5
ATTACKER = "127.0.0.2"
REQUEST = head("/healthz")
MAX_WORKER_MIB = 200


@pytest.fixture(scope="module")
def bounded(acme: Deployment) -> Iterator[Running]:
    with serve(acme, workers=1, connections_per_address=MAX_CONNECTIONS) as running:
        yield running


@pytest.fixture
def many_files() -> Iterator[None]:
    """Raise the limit of open files, because the tests open up to 5,000 sockets."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 6000:
        pytest.skip("needs a hard limit of 6000 open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (6000, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def connect(running: Running, source: str = ATTACKER, timeout: float = 10) -> socket.socket:
    return socket.create_connection(("127.0.0.1", running.port), timeout, (source, 0))


def resident(running: Running) -> list[float]:
    """Return the resident memory of each worker in MiB."""
    page_counts = [
        int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in running.workers()
    ]
    return [count * resource.getpagesize() / 1024**2 for count in page_counts]


def test_connections_are_limited_per_address(bounded: Running) -> None:
    with ExitStack() as stack:
        clients = [stack.enter_context(connect(bounded)) for _ in range(MAX_CONNECTIONS)]
        for client in clients:
            client.sendall(REQUEST)
            assert receive(client).status == 200
        for _ in range(20):
            with closing(connect(bounded)) as rejected:
                answer = receive(rejected)
                assert answer.status == 429
                assert answer.body["error"]["code"] == "too_many_connections"
                assert rejected.recv(1) == b""
        assert bounded.get("/healthz").status == 200
        clients[0].close()
        deadline = monotonic() + 60
        while True:
            retry = stack.enter_context(connect(bounded))
            retry.sendall(REQUEST)
            if receive(retry).status == 200:
                break
            # The server may not have noticed yet that a connection was closed.
            assert monotonic() < deadline
            sleep(0.05)


def test_connections_are_not_limited_behind_a_proxy(acme: Deployment) -> None:
    settings = {"connections_per_address": 1, "trusted_proxy_hops": 1}
    with serve(acme, workers=1, **settings) as running, ExitStack() as stack:
        for _ in range(MAX_CONNECTIONS):
            client = stack.enter_context(connect(running))
            client.sendall(REQUEST)
            assert receive(client).status == 200


def test_oversized_body_closes_the_connection(running: Running, key: str) -> None:
    headers = ("Content-Type: application/json", f"Content-Length: {10**9}")
    with closing(running.connect()) as client:
        client.sendall(head("/api/mcp", key, *headers, method="POST"))
        answer = receive(client)
        assert (answer.status, answer.headers["connection"]) == (413, "close")
        assert "1 MiB" in answer.body["error"]["message"]
        assert client.recv(1) == b""


def test_rejected_small_body_keeps_the_connection(running: Running, key: str) -> None:
    body = str(request("ping")).encode()
    headers = ("Content-Type: text/plain", f"Content-Length: {len(body)}")
    with closing(running.connect()) as client:
        for _ in range(3):
            client.sendall(head("/api/mcp", key, *headers, method="POST") + body)
            assert receive(client).status == 415


@pytest.mark.system
@pytest.mark.parametrize(
    ("workers", "addresses"),
    # The last case exceeds the connection limit of one worker; each connection has its own address.
    [(2, 1), (2, 10), (1, 5000)],
)
def test_silent_clients_do_not_block_others(
    acme: Deployment, key: str, workers: int, addresses: int, many_files: None
) -> None:
    with serve(acme, workers=workers) as running, ExitStack() as stack:
        for number in range(5000):
            client = stack.enter_context(socket.socket())
            client.settimeout(60)
            host, last = divmod(number % addresses, 250)
            client.bind((f"127.0.{host + 1}.{last + 1}", 0))
            with suppress(ConnectionError):
                client.connect(("127.0.0.1", running.port))
        answers = [running.get(key=key) for _ in range(20)]
        print(f"slowest {max(answer.seconds for answer in answers):.3f} s; MiB", resident(running))
        assert {answer.status for answer in answers} == {200}
        assert max(resident(running)) < MAX_WORKER_MIB
