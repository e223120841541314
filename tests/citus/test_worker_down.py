"""A worker of the cluster is down: keys can be issued and revoked, and other shards are read."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from orgctx.decisions.connection import DESK_ROLE
from orgctx.http.metrics import ServiceMetrics
from orgctx.stores.db import sql_directory
from tests.support import citus, crawl
from tests.support import factories as make
from tests.support import organizations as orgs
from tests.support.deployment import Deployment
from tests.support.organizations import ALL

PLACE = """
    SELECT n.nodename, n.nodeport
    FROM pg_dist_placement AS p
    JOIN pg_dist_node AS n ON n.groupid = p.groupid
    WHERE p.shardid = get_shard_id_for_distribution_column('tokens', %s::uuid)
"""


@contextmanager
def down(deployment: Deployment, host: str, port: int) -> Iterator[None]:
    """Let a worker refuse connections to this database while the block runs."""
    name = conninfo_to_dict(deployment.admin_url)["dbname"]
    url = make_conninfo(citus.URL, host=host, port=port)
    allow = sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS {}")
    with psycopg.connect(url, autocommit=True) as worker:
        worker.execute(allow.format(sql.Identifier(str(name)), sql.SQL("false")))
        worker.execute(citus.DISCONNECT, [name])
        try:
            yield
        finally:
            worker.execute(allow.format(sql.Identifier(str(name)), sql.SQL("true")))


@pytest.fixture
def places(deployment: Deployment) -> dict[str, tuple[str, int]]:
    """The worker of each organization. There are at least two workers."""
    orgs.load(deployment)
    places = {tenant.id: deployment.execute(PLACE, [tenant.id])[0] for tenant in ALL}
    assert len({*places.values()}) > 1, places
    return places


def test_keys_are_issued_and_revoked_while_a_worker_is_down(
    deployment: Deployment, places: dict[str, tuple[str, int]]
) -> None:
    leaked = {id_: deployment.issue_key(id_, make.OWNER) for id_ in places}
    first, *_ = {*places.values()}
    with deployment.client(log_level="CRITICAL") as client, down(deployment, *first):
        for id_, place in places.items():
            expected = 503 if place == first else 200
            assert crawl.rest(client, leaked[id_], "/api/v1/people").status_code == expected
            issued = deployment.issue_key(id_, make.OWNER, ["context:read"], days=7)
            for row in deployment.cli("keys", "list", "--organization", id_, "--json").json():
                deployment.cli("keys", "revoke", row["id"], "--by", make.OWNER).done()
            for key in (leaked[id_], issued):
                assert crawl.rest(client, key, "/api/v1/sources").status_code == 401
            records = deployment.cli("audit", "--organization", id_, "--json").json()
            assert [record["command"] for record in records][-2:] == ["keys revoke"] * 2


def test_operators_see_which_worker_is_down(
    deployment: Deployment, places: dict[str, tuple[str, int]]
) -> None:
    first, *_ = sorted({*places.values()})
    name = ":".join(map(str, first))
    with deployment.app() as app:
        assert "2 reachable" in deployment.check("citus workers")
        service, readiness = app.extensions["orgctx"], app.extensions["readiness"]
        gauges = ServiceMetrics(None, service, readiness, "127.0.0.1:1").collect()
        assert "orgctx_documents_held" in {gauge.name for gauge in gauges}
    with deployment.app() as app, down(deployment, *first):
        assert app.test_client().get("/readyz").status_code == 200
        doctor = deployment.check("citus workers")
        assert doctor.startswith("failed")
        assert name in doctor
        error = deployment.cli(
            "sources", "withdraw", "--all", "--organization", ALL[0].id, "--by", make.OWNER
        ).failed()
        assert "server of the Citus cluster is unavailable" in error


def test_log_names_a_worker_that_is_down(
    deployment: Deployment,
    places: dict[str, tuple[str, int]],
    capfd: pytest.CaptureFixture[str],
) -> None:
    (id_, place), *_ = places.items()
    key = deployment.issue_key(id_, make.OWNER)
    with deployment.app() as app, down(deployment, *place):
        assert crawl.rest(app.test_client(), key, "/api/v1/people").status_code == 503
    line = json.loads(capfd.readouterr().err)
    assert line["causes"] == ["ConnectionFailure 08006: worker unreachable"]


def test_migration_makes_a_new_table_a_reference_table(deployment: Deployment) -> None:
    """Citus keeps a table that refers to reference tables on the coordinator until then."""
    orgs.load(deployment)
    who = (make.OWNER, "--organization", ALL[0].id, "--by", make.OWNER)
    identify = ("members", "identify", *who, "--email", "ada@example.org")
    with psycopg.connect(deployment.admin_url, autocommit=True) as connection:
        connection.execute("DROP FUNCTION find_identity(text, text)")
        connection.execute("DROP TABLE member_identities, desk_signing_secret")
        connection.execute(
            sql_directory().joinpath("schema/016_member_identities.sql").read_bytes()
        )
    deployment.cli("migrate").done()
    deployment.cli(*identify).done()
    assert identified(deployment) == [(ALL[0].id,)]
    tables = deployment.cli("migrate", "--citus", "--json").json()["tables"]
    kinds = {table["name"]: table["kind"] for table in tables}
    assert kinds["member_identities"] == kinds["members"] == "reference"
    assert identified(deployment) == [(ALL[0].id,)]
    deployment.cli(*identify, "--remove").done()
    assert identified(deployment) == []


def identified(deployment: Deployment) -> list[tuple[str]]:
    """The organizations whose member the desk finds by an e-mail address."""
    with psycopg.connect(deployment.admin_url) as connection:
        connection.execute(f"SET ROLE {DESK_ROLE}")
        return connection.execute(
            "SELECT organization_id::text FROM find_identity(NULL, 'ada@example.org')"
        ).fetchall()
