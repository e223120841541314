"""A request on a cluster takes one command to one server, which plans it once."""

import json
from collections.abc import Iterator
from itertools import chain

import psycopg
import pytest
from flask.testing import FlaskClient
from psycopg.conninfo import make_conninfo

from orgctx.stores.connection import Connection
from orgctx.stores.deadline import Deadline
from tests.support import citus, crawl
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.organizations import AMBER

TELLS_COMMANDS = "-c citus.log_remote_commands=on -c client_min_messages=log"
ASKED = """
    SELECT rows.* FROM run_on_shard(%s, %s, %s, %s) AS rows (number integer)
"""
KEPT = "SELECT count(*) FROM pg_prepared_statements WHERE from_sql"


@pytest.fixture(scope="module")
def notices() -> Iterator[list[str]]:
    """The coordinator's notices while the service handles requests."""
    messages: list[str] = []
    opened = Connection.open.__func__  # type: ignore[attr-defined]

    def listening(kind: type[Connection], url: str, deadline: Deadline) -> Connection:
        connection: Connection = opened(kind, url, deadline)
        connection._pgconn.notice_handler = lambda notice: messages.append(
            (notice.error_field(ord("M")) or b"").decode()
        )
        return connection

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Connection, "open", classmethod(listening))
        yield messages


@pytest.fixture(scope="module")
def client(tenants: Deployment, notices: list[str]) -> Iterator[FlaskClient]:
    url = make_conninfo(tenants.database_url, options=TELLS_COMMANDS)
    with Deployment(url, tenants.redis_url, tenants.admin_url).app(log_level="ERROR") as app:
        yield app.test_client()


@pytest.fixture(scope="module")
def key(tenants: Deployment) -> str:
    return tenants.issue_key(AMBER.id, make.OWNER)


@pytest.mark.parametrize("path", crawl.reads())
def test_citus_response_takes_one_command(
    client: FlaskClient, key: str, notices: list[str], path: str
) -> None:
    # The first request also reads column types, and its caller is not cached yet.
    crawl.rest(client, key, path)
    notices.clear()
    assert crawl.rest(client, key, path).status_code < 500
    issued = [notice for notice in notices if notice.startswith("issuing")]
    # What a segment contains depends on where its match is, and records of a name on its owner.
    arguments = crawl.reads()[path][1]
    finds_match = path.startswith("/api/v1/knowledge/") and "q" in arguments
    finds_name = ":" not in arguments.get("sender", arguments.get("author", ":"))
    # Descriptions of sources have other columns than what is found, so they are another command.
    reads_descriptions = path.startswith(("/api/v1/context", "/api/v1/search"))
    assert len(issued) <= 1 + (finds_match or finds_name or reads_descriptions)
    # The coordinator makes no plan for a shard either.
    assert not [notice for notice in notices if "executing the command locally" in notice]
    assert all("run_on_shard" in notice for notice in issued)


def test_citus_session_keeps_few_statements(tenants: Deployment) -> None:
    worker = next(server for server in citus.servers() if server.kind == "worker")
    url = make_conninfo(tenants.database_url, host=worker.host, port=worker.port)
    with psycopg.connect(url, autocommit=True) as connection:
        kept = []
        for number in chain(range(250), range(250)):
            statements = [f"SELECT {number} AS number WHERE $1::text IS NULL"]
            given = [None, [f"numbered_{number}"], statements, json.dumps([[None]])]
            assert connection.execute(ASKED, given).fetchall() == [(number,)]
            kept.append(connection.execute(KEPT).fetchall()[0][0])
        assert max(kept) == 200


def test_citus_values_are_never_run_as_statements(tenants: Deployment) -> None:
    with psycopg.connect(tenants.database_url, autocommit=True) as connection:
        text = "SELECT $1::text || $2::text AS text"
        query = "SELECT rows.* FROM run_on_shard(NULL, %s, %s, %s) AS rows (text text)"
        for value in ("'); SELECT 'x", "\\'", "$1", "%s", '"', "\\", "NULL", "é\U0001f600"):
            given = [["notices"], [text], json.dumps([[value, "!"]])]
            assert connection.execute(query, given).fetchall() == [(value + "!",)]
