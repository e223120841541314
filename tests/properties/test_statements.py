"""A request for a page costs as many statements and round trips as one for a single record."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from orgctx import key_format
from orgctx.embedded import Servers
from orgctx.stores.db import Statement
from orgctx.stores.pool import Pool
from tests.contract import data as contract
from tests.contract.conftest import Api
from tests.operations import PATHS
from tests.properties.conftest import load
from tests.support import factories as make
from tests.support.deployment import copied

# Of a cached caller: the first trip also looks the key up again.
MOST = 2

Trips = list[list[str]]


@pytest.fixture
def trips(monkeypatch: pytest.MonkeyPatch) -> Trips:
    """The statements' names, one list for each round trip."""
    trips: Trips = []
    run = Pool.query_all

    def counting(self: Pool, statements: Sequence[Statement], *args: Any) -> Any:
        trips.append([name for name, _ in statements])
        return run(self, statements, *args)

    monkeypatch.setattr(Pool, "query_all", counting)
    return trips


@pytest.fixture(scope="module")
def large(module_api: Api) -> Api:
    load(module_api, contract.records())
    return module_api


@pytest.fixture(scope="module")
def small(servers: Servers, template: str) -> Iterator[Api]:
    with copied(servers, template) as deployment, deployment.app() as app:
        deployment.load_acme()
        yield Api(deployment, app.test_client())


def cost(api: Api, trips: Trips, path: str) -> list[str]:
    """The names of the statements that a request runs."""
    trips.clear()
    assert api.request(path).status_code == 200
    assert len(trips) <= MOST
    return [name for trip in trips for name in trip]


QUERIES = {
    "list_knowledge": ("?q=o", "?kind=note", "?page=2"),
    "list_people": ("?q=a",),
    "search_context": ("?limit=1", "?limit=50", "?q=a&limit=50"),
    "list_telegram_messages": ("?limit=1", "?limit=100", "?q=e"),
}


@pytest.mark.parametrize("name", PATHS)
def test_request_runs_as_many_statements_for_a_page_as_for_a_record(
    large: Api, small: Api, trips: Trips, name: str
) -> None:
    path = PATHS[name]
    for api in (small, large):
        api.request("/context")  # caches the caller
    few = cost(small, trips, path)
    assert cost(large, trips, path) == few
    for query in QUERIES.get(name, ()):
        assert len(cost(large, trips, path + query)) == len(few)


def test_limit_of_a_key_costs_no_statement(large: Api, trips: Trips) -> None:
    def limited(source_ids: list[str] | None) -> dict[str, list[str]]:
        large.deployment.execute("UPDATE api_keys SET source_ids = %s", [source_ids])
        large.request("/context")  # notices that the caller has changed
        return {name: cost(large, trips, path) for name, path in PATHS.items()}

    assert limited([*make.KIND_SOURCES.values()]) == limited(None)


def test_rejected_key_costs_one_round_trip(large: Api, trips: Trips) -> None:
    revoke = "UPDATE api_keys SET revoked_at = %s"
    large.deployment.execute(revoke, ["2026-01-01"])
    try:
        for headers in ({}, {"Authorization": f"Bearer {key_format.generate()}"}):
            large.request("/context", headers=headers)  # notices that the caller has changed
            trips.clear()
            assert large.request("/context", headers=headers).status_code == 401
            assert trips == [["gate/find_key"]]
    finally:
        large.deployment.execute(revoke, [None])
