"""Section 7: every endpoint with every status that it can return."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest

from tests.contract.conftest import Api
from tests.operations import MISSING, PATHS, ROWS
from tests.support import factories as make
from tests.support.locks import locked

NOWHERE = {
    "database": "postgresql://127.0.0.1:1/nowhere",
    "redis": "redis://127.0.0.1:1/0",
}

CONFLICTING = tuple(name for name, row in ROWS.items() if row.conflicts)
CONFLICTS = {"list_x_mentions": "x", "get_token": "token"}
EVERYWHERE = (200, 304, 400, 401, 403, 405, 413, 429, 503, 504)


@dataclass
class Ask:
    """How to make an endpoint return a status. start: for an API with other settings."""

    api: Api
    start: Callable[..., Api]
    name: str

    def __call__(self, **settings: Any) -> Callable[..., Any]:
        api = self.start(**settings) if settings else self.api
        return lambda **options: api.request(PATHS[self.name], **options)

    def of_status(self, status: int) -> Any:
        return getattr(self, f"_{status}")()

    def _200(self) -> Any:
        return self()()

    def _304(self) -> Any:
        return self()(headers={"If-None-Match": "*"})

    def _400(self) -> Any:
        return self()(unknown="1")

    def _401(self) -> Any:
        return self()(headers={"Authorization": "Bearer x"})

    def _403(self) -> Any:
        other = "x:read" if "x:read" not in ROWS[self.name].scopes else "token:read"
        return self()(scopes=(other,))

    def _404(self) -> Any:
        return self.api.request(MISSING[self.name])

    def _405(self) -> Any:
        return self()(method="DELETE")

    def _413(self) -> Any:
        return self()(body=b"{}")

    def _429(self) -> Any:
        ask = self(limit_key=1)
        assert ask().status_code == 200
        return ask()

    def _503(self) -> Any:
        return self(database_url=NOWHERE["database"])()

    def _504(self) -> Any:
        # A short wait, unless the machine is so busy that a request takes longer; the first ones
        # connect.
        for seconds in (0.2, 1, 5, 20):
            ask = self(request_timeout_seconds=seconds)
            if any(ask().status_code == 200 for _ in range(8)):
                break
        # The look-up of the key reads the sources already.
        with locked(self.api.deployment, gate=self.name == "list_sources"):
            return ask()


CASES = [
    *((name, status) for name in PATHS for status in EVERYWHERE),
    *((name, 404) for name in MISSING),
]


@pytest.mark.parametrize(("name", "status"), CASES)
def test_endpoint_returns_each_status(
    api: Api, acme_api: Callable[..., Api], name: str, status: int
) -> None:
    """[1.9] [7.1] [7.2] [7.3] [7.4] [7.5] [7.6] [7.7] [7.9] [7.10] [7.11] [7.12] [7.13] [7.15]
    [7.28]
    """
    # The client verifies the body and headers of every answer, see tests/contract/checks.py.
    assert Ask(api, acme_api, name).of_status(status).status_code == status


@pytest.mark.parametrize("name", CONFLICTING)
def test_conflicts_are_409(small_api: Callable[..., Api], name: str) -> None:
    """[7.8] [3.4.1] [3.4.2]"""
    assert name in CONFLICTS, "name the kind of source that the operation reads in CONFLICTS"
    api, kind = small_api(), CONFLICTS[name]

    def account(value: str | None) -> Any:
        api.deployment.load([make.source(kind, account=value)])
        return api.request(PATHS[name]).status_code

    def shows() -> bool:
        text = api.request("/search", source=f"{kind}:main").text + api.request("/people").text
        return "Mention 1" in text or "Acme Token" in text

    account_now = "ACME" if kind == "x" else make.ADDRESS.upper().replace("X", "x")
    assert (account(account_now), shows()) == (200, True)
    assert (account("other"), shows()) == (409, False)
    assert (account(None), shows()) == (409, False)
    etag = {"If-None-Match": "*"}
    assert api.request(PATHS[name], headers=etag).status_code == 409
    if kind == "x":
        account("other")
        api.deployment.load([make.mention(2, account="Other")])
        assert [mention["id"] for mention in api.data("/x/mentions")] == ["2"]
        assert [person["activityCount"] for person in api.data("/people", q="bob")] == [1]
    else:
        api.deployment.load([make.delete("token", "token:main")])
        assert api.data("/token")["connected"] is False


@pytest.mark.parametrize("where", ["gate", "redis"])
def test_503_has_retry_after_and_limits_if_counted(
    acme_api: Callable[..., Api], where: str
) -> None:
    """[7.28] [7.11] [1.16]"""
    settings = {
        "gate": {"database_url": NOWHERE["database"]},
        "redis": {"redis_url": NOWHERE["redis"]},
    }
    response = acme_api(**settings[where]).request("/assets")
    assert response.status_code == 503
    assert ("RateLimit-Limit" in response.headers) == (where != "redis")
    assert int(response.headers["Retry-After"]) > 0


def test_internal_error_shows_no_cause(
    small_api: Callable[..., Api], capfd: pytest.CaptureFixture[str]
) -> None:
    """[7.14]"""
    api = small_api()
    # A value that no loader stores and no payload accepts.
    api.deployment.execute("UPDATE sources SET stale_after_seconds = 1, updated_at = 'infinity'")
    api.client.application.testing = False
    response = super(type(api.client), api.client).open(
        "/api/v1/sources", headers={"Authorization": f"Bearer {api.key()}"}
    )
    assert response.status_code == 500
    assert response.json["error"] == {
        "code": "internal_error",
        "message": "The request failed because of a bug in the service.",
    }
    assert response.json["requestId"] == response.headers["X-Request-Id"]
    assert response.json["requestId"] in capfd.readouterr().err


def test_request_ids_differ(api: Api) -> None:
    """[1.6]"""
    ids = {api.request("/sources").headers["X-Request-Id"] for _ in range(5)}
    ids |= {api.request("/sources", headers={"X-Request-Id": "mine"}).headers["X-Request-Id"]}
    assert len(ids) == 6


def test_gate_checks_in_order(acme_api: Callable[..., Api]) -> None:
    """[1.1] [8.5]"""
    api = acme_api(limit_ip=2)
    anonymous = {"Authorization": "Bearer x"}
    assert api.request("/x", method="POST", body=b"x", headers=anonymous).status_code == 405
    assert api.request("/x", body=b"x", headers=anonymous).status_code == 413
    assert [api.request("/x", headers=anonymous).status_code for _ in range(3)] == [401, 401, 429]
    assert replace(api).request("/context").status_code == 429
