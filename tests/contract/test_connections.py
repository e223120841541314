"""Promises that need a real server: bytes on a connection, HEAD, unread bodies."""

from contextlib import closing
from http.client import HTTPConnection

import pytest

from tests.contract.conftest import Api
from tests.operations import PATHS
from tests.support import factories as make
from tests.support.service import SOURCES, Running, head, receive


@pytest.mark.parametrize(
    "lines",
    [
        ("Content-Length: 1000000",),
        ("Transfer-Encoding: chunked",),
        # gunicorn itself sends 100 Continue, before the request reaches the service.
        ("Content-Length: 3", "Expect: 100-continue"),
    ],
)
def test_413_does_not_wait_for_the_body(served: Running, key: str, lines: tuple[str, ...]) -> None:
    """[1.5]"""
    assert served.send(head(SOURCES, key, *lines)).status == 413


@pytest.mark.parametrize("method", ["POST", "PUT", "OPTIONS"])
def test_405_with_a_body_keeps_the_connection(served: Running, key: str, method: str) -> None:
    """[1.5]"""
    with closing(served.connect()) as connection:
        connection.sendall(head(SOURCES, key, "Content-Length: 5", method=method) + b"hello")
        assert receive(connection).status == 405
        connection.sendall(head(SOURCES, key))
        assert receive(connection).status == 200


def test_connection_serves_many_requests(served: Running, key: str) -> None:
    """[7.4]"""
    with closing(HTTPConnection("127.0.0.1", served.port, timeout=60)) as connection:
        bearer = {"Authorization": f"Bearer {key}"}
        for target, headers, expected in (
            (SOURCES, bearer, 200), (SOURCES, {}, 401), ("/api/v1/x", bearer, 404),
            (SOURCES, bearer | {"If-None-Match": "*"}, 304), (SOURCES, bearer, 200),
        ):  # fmt: skip
            connection.request("GET", target, headers=headers)
            response = connection.getresponse()
            response.read()
            assert response.status == expected


def test_head_and_304_have_no_body(served: Running, key: str) -> None:
    """[1.3]"""
    with closing(served.connect()) as connection:
        for target in (SOURCES, "/api/v1/nothing", SOURCES):
            connection.sendall(head(target, key))
            length = receive(connection).headers["content-length"]
            connection.sendall(head(target, key, method="HEAD"))
            answer = receive(connection, method="HEAD")
            assert (answer.body, answer.headers["content-length"]) == (b"", length)
        for lines, expected in ((("If-None-Match: *",), 304), ((), 200)):
            connection.sendall(head(SOURCES, key, *lines))
            assert receive(connection).status == expected


SHIP = "%F0%9F%9A%A2"
TARGETS = {
    "/api/v1/people/%ff": 400,
    "/api/v1/people/%ED%A0%80": 400,
    "/api/v1/knowledge/%C3": 400,
    "/api/v1/people/%00": 400,
    "/api/v1/people?q=%ff": 400,
    "/api/v1/people?q=%C3%A9": 200,
    **dict.fromkeys(
        (f"/api/v1{path}" for path in (
            "/%ff", "/%2e%2e/context", "//context", "/context/", "/context%2f", "%2Fcontext",
            "/./context", "/", "/nothing", "/telegram//chats", "/people/", "/people/a/b",
            "/knowledge/docs%2Fx", f"/assets/{make.uuid('Brand')}/", "/x", "/telegram", "/CONTEXT",
            "/openapi.json/",
        )),
        404,
    ),
    "//api/v1/context": 404,
    "http://127.0.0.1//api/v1/context": 404,
    "/api/v1/%63ontext": 200,
    "http://127.0.0.1/api/v1/context": 200,
    "/api/v1/context?": 200,
    "/api/v1/context?&&": 200,
    "/api/v1/context?=": 400,
    # The longest parameters.
    f"/api/v1/search?q={SHIP * 200}&source=docs:handbook": 200,
    f"/api/v1/search?q={SHIP * 200}&source={SHIP * 150}": 404,
    f"/api/v1/people/{SHIP * 250}": 404,
}  # fmt: skip


@pytest.mark.parametrize(("target", "expected"), TARGETS.items(), ids=range(len(TARGETS)))
def test_request_targets(served: Running, key: str, target: str, expected: int) -> None:
    """[7.26] [1.14]"""
    answer = served.get(target, key)
    assert answer.status == expected
    assert expected < 400 or answer.body["requestId"] == answer.headers["x-request-id"]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("path", PATHS.values(), ids=PATHS)
def test_processes_send_equal_answers(served: Running, key: str, api: Api, path: str) -> None:
    """[1.10] The hashes of strings, and so the order of sets, differ between the two processes."""
    here = api.request(path, headers={"Authorization": f"Bearer {key}"})
    answer = served.get(f"/api/v1{path}", key)
    # An ETag is a digest of the bytes.
    assert (answer.headers["etag"], answer.body) == (here.headers["ETag"], here.json)
