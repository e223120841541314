"""The log says why a request was rejected or failed; the answer does not."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from orgctx import key_format
from tests.mcp.endpoint import Endpoint, call
from tests.support import citus, crawl
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.written import PASSWORD

PATH = "/api/v1/context"
UNUSABLE = {
    "revoked": "UPDATE api_keys SET revoked_at = now() WHERE id = %s",
    "expired": "UPDATE api_keys SET expires_at = now() WHERE id = %s",
    "ineligible issuer": "UPDATE members SET role = 'member' WHERE user_id ="
    " (SELECT issued_by FROM api_keys WHERE id = %s)",
}
Line = Callable[[], dict[str, Any]]


@pytest.fixture
def client(acme: Deployment) -> Iterator[FlaskClient]:
    with acme.app() as app:
        yield app.test_client()


@pytest.fixture
def line(capfd: pytest.CaptureFixture[str]) -> Line:
    """Returns the only line that was logged since the last call."""

    def read() -> dict[str, Any]:
        (logged,) = capfd.readouterr().err.splitlines()
        parsed: dict[str, Any] = json.loads(logged)
        return parsed

    return read


def issue(deployment: Deployment, *options: object) -> tuple[str, str]:
    """Issue a key; return its id and the key."""
    who = (*make.WHO, "--expires-in-days", 7)
    issued = deployment.cli("keys", "issue", *who, *options, "--json").json()
    return issued["id"], issued["key"]


def send(client: FlaskClient, key: str, path: str = PATH) -> tuple[int, str]:
    response = crawl.rest(client, key, path)
    body = re.sub(r'"requestId":"[^"]*"', "", response.text)
    return response.status_code, body + response.headers["WWW-Authenticate"]


@pytest.mark.parametrize("reason", UNUSABLE)
def test_log_shows_use_of_a_key_that_is_not_usable(
    acme: Deployment, client: FlaskClient, line: Line, reason: str
) -> None:
    unknown = send(client, key_format.generate())
    logged = line()
    assert (logged["rejected_because"], logged["key_id"]) == ("unknown key", None)
    assert logged["errors"] == ["unauthorized"]
    key_id, key = issue(acme, "--by", make.ADMIN, "--access", "both", "--scope", "context:read")
    acme.execute(UNUSABLE[reason], [key_id])
    assert send(client, key) == unknown
    logged = line()
    assert (logged["rejected_because"], logged["key_id"]) == (reason, key_id)
    assert logged["organization_id"] == make.ACME
    assert Endpoint(client, key).post(call("get_context", {})).status_code == 401
    assert line()["key_id"] == key_id


@pytest.mark.parametrize(
    ("authorization", "reason"),
    [
        ("", "no key"),
        ("Bearer $ORGCTX_API_KEY", "variable instead of a key"),
        ("Bearer octx_short", "malformed key"),
        ("Basic dTpw", "malformed key"),
    ],
)
def test_log_names_what_was_sent_instead_of_a_key(
    client: FlaskClient, line: Line, authorization: str, reason: str
) -> None:
    assert client.get(PATH, headers={"Authorization": authorization}).status_code == 401
    assert line()["rejected_because"] == reason


def test_log_names_the_wrong_interface_and_missing_scopes(
    acme: Deployment, client: FlaskClient, line: Line
) -> None:
    key_id, key = issue(acme, "--access", "mcp", "--scope", "context:read")
    assert send(client, key)[0] == 401
    logged = line()
    assert (logged["rejected_because"], logged["key_id"]) == ("wrong interface", key_id)
    batch = [call("list_assets", {}), call("list_people", {}, 2)]
    assert Endpoint(client, key).post(batch).status_code == 200
    logged = line()
    assert logged["errors"] == ["insufficient_scope"] * 2
    assert logged["missing_scopes"] == ["assets:read", "telegram:read or x:read"]
    _, key = issue(acme, "--access", "api", "--scope", "context:read")
    response = crawl.rest(client, key, "/api/v1/assets")
    assert response.status_code == 403
    assert line()["missing_scopes"] == ["assets:read"]


@citus.impossible("the service logs in as the reading role, which all databases share")
def test_log_names_too_many_connections(acme: Deployment, line: Line) -> None:
    service = acme.with_service_login()
    _, key = issue(acme, "--access", "both", "--scope", "context:read")
    name = acme.execute("SELECT current_database()")[0][0]
    acme.execute(f"ALTER DATABASE {name} CONNECTION LIMIT 0")
    try:
        with service.app() as app:
            assert app.test_client().get("/readyz").status_code == 503
            assert line()["causes"] == ["OperationalError: too many connections"]
            response = crawl.rest(app.test_client(), key, PATH)
    finally:
        acme.execute(f"ALTER DATABASE {name} CONNECTION LIMIT -1")
    assert response.status_code == 503
    assert line()["causes"] == ["OperationalError: too many connections"]


def test_log_names_why_a_store_is_unreachable(acme: Deployment, line: Line) -> None:
    """Not with the password, which is in the URL."""
    _, key = issue(acme, "--access", "both", "--scope", "context:read")
    wrong = acme.redis_url.replace("://", f"://nobody:{PASSWORD}@", 1)
    unknown, refused = (
        {"database_url": url, "database_read_url": url}
        for host in ("host.invalid", "127.0.0.1:1")
        for url in [f"postgresql://u:{PASSWORD}@{host}/x"]
    )
    settings = {
        "AuthenticationError: wrong password": {"redis_url": wrong},
        "ConnectionError: connection refused": {"redis_url": f"redis://:{PASSWORD}@127.0.0.1:1"},
        "OperationalError: unknown host": unknown,
        "OperationalError: connection refused": refused,
    }
    for cause, replaced in settings.items():
        with acme.app(**replaced) as app:
            for path in ("/readyz", PATH):
                response = crawl.rest(app.test_client(), key, path)
                assert response.status_code == 503
                logged = line()
                assert (logged["level"], logged["status"]) == ("error", 503)
                assert (logged["faults"], logged["causes"]) == (["service_unavailable"], [cause])
                assert logged["request_id"] == response.headers["X-Request-Id"]
                assert PASSWORD not in str(logged)
