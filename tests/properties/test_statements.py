"""How many statements a request costs: the same for one record and for pages of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from orgctx.stores.db import Pool
from tests.contract import data as contract
from tests.contract.conftest import Api
from tests.operations import PATHS
from tests.properties.conftest import load
from tests.support import factories as make
from tests.support.deployment import Deployment

# The look-up of the key, and at most one statement for the data.
MOST = 2


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the statements that run, in order."""
    names: list[str] = []
    query = Pool.query

    def counting(self: Pool, name: str, *args: Any, **keywords: Any) -> Any:
        names.append(name)
        return query(self, name, *args, **keywords)

    monkeypatch.setattr(Pool, "query", counting)
    return names


@pytest.fixture(scope="module")
def large(module_api: Api) -> Api:
    load(module_api, contract.records())
    return module_api


@pytest.fixture
def small(deployment: Deployment) -> Iterator[Api]:
    with deployment.app() as app:
        api = Api(deployment, app.test_client())
        load(api, make.everything())
        yield api


def cost(api: Api, statements: list[str], path: str) -> list[str]:
    statements.clear()
    assert api.request(path).status_code == 200
    return list(statements)


QUERIES = {
    "list_knowledge": ("?q=o", "?kind=note", "?page=2"),
    "list_people": ("?q=a",),
    "search_context": ("?limit=1", "?limit=50", "?q=a&limit=50"),
    "list_telegram_messages": ("?limit=1", "?limit=100", "?q=e"),
}


@pytest.mark.parametrize("name", PATHS)
def test_statements_do_not_grow(large: Api, small: Api, statements: list[str], name: str) -> None:
    path = PATHS[name]
    few = cost(small, statements, path)
    assert len(few) <= MOST
    assert cost(large, statements, path) == few
    for query in QUERIES.get(name, ()):
        assert len(cost(large, statements, path + query)) == len(few)


def test_a_segment_costs_the_same_wherever_it_lies(large: Api, statements: list[str]) -> None:
    path = f"/knowledge/{contract.LONG}"
    for query in ("?limit=1", "?limit=50000", "?offset=60000", "?offset=9000000"):
        assert len(cost(large, statements, path + query)) == MOST
