"""Section 7: errors. Those of every request are in sections 4, 5 and 8."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from orgctx.resources.catalog import OPERATIONS
from tests.contract.conftest import Api
from tests.mcp.endpoint import call
from tests.operations import MISSING, PATHS
from tests.support import factories as make
from tests.support.deployment import locked

NOWHERE = {
    "database": "postgresql://127.0.0.1:1/nowhere",
    "redis": "redis://127.0.0.1:1/0",
}

# The kind of source that each of these operations reads.
CONFLICTS = {"list_x_mentions": "x", "get_token": "token"}


@pytest.mark.parametrize("name", MISSING)
def test_missing_records_are_404(api: Api, name: str) -> None:
    """[7.1] [7.15] [7.28]"""
    # The client verifies the body and headers of every answer, see tests/contract/checks.py.
    api.get(MISSING[name], status=404)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", PATHS)
def test_locked_tables_are_504(api: Api, acme_api: Callable[..., Api], name: str) -> None:
    """[7.1] [7.15] [7.28]"""
    # A short wait, unless the machine is so busy that a request takes longer; the first ones
    # connect.
    for seconds in (0.2, 1, 5, 20):
        hurried = acme_api(request_timeout_seconds=seconds)
        if any(hurried.request(PATHS[name]).status_code == 200 for _ in range(8)):
            break
    # The look-up of the key reads the sources already.
    with locked(api.deployment, gate=name == "list_sources"):
        hurried.get(PATHS[name], status=504)


def test_operations_with_conflicts_are_tried() -> None:
    assert CONFLICTS.keys() == {one.name for one in OPERATIONS if one.conflicts}


@pytest.mark.parametrize("name", CONFLICTS)
def test_conflicts_are_409(small_api: Callable[..., Api], name: str) -> None:
    """[3.4.1] [3.4.2]"""
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
        for query in ({"q": "mention"}, {"q": "nothing like this"}, {"sort": "views"}):
            api.get("/x/mentions", status=409, **query)
        api.deployment.load([make.mention(2, account="Other")])
        assert api.data("/x/mentions", q="mention 1") == []
        assert [mention["id"] for mention in api.data("/x/mentions")] == ["2"]
        assert [person["activityCount"] for person in api.data("/people", q="bob")] == [1]
        api.deployment.execute("DELETE FROM x_mentions")
        assert api.data("/x/mentions", q="mention") == []
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
    api = acme_api(**settings[where])
    bearer = {"Authorization": f"Bearer {api.key()}"}
    response = api.request("/assets")
    message = api.client.post("/api/mcp", json=call("get_context"), headers=bearer)
    for answer in (response, message, api.client.get("/readyz")):
        assert answer.status_code == 503
        assert int(answer.headers["Retry-After"]) > 0
    assert ("RateLimit-Limit" in response.headers) == (where != "redis")


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
