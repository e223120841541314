"""Promises that need a real server: bytes on a connection, HEAD, unread bodies."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection, HTTPResponse

import pytest

from tests.contract.conftest import Api
from tests.mcp.served import Served, serve
from tests.operations import PATHS
from tests.support import factories as make
from tests.support.deployment import Deployment


@pytest.fixture(scope="module")
def served(acme: Deployment) -> Iterator[Served]:
    with serve(acme, acme.issue_key(make.ACME, make.OWNER)) as served:
        yield served


def head_of(served: Served, target: str, method: str = "GET", *lines: str) -> bytes:
    """The request head as bytes, without normalizing the target."""
    authorization = f"Authorization: Bearer {served.key}"
    head = [f"{method} {target} HTTP/1.1", "Host: 127.0.0.1", authorization, *lines]
    return "\r\n".join([*head, "", ""]).encode("latin-1")


def answer(connection: socket.socket, method: str = "GET") -> tuple[HTTPResponse, bytes]:
    response = HTTPResponse(connection, method=method)
    response.begin()
    return response, response.read()


def connect(served: Served) -> socket.socket:
    return socket.create_connection(("127.0.0.1", served.port), timeout=60)


def status(served: Served, target: str, *lines: str) -> int:
    """The status of a request on a connection of its own."""
    with closing(connect(served)) as connection:
        connection.sendall(head_of(served, target, "GET", *lines))
        response, body = answer(connection)
        if response.status >= 400:
            assert json.loads(body)["requestId"] == response.headers["X-Request-Id"]
        return response.status


NEXT = "/api/v1/sources"


@pytest.mark.parametrize(
    ("lines", "body"),
    [
        (("Content-Length: 5",), b"hello"),
        (("Content-Length: 45",), b"GET /api/v1/context HTTP/1.1\r\nHost: other\r\n\r\n"),
        (("Transfer-Encoding: chunked",), b"5\r\nhello\r\n0\r\n\r\n"),
        (("Transfer-Encoding: chunked",), b"0\r\n\r\n"),
    ],
)
def test_unread_body_never_desynchronizes(
    served: Served, lines: tuple[str, ...], body: bytes
) -> None:
    """[1.4] [1.5]"""
    with closing(connect(served)) as connection:
        connection.sendall(head_of(served, NEXT, "GET", *lines) + body)
        response, content = answer(connection)
        assert (response.status, json.loads(content)["error"]["code"]) == (413, "body_not_accepted")
        try:
            connection.sendall(head_of(served, NEXT))
            again = connection.recv(65_536)
        except ConnectionError:
            again = b""
        assert again == b"" or again.startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("line", ["Content-Length: 1000000", "Transfer-Encoding: chunked"])
def test_413_does_not_wait_for_the_body(served: Served, line: str) -> None:
    """[1.5]"""
    with closing(connect(served)) as connection:
        connection.settimeout(3)
        connection.sendall(head_of(served, NEXT, "GET", line))
        assert answer(connection)[0].status == 413


def test_413_answers_expect(served: Served) -> None:
    """[1.5]"""
    lines = ("Content-Length: 3", "Expect: 100-continue")
    with closing(connect(served)) as connection:
        connection.settimeout(3)
        connection.sendall(head_of(served, NEXT, "GET", *lines))
        # gunicorn itself sends 100 Continue, before the request reaches the service.
        assert answer(connection)[0].status == 413


@pytest.mark.parametrize("method", ["POST", "PUT", "OPTIONS"])
def test_405_with_a_body_keeps_the_connection(served: Served, method: str) -> None:
    """[1.5]"""
    with closing(connect(served)) as connection:
        request = head_of(served, NEXT, method, "Content-Length: 5") + b"hello"
        connection.sendall(request)
        assert answer(connection)[0].status == 405
        try:
            connection.sendall(head_of(served, NEXT))
            again = connection.recv(65_536)
        except ConnectionError:
            again = b""
        assert again == b"" or again.startswith(b"HTTP/1.1 200 ")


def test_connection_serves_many_requests(served: Served) -> None:
    """[7.4]"""
    with closing(HTTPConnection("127.0.0.1", served.port, timeout=60)) as connection:
        key = {"Authorization": f"Bearer {served.key}"}
        for target, headers, expected in (
            (NEXT, key, 200), (NEXT, {}, 401), ("/api/v1/x", key, 404), (NEXT, key, 200),
            (NEXT, key | {"If-None-Match": "*"}, 304), (NEXT, key, 200),
        ):  # fmt: skip
            connection.request("GET", target, headers=headers)
            response = connection.getresponse()
            response.read()
            assert response.status == expected


def test_head_has_no_body(served: Served) -> None:
    """[1.3]"""
    with closing(connect(served)) as connection:
        for target in (NEXT, "/api/v1/nothing", NEXT):
            connection.sendall(head_of(served, target))
            length = answer(connection)[0].headers["Content-Length"]
            connection.sendall(head_of(served, target, "HEAD"))
            response, content = answer(connection, "HEAD")
            assert content == b""
            assert response.headers["Content-Length"] == length


def test_304_has_no_body(served: Served) -> None:
    """[1.7]"""
    with closing(connect(served)) as connection:
        for lines, expected in ((("If-None-Match: *",), 304), ((), 200)):
            connection.sendall(head_of(served, NEXT, "GET", *lines))
            assert answer(connection)[0].status == expected


TARGETS = {
    "/api/v1/people/%ff": 400,
    "/api/v1/people/%ED%A0%80": 400,
    "/api/v1/knowledge/%C3": 400,
    "/api/v1/people/%00": 400,
    "/api/v1/people?q=%ff": 400,
    "/api/v1/people?q=%C3%A9": 200,
    "/api/v1/%ff": 404,
    "/api/v1/%2e%2e/context": 404,
    "/api/v1//context": 404,
    "/api/v1/context/": 404,
    "/api/v1/context%2f": 404,
    "/api/v1/%63ontext": 200,
    "http://127.0.0.1/api/v1/context": 200,
    "/api/v1/context?": 200,
    "/api/v1/context?&&": 200,
    "/api/v1/context?=": 400,
    "/api/v1/people?" + "&".join(["q"] * 101): 400,
}


@pytest.mark.parametrize(("target", "expected"), TARGETS.items())
def test_request_targets(served: Served, target: str, expected: int) -> None:
    """[7.26] [1.14]"""
    assert status(served, target) == expected


def test_longest_parameters_fit(served: Served) -> None:
    """[7.24] [4.5.3]"""
    ship = "%F0%9F%9A%A2"
    assert status(served, f"/api/v1/search?q={ship * 200}&source=docs:handbook") == 200
    assert status(served, f"/api/v1/search?q={ship * 200}&source={ship * 150}") == 404
    assert status(served, f"/api/v1/people/{ship * 250}") == 404


@pytest.mark.parametrize("path", PATHS.values(), ids=PATHS)
def test_processes_send_equal_answers(served: Served, api: Api, path: str) -> None:
    """[1.10] The hashes of strings, and so the order of sets, differ between the two processes."""
    here = api.request(path, headers={"Authorization": f"Bearer {served.key}"})
    with closing(connect(served)) as connection:
        connection.sendall(head_of(served, f"/api/v1{path}"))
        response, body = answer(connection)
    assert (response.headers["ETag"], body) == (here.headers["ETag"], here.data)
