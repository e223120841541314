"""Forged headers never change whom a request is charged to, over TCP and over a Unix socket."""

import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, suppress
from http.client import HTTPException
from pathlib import Path
from socket import create_connection

import pytest
from redis import Redis

from tests.conftest import empty_redis
from tests.support.deployment import Deployment
from tests.support.processes import free_port, need
from tests.support.proxies import program, proxied
from tests.support.service import SOURCES, head, receive, serve
from tests.support.traffic import lasting_windows

CLIENT, PROXY, OTHER, FORGED = "203.0.113.7", "192.0.2.1", "203.0.113.8", "198.51.100.9"
LIMIT = 6
# Header lines, in which {} is what the trusted proxies add on the right.
FORMS = [
    "X-Forwarded-For: {}",
    f"X-Forwarded-For: {FORGED}, {{}}",
    f"X-Forwarded-For: {FORGED},, ,{{}}",
    f"X-Forwarded-For: {', '.join([FORGED] * 200)}, {{}}",
    f"X-Forwarded-For: \"{FORGED}\", unknown, {{}}",
    # Some proxies add a line of its own.
    f"X-Forwarded-For: {FORGED}\r\nX-Forwarded-For: {{}}",
    f"x-forwarded-FOR: {FORGED}, {FORGED}\r\nX-Forwarded-For: {{}}",
    f"X-Forwarded-For: {{}}\r\nForwarded: for={FORGED}\r\nX-Real-IP: {FORGED}",
    f"X-Forwarded-For: {{}}\r\nX-Client-IP: {FORGED}\r\nTrue-Client-IP: {FORGED}\r\n"
    f"CF-Connecting-IP: {FORGED}\r\nX-Cluster-Client-IP: {FORGED}",
    f"X-Forwarded-For: {{}}\r\nX-Forwarded-For : {FORGED}",
    f"X-Forwarded-For: {{}}\r\n , {FORGED}",
    f"X-Forwarded-For: {{}}\r\nX-Forwarded-For\t: {FORGED}",
    f"X-Forwarded-For: {{}}\r\nX-Forwarded-For\0: {FORGED}",
    f"X-Forwarded-For: {{}}\rX-Forwarded-For: {FORGED}",
]  # fmt: skip
# WSGI gives these names the same variable as X-Forwarded-For. granian also accepts a bare LF.
AMBIGUOUS = [
    f"X-Forwarded-For: {{}}\nX-Forwarded-For: {FORGED}",
    f"X-Forwarded-For: {{}}\r\nX_Forwarded_For: {FORGED}",
    f"X_Forwarded-For: {FORGED}\r\nX-Forwarded-For: {{}}",
    f"X-Forwarded-For: {{}}\r\nX-Forwarded_For: {FORGED}, {FORGED}",
]
# Host and port, or the path of a Unix socket.
Place = tuple[str, int] | str
ADDED = {1: CLIENT, 2: f"{CLIENT}, {PROXY}"}


@pytest.fixture
def counters(acme: Deployment) -> Iterator[Redis]:
    empty_redis(acme.redis_url)
    with lasting_windows(acme.redis_url), Redis.from_url(acme.redis_url) as redis:
        yield redis


def ask(place: Place, key: str, lines: str) -> int:
    """Return the status, or 0 if the server closes the connection."""
    family = socket.AF_UNIX if isinstance(place, str) else socket.AF_INET
    with closing(socket.socket(family)) as connection:
        connection.settimeout(30)
        connection.connect(place)
        connection.sendall(head(SOURCES, key, lines, "Connection: close"))
        with suppress(HTTPException, ConnectionError):
            return receive(connection).status
    return 0


@pytest.mark.thorough
@pytest.mark.parametrize("server", ["gunicorn", "granian"])
@pytest.mark.parametrize("hops", ADDED)
def test_forged_headers_are_not_charged(
    acme: Deployment, key: str, counters: Redis, tmp_path: Path, server: str, hops: int
) -> None:
    port, path = free_port(), str(tmp_path / "socket")
    bind = {"bind": f"127.0.0.1:{port},unix:{path}"} if server == "gunicorn" else {}
    # A proxy must remove these before granian, which does not.
    forms = [*AMBIGUOUS, *FORMS] if server == "gunicorn" else FORMS
    tcp = ("127.0.0.1", port)
    settings = {"limit_ip": LIMIT, "trusted_proxy_hops": hops, "connections_per_address": 1, **bind}
    # Connections are not limited behind a proxy.
    with serve(acme, port=port, server=server, **settings), create_connection(tcp):
        places: list[Place] = [tcp, path] if bind else [tcp]
        statuses = Counter(
            ask(place, key, form.format(ADDED[hops])) for form in forms for place in places
        )
        print(server, hops, dict(statuses))
        # A request that one server rejects is charged to nobody.
        assert set(statuses) <= {0, 200, 400, 429}
        assert statuses[200] == LIMIT
        assert statuses[429] > 0
        assert ask(tcp, key, f"X-Forwarded-For: {ADDED[hops].replace(CLIENT, OTHER)}") == 200
    charged = {name.decode() for name in counters.scan_iter("orgctx:quota:ip:*")}
    assert charged == {f"orgctx:quota:ip:{address}" for address in (CLIENT, OTHER)}


@pytest.mark.thorough
def test_unix_socket_without_a_trusted_proxy_is_one_address(
    acme: Deployment, key: str, counters: Redis, tmp_path: Path
) -> None:
    port, path = free_port(), str(tmp_path / "socket")
    bind = f"127.0.0.1:{port},unix:{path}"
    with serve(acme, port=port, limit_ip=LIMIT, bind=bind):
        statuses = Counter(ask(path, key, form.format(CLIENT)) for form in FORMS)
        assert statuses[200] == LIMIT
        assert set(statuses) <= {200, 400, 429}
    assert {*counters.scan_iter("orgctx:quota:ip:*")} == {b"orgctx:quota:ip:unix"}


@pytest.mark.system
@pytest.mark.parametrize("name", ["nginx.conf", "Caddyfile"])
def test_proxy_removes_forged_headers_before_granian(
    acme: Deployment, key: str, counters: Redis, tmp_path: Path, name: str
) -> None:
    need(program(name))
    tmp_path.chmod(0o755)
    with serve(acme, server="granian", trusted_proxy_hops=1) as running:
        place = f"127.0.0.1:{running.port}"
        with proxied(name, tmp_path, {"127.0.0.1:8000": place}) as proxy:
            forms = [*AMBIGUOUS, *FORMS]
            statuses = Counter(
                ask(("127.0.0.1", proxy.port), key, form.format(FORGED)) for form in forms
            )
    print(name, dict(statuses))
    assert set(statuses) <= {0, 200, 400}
    assert statuses[200] > len(FORMS) // 2
    assert {*counters.scan_iter("orgctx:quota:ip:*")} == {b"orgctx:quota:ip:127.0.0.1"}
