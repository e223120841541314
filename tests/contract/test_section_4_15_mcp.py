"""Section 4.15: the MCP endpoint; tests/mcp tests the protocol itself."""

from collections.abc import Callable

import pytest
from flask import Flask

from orgctx.observability.observers import OBSERVERS, POSTGRESQL, Observer
from orgctx.operations.source_kinds import SCOPES
from tests.contract.conftest import Api
from tests.mcp.endpoint import Endpoint
from tests.operations import ROWS
from tests.support.deployment import Deployment

INITIALIZE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}
Connect = Callable[..., Endpoint]


@pytest.fixture
def connect(acme: Deployment, acme_app: Flask, api: Api) -> Connect:
    """An endpoint for a key with some scopes."""

    def connect(*scopes: str) -> Endpoint:
        return Endpoint(acme_app.test_client(), api.key(*scopes))

    assert acme
    return connect


class Statements(Observer):
    """Collects the names of the statements that PostgreSQL ran."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def end_round_trip(self, store: str, names: tuple[str, ...], *_: object) -> None:
        self.names |= set(names) if store == POSTGRESQL else set()


def test_initialize_reads_no_data(connect: Connect) -> None:
    """[4.15.4] It looks up the key only, while a tool reads data."""
    endpoint, statements = connect(), Statements()
    endpoint.result("ping")  # the first request of a key also reads which sources it opens
    OBSERVERS.append(statements)
    try:
        endpoint.result("initialize", INITIALIZE)
        assert statements.names == {"gate/find_key"}
        endpoint.tool("list_people")
        assert len(statements.names) > 1
    finally:
        OBSERVERS.remove(statements)


@pytest.mark.parametrize("scope", [*SCOPES, ""])
def test_tools_follow_scopes(connect: Connect, scope: str) -> None:
    """[4.15.6]"""
    endpoint = connect(*([scope] if scope else SCOPES))
    expected = {tool for tool in ROWS if not scope or scope in ROWS[tool].scopes}
    assert set(endpoint.tools()) == expected
    assert endpoint.result("initialize", INITIALIZE)["serverInfo"]
    for name in ROWS.keys() - expected:
        error = endpoint.tool_error(name)
        assert error["code"] == "insufficient_scope"
        assert " or ".join(ROWS[name].scopes) in error["message"]
