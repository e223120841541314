"""MCP shares the gate with REST; a batch counts as its calls."""

import json
from collections.abc import Callable
from io import BytesIO

import pytest
from flask.testing import FlaskClient

from tests.mcp.endpoint import PATH, Endpoint, call, connected, request
from tests.mcp.test_transport import error_of
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.traffic import revoke

PING = request("ping")


def remaining(client: FlaskClient, key: str) -> int:
    """The key's remaining quota before this REST request."""
    response = client.get("/api/v1/context", headers={"Authorization": f"Bearer {key}"})
    return int(response.headers["RateLimit-Remaining"]) + 1


def test_quota_counts_each_call_of_a_batch(shared_acme: Deployment) -> None:
    """[4.15.23]"""
    notification = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    with connected(shared_acme, limit_key=100) as endpoint:
        left = 100
        for document, cost in (
            (PING, 1),
            (notification, 1),
            ([PING], 1),
            ([PING, call("get_context"), PING], 3),
            ([PING, notification, {"jsonrpc": "2.0", "id": 9, "result": {}}], 1),
            ([notification, notification], 1),
            ([PING, 7, None], 3),
            ([], 1),
            ([PING] * 21, 1),
        ):
            left -= cost
            response = endpoint.post(document)
            assert int(response.headers["RateLimit-Remaining"]) == left, document


def test_batch_counts_once_for_its_address(shared_acme: Deployment) -> None:
    """[4.15.23]"""
    with connected(shared_acme, limit_ip=2) as endpoint:
        endpoint.client.environ_base["REMOTE_ADDR"] = "192.0.2.1"
        statuses = [endpoint.post([PING] * 20).status_code for _ in range(3)]
    assert statuses == [200, 200, 429]


def test_quota_counts_malformed_requests_and_is_checked_before_them(
    shared_acme: Deployment,
) -> None:
    with connected(shared_acme, limit_key=4) as endpoint:
        assert endpoint.post(PING, Content_Type="text/plain").status_code == 415
        assert endpoint.post(PING, Accept="text/html").status_code == 406
        assert endpoint.post_raw("{").status_code == 400
        assert endpoint.post(PING).headers["RateLimit-Remaining"] == "0"
        assert endpoint.post_raw("{", Content_Type="text/plain").status_code == 429


def test_batch_beyond_the_quota_is_rejected_whole(shared_acme: Deployment) -> None:
    """[4.15.23]"""
    key = shared_acme.issue_key(make.ACME, make.OWNER)
    with shared_acme.client(limit_key=5) as client:
        endpoint = Endpoint(client, key)
        endpoint.post([PING, PING])
        response = endpoint.post([PING] * 4)
        assert response.status_code == 429
        assert error_of(response)["data"]["code"] == "rate_limited"
        assert "API key" in error_of(response)["message"]
        assert int(response.headers["Retry-After"]) >= 0
        assert response.headers["RateLimit-Remaining"] == "2"
        assert remaining(client, key) == 2


class LateBody(BytesIO):
    """A body; `arrive` runs when it is read."""

    def __init__(self, document: object, arrive: Callable[[], object]) -> None:
        super().__init__(json.dumps(document).encode())
        self._arrive = arrive

    def read(self, size: int | None = -1) -> bytes:
        self._arrive()
        return super().read(size)


def post_late(client: FlaskClient, key: str, document: object, arrive: Callable[[], object]) -> int:
    """POST a document whose body arrives late; return the status."""
    body = LateBody(document, arrive)
    headers = {
        "Authorization": f"Bearer {key}",
        "Content-Type": "application/json",
        "Content-Length": str(len(body.getvalue())),
        "Accept": "application/json, text/event-stream",
    }
    return client.post(PATH, input_stream=body, headers=headers).status_code


@pytest.mark.parametrize("is_cached", [False, True])
@pytest.mark.parametrize(
    "document",
    [PING, request("tools/list"), call("list_sources"), [call("get_context"), PING], {"id": 1}],
    ids=str,
)
def test_key_revoked_while_the_body_arrives(
    shared_acme: Deployment, document: object, is_cached: bool
) -> None:
    key = shared_acme.issue_key(make.ACME, make.OWNER)
    with shared_acme.client() as client:
        if is_cached:
            assert Endpoint(client, key).post(PING).status_code == 200
        assert post_late(client, key, document, lambda: revoke(shared_acme, key)) == 401


@pytest.mark.parametrize(
    ("access", "statuses"), [("api", (200, 401)), ("mcp", (401, 200)), ("both", (200, 200))]
)
def test_key_keeps_to_its_interface(
    shared_acme: Deployment, access: str, statuses: tuple[int, int]
) -> None:
    """[4.15.5] [5.9] [7.17] The second request is that of a cached caller."""
    key = shared_acme.issue_key(make.ACME, make.OWNER, access=access)
    with shared_acme.client(key) as client:
        for _ in range(2):
            rest = client.get("/api/v1/context")
            tool = Endpoint(client, key).post(PING)
            assert (rest.status_code, tool.status_code) == statuses
            assert ("no API access" in rest.text) == (access == "mcp")
            assert ("no MCP access" in tool.text) == (access == "api")
            assert "resource_metadata" not in tool.headers.get("WWW-Authenticate", "")
