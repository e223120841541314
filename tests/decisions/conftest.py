"""Acme for tests of decisions, and decisions without a command."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from uuid import UUID

import psycopg
import pytest
from flask.testing import FlaskClient
from psycopg.rows import dict_row

from orgctx import decisions
from orgctx.decisions import Decision
from orgctx.stores.db import Connection, Tenant
from tests.support import factories as f
from tests.support.deployment import Deployment

Deciding = Callable[..., AbstractContextManager[Decision]]


@pytest.fixture(scope="module")
def client(acme: Deployment) -> Iterator[FlaskClient]:
    with acme.app() as app:
        yield app.test_client()


@pytest.fixture
def connection(acme: Deployment) -> Iterator[Connection]:
    with psycopg.connect(acme.admin_url, autocommit=True, row_factory=dict_row) as connection:
        yield connection


@pytest.fixture
def deciding(acme: Deployment) -> Deciding:
    """Let a member of Acme decide, on a connection of its own."""

    @contextmanager
    def decide(by: str = f.OWNER, command: str = "test") -> Iterator[Decision]:
        with (
            psycopg.connect(acme.admin_url, autocommit=True, row_factory=dict_row) as connection,
            decisions.deciding(
                Tenant(connection, UUID(f.ACME)),
                UUID(by),
                command=command,
                authentication=decisions.ADMIN_LOGIN,
            ) as decision,
        ):
            yield decision

    return decide
