"""The size of each response is limited, and so is the size of all unread responses."""

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from time import sleep
from typing import Any

import pytest
from flask import Flask
from redis import Redis

from orgctx.http.health import READY_SECONDS
from orgctx.mcp import dispatch
from orgctx.mcp.dispatch import MAX_BATCH_BYTES
from orgctx.schemas.payload import MAX_ANSWER_BYTES
from orgctx.server.connections import MAX_UNSENT_BYTES, Connections
from orgctx.stores.tenant_queue import TenantQueue
from tests.hostile.test_connections import resident
from tests.mcp.endpoint import Endpoint, call
from tests.support import crawl
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.service import head, serve

# A backslash takes two bytes in JSON, and four in JSON that is a string within JSON.
TEXT = "\\" * 60_000
# Each unread response has 14 MB.
READERS, MAX_WORKER_MIB = 60, 400


@pytest.fixture(scope="module")
def long(module_deployment: Deployment) -> Deployment:
    """100 messages with texts of the maximum length."""
    module_deployment.load_acme()
    module_deployment.load(make.message(number) for number in range(1, 101))
    # A load rejects such long texts; here, only the limit of responses should apply.
    module_deployment.execute("UPDATE telegram_messages SET text = %s", [TEXT])
    return module_deployment


@pytest.fixture(scope="module")
def long_key(long: Deployment) -> str:
    return long.issue_key(make.ACME, make.OWNER)


@pytest.fixture(scope="module")
def long_app(long: Deployment) -> Iterator[Flask]:
    with long.app() as app:
        yield app


def ask(limit: int, message_id: int = 1) -> Any:
    arguments = {"chatId": make.CHAT, "limit": limit}
    return call("list_telegram_messages", arguments, message_id)


def test_rest_rejects_a_page_that_is_too_large(long_app: Flask, long_key: str) -> None:
    path = f"/api/v1/telegram/chats/{make.CHAT}/messages?limit="
    fitting: Any = crawl.rest(long_app.test_client(), long_key, f"{path}60")
    assert (fitting.status_code, len(fitting.json["data"])) == (200, 60)
    assert len(fitting.data) <= MAX_ANSWER_BYTES
    rejected: Any = crawl.rest(long_app.test_client(), long_key, f"{path}100")
    assert rejected.status_code == 400
    assert "at most 8 MiB; ask for less with a lower limit" in rejected.json["error"]["message"]


def test_mcp_rejects_a_result_that_is_too_large(long_app: Flask, long_key: str) -> None:
    endpoint = Endpoint(long_app.test_client(), long_key)
    response = endpoint.post(ask(20))
    assert len(response.json["result"]["structuredContent"]["data"]) == 20
    assert len(response.data) <= MAX_ANSWER_BYTES + 200
    error = endpoint.tool_error("list_telegram_messages", chatId=make.CHAT, limit=30)
    assert "at most 8 MiB; ask for less with a lower limit" in error["message"]
    # Without a limit, the service chooses a limit that keeps the response small.
    assert endpoint.tool("list_telegram_messages", chatId=make.CHAT)["data"]


@pytest.mark.parametrize("count", [2, 3, 20])
def test_mcp_rejects_results_of_a_batch_that_are_too_large(
    long_app: Flask, long_key: str, count: int
) -> None:
    endpoint = Endpoint(long_app.test_client(), long_key)
    response = endpoint.post([ask(20, number) for number in range(count)])
    answers = json.loads(response.data)
    assert [answer["id"] for answer in answers] == [*range(count)]
    assert len(response.data) <= MAX_BATCH_BYTES + 10_000
    assert ["result" in answer for answer in answers] == [number < 2 for number in range(count)]
    for answer in answers[2:]:
        assert "at most 16 MiB. Send this message again" in answer["error"]["message"]


def test_batch_waits_for_a_place(
    long: Deployment, long_key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = TenantQueue(1)
    monkeypatch.setattr(dispatch, "_batches", queue)
    queue.acquire("hostile", 0)
    with long.app(request_timeout_seconds=1) as hurried:
        endpoint = Endpoint(hurried.test_client(), long_key)
        assert endpoint.post([ask(1)]).status_code == 504
        queue.release("hostile")
        for _ in range(2):
            assert endpoint.post([ask(1)]).status_code == 200


def test_connections_abort_the_oldest_unread_response() -> None:
    connections = Connections(None)
    with ExitStack() as stack:
        pairs = [[*map(stack.enter_context, socket.socketpair())] for _ in range(3)]
        half = MAX_UNSENT_BYTES // 2
        for (client, _), size in zip(pairs, (half, half, 1), strict=True):
            connections.begin_response(client, size)
        assert pairs[0][1].recv(1) == b""
        for _, peer in pairs[1:]:
            peer.setblocking(False)
            with pytest.raises(BlockingIOError):
                peer.recv(1)
        # A single response may have any size.
        connections.begin_response(pairs[1][0], 10 * MAX_UNSENT_BYTES)
        pairs[2][1].setblocking(True)
        assert pairs[2][1].recv(1) == b""


@pytest.mark.system
def test_unread_responses_use_bounded_memory(long: Deployment, long_key: str) -> None:
    body = json.dumps([ask(20, 1), ask(20, 2)]).encode()
    lines = ("Content-Type: application/json", f"Content-Length: {len(body)}")
    # A worker that such a client blocks would be replaced after this time.
    with serve(long, request_timeout_seconds=120) as running, ExitStack() as stack:
        for _ in range(READERS):
            client = stack.enter_context(socket.socket())
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(("127.0.0.1", running.port))
            client.sendall(head("/api/mcp", long_key, *lines, method="POST") + body)
        peaks = []
        for _ in range(40):
            peaks.append(max(resident(running)))
            assert running.get(key=long_key, timeout=30).status == 200
            sleep(0.5)
        print(f"{READERS} unread responses of 14 MB: at most {max(peaks):.0f} MiB")
        assert max(peaks) < MAX_WORKER_MIB


# /readyz checks the stores at most once per second


@pytest.mark.thorough
def test_readyz_checks_stores_once_per_second(acme_app: Flask, acme: Deployment) -> None:
    def charges() -> int:
        return int(redis.info("commandstats").get("cmdstat_evalsha", {"calls": 0})["calls"])

    with Redis.from_url(acme.redis_url) as redis:
        before, client = charges(), acme_app.test_client()
        answers = [client.get("/readyz") for _ in range(200)]
        assert {answer.status_code for answer in answers} == {200}
        assert 1 <= charges() - before < 100
        sleep(READY_SECONDS)
        between = charges()
        assert client.get("/readyz").json["status"] == "ready"
        assert charges() == between + 1
