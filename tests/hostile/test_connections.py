"""Connections are limited, and bodies that are slow, malformed, in tiny chunks or endless."""

import json
import resource
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from select import select
from time import monotonic, sleep

import pytest

from orgctx.http.body import LEFTOVER_BYTES, MAX_LARGE_AT_ONCE
from orgctx.server.request_headers import MAX_CHUNKS
from tests.mcp.endpoint import request
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.processes import limited
from tests.support.service import Running, exchange, head, receive, serve

pytestmark = pytest.mark.thorough

MAX_CONNECTIONS = 5
ATTACKER = "127.0.0.2"
REQUEST = head("/healthz")
MAX_WORKER_MIB = 200
PING = json.dumps(request("ping")).encode()
LARGE = 1024 * 1024
SLOW_CLIENTS = 150
# Enough for a good request on a busy machine.
SECONDS = 3.0


@pytest.fixture(scope="module")
def strict(acme: Deployment) -> Iterator[Running]:
    """A server that gives an address few connections and a request little time."""
    limits = {"connections_per_address": MAX_CONNECTIONS, "request_timeout_seconds": SECONDS}
    with serve(acme, **limits) as served:
        yield served


@pytest.fixture
def many_files() -> Iterator[None]:
    """Raise the limit of open files, because the tests open up to 5,000 sockets."""
    if resource.getrlimit(resource.RLIMIT_NOFILE)[1] < 6000:
        pytest.skip("needs a hard limit of 6000 open files")
    with limited(resource.RLIMIT_NOFILE, 6000):
        yield


def connect(served: Running, source: str = ATTACKER, timeout: float = 10) -> socket.socket:
    return socket.create_connection(("127.0.0.1", served.port), timeout, (source, 0))


def resident(served: Running) -> list[float]:
    """Return the resident memory of each worker in MiB."""
    page_counts = [
        int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in served.workers()
    ]
    return [count * resource.getpagesize() / 1024**2 for count in page_counts]


def test_connections_are_limited_per_address(strict: Running) -> None:
    with ExitStack() as stack:
        clients = [stack.enter_context(connect(strict)) for _ in range(MAX_CONNECTIONS)]
        for client in clients:
            client.sendall(REQUEST)
            assert receive(client).status == 200
        for _ in range(20):
            with closing(connect(strict)) as rejected:
                answer = receive(rejected)
                assert answer.status == 429
                assert answer.body["error"]["code"] == "too_many_connections"
                assert rejected.recv(1) == b""
        assert strict.get("/healthz").status == 200
        clients[0].close()
        deadline = monotonic() + 60
        while True:
            retry = stack.enter_context(connect(strict))
            retry.sendall(REQUEST)
            if receive(retry).status == 200:
                break
            # The server may not have noticed yet that a connection was closed.
            assert monotonic() < deadline
            sleep(0.05)


@pytest.mark.system
@pytest.mark.parametrize(
    ("workers", "addresses"),
    # The last case exceeds the connection limit of one worker; each connection has its own address.
    [(2, 1), (1, 5000)],
)
def test_silent_clients_do_not_block_others(
    acme: Deployment, key: str, workers: int, addresses: int, many_files: None
) -> None:
    with serve(acme, workers=workers) as served, ExitStack() as stack:
        for number in range(5000):
            client = stack.enter_context(socket.socket())
            client.settimeout(60)
            host, last = divmod(number % addresses, 250)
            client.bind((f"127.0.{host + 1}.{last + 1}", 0))
            with suppress(ConnectionError):
                client.connect(("127.0.0.1", served.port))
        answers = [served.get(key=key) for _ in range(20)]
        print(f"slowest {max(answer.seconds for answer in answers):.3f} s; MiB", resident(served))
        assert {answer.status for answer in answers} == {200}
        assert max(resident(served)) < MAX_WORKER_MIB


def post(key: str, *lines: str) -> bytes:
    return head("/api/mcp", key, "Content-Type: application/json", *lines, method="POST")


def in_chunks(body: bytes, count: int) -> bytes:
    """The body in chunks of one byte; the last chunk contains the rest."""
    pieces = [*(body[n : n + 1] for n in range(count - 1)), body[count - 1 :]]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


@pytest.mark.parametrize("count", [MAX_CHUNKS - 1, MAX_CHUNKS + 1, 900_000])
def test_body_limits_the_number_of_chunks(served: Running, key: str, count: int) -> None:
    body = PING[:-1] + b" " * count + b"}"
    sent = post(key, "Transfer-Encoding: chunked", "Connection: close") + in_chunks(body, count)
    (answer,) = exchange(served, sent)
    if count <= MAX_CHUNKS:
        assert (answer.status, answer.body["result"]) == (200, {})
    else:
        assert answer.status == 400
        assert "well-formed chunks" in answer.body["error"]["message"]


def test_chunk_limit_applies_to_each_body(served: Running, key: str) -> None:
    body = PING[:-1] + b" " * 6000 + b"}"
    chunked = post(key, "Transfer-Encoding: chunked") + in_chunks(body, 6000)
    last = post(key, "Connection: close", f"Content-Length: {len(PING)}") + PING
    assert [answer.status for answer in exchange(served, chunked * 3 + last)] == [200] * 4


@pytest.mark.parametrize("hostile_count", [1, 8, 2 * MAX_LARGE_AT_ONCE])
def test_endless_bodies_do_not_delay_those_of_another_organization(
    acme: Deployment, key: str, hostile_count: int
) -> None:
    """The tenants' bodies occupy all slots for the time budget, which is long here."""
    keys = [issue(acme, f"hostile {number}") for number in range(hostile_count)]
    with (
        serve(acme, request_timeout_seconds=120) as service,
        ExitStack() as stack,
    ):
        clients = [stack.enter_context(service.connect()) for _ in range(3 * hostile_count)]
        for number, client in enumerate(clients):
            sent = post(keys[number % hostile_count], f"Content-Length: {LARGE}")
            client.sendall(sent + b" " * 70_000)
        body = PING.ljust(LARGE)
        for _ in range(5):
            with closing(service.connect(timeout=60)) as mine:
                mine.sendall(post(key, f"Content-Length: {LARGE}") + body)
                assert receive(mine).status == 200
        answered = select(clients, [], [], 0)[0]
        # These had to make room.
        assert len(clients) - len(answered) >= MAX_LARGE_AT_ONCE - 5 or hostile_count == 1


def issue(deployment: Deployment, name: str) -> str:
    """Add an organization; return a key of it."""
    organization_id = make.uuid(name)
    deployment.load([make.organization(organization_id, slug=name.replace(" ", "-"))])
    deployment.load(make.staff(organization_id))
    return deployment.issue_key(organization_id, make.OWNER)


@pytest.mark.system
def test_endless_bodies_use_bounded_memory(acme: Deployment, key: str) -> None:
    other = issue(acme, "other")
    # A body that waited for one that never ends would get 504, after this test.
    with serve(acme, request_timeout_seconds=120) as lone, ExitStack() as stack:
        clients = [stack.enter_context(lone.connect()) for _ in range(SLOW_CLIENTS)]
        for client in clients:
            client.sendall(post(key, f"Content-Length: {LARGE}"))
        sleep(1)
        for client in clients:
            client.settimeout(0.01)
            with suppress(TimeoutError):
                client.sendall(b" " * (LARGE - 1))
        # Bodies of one organization do not block those of another.
        with closing(lone.connect()) as mine:
            body = PING[:-1] + b" " * (LARGE - len(PING)) + b"}"
            mine.sendall(post(other, f"Content-Length: {LARGE}") + body)
            assert receive(mine).status == 200
        assert lone.get(key=key).status == 200
        print(f"{SLOW_CLIENTS} bodies of 1 MiB that never end: {resident(lone)} MiB")
        assert max(resident(lone)) < MAX_WORKER_MIB


def begin(served: Running, key: str, *lines: str) -> socket.socket:
    """A connection on which a request head was sent, and no body."""
    connection = served.connect()
    connection.sendall(post(key, *lines))
    return connection


def test_body_that_trickles_times_out(strict: Running, key: str) -> None:
    with begin(strict, key, "Content-Length: 1000") as connection:
        while not select([connection], [], [], 0.1)[0]:
            connection.sendall(b" ")
        assert receive(connection).status == 504


def test_bodies_that_stop_time_out_and_block_nobody(strict: Running, key: str) -> None:
    began = monotonic()
    slow = [begin(strict, key, "Content-Length: 1000") for _ in range(4)]
    slow[0].sendall(b'{"jsonrpc"')
    for connection in slow:
        answer = receive(connection)
        assert (answer.status, answer.body["error"]["data"]["code"]) == (504, "timeout")
        connection.close()
    assert monotonic() - began >= SECONDS
    assert strict.post(request("ping"), key).status == 200


@pytest.mark.parametrize("length", [LEFTOVER_BYTES - 1, LEFTOVER_BYTES])
def test_answer_says_that_the_connection_ends(strict: Running, length: int) -> None:
    with begin(strict, "octx_unknown", f"Content-Length: {length}") as connection:
        connection.sendall(b" " * length)
        answer = receive(connection)
        assert answer.status == 401
        if length >= LEFTOVER_BYTES:
            assert answer.headers["connection"] == "close"
            assert connection.recv(1) == b""
        else:
            connection.sendall(REQUEST)
            assert receive(connection).status == 200


CHUNKED = "Transfer-Encoding: chunked"
LONG_CHUNK = b"%x\r\n%s\r\n" % (65536, b" " * 65536)


@pytest.mark.parametrize(
    ("header", "body", "is_whole", "status", "word"),
    [
        (CHUNKED, b"zz\r\n", True, 400, "well-formed chunks"),
        (CHUNKED, b"5\r\nabcdefgh\r\n", True, 400, "well-formed chunks"),
        (CHUNKED, b"-1\r\n\r\n", True, 400, "well-formed chunks"),
        (CHUNKED, in_chunks(PING, len(PING)).removesuffix(b"\r\n"), False, 408, "request_timeout"),
        (CHUNKED, LONG_CHUNK * 17, False, 413, "1 MiB"),
        ("Content-Length: 1000", b"{", True, 400, "Content-Length"),
        (f"Content-Length: {10**9}", b"", False, 413, "1 MiB"),
    ],
)
def test_malformed_body_is_rejected(
    strict: Running, key: str, header: str, body: bytes, is_whole: bool, status: int, word: str
) -> None:
    with begin(strict, key, header) as connection:
        connection.sendall(body)
        if is_whole:
            connection.shutdown(socket.SHUT_WR)
        answer = receive(connection)
        assert (answer.status, answer.headers["connection"]) == (status, "close")
        assert word in str(answer.body["error"])
        assert connection.recv(1) == b""
