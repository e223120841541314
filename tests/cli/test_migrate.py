"""orgctx migrate runs once, even from many processes, and checks server and privileges first."""

import json
import signal
import subprocess
from collections.abc import Iterator

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from orgctx.embedded import Servers
from orgctx.embedded import servers as embedded_servers
from orgctx.stores.db import migrations, sql
from tests.support.deployment import Deployment, drop_roles, new_database
from tests.support.waiting import until

pytestmark = pytest.mark.thorough

MIGRATIONS = [*migrations()]


@pytest.fixture
def empty(servers: Servers) -> Iterator[Deployment]:
    """A deployment whose database has no schema yet."""
    with new_database(servers.database_url) as url:
        yield Deployment(url, servers.redis_url)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    with embedded_servers(tmp_path_factory.mktemp("fresh"), durable=False) as running:
        yield running


@pytest.fixture
def fresh_cluster(cluster: Servers) -> Iterator[Servers]:
    """Servers without the roles of migrations."""
    yield cluster
    drop_roles(cluster.database_url)


def test_migrate_applies_each_migration_once(empty: Deployment) -> None:
    assert empty.cli("migrate", "--json").json() == {"applied": MIGRATIONS}
    assert empty.cli("migrate", "--json").json() == {"applied": []}
    assert empty.cli("migrate").stdout == "up to date\n"
    rows = empty.execute("SELECT migration_id FROM migrations ORDER BY 1")
    assert [name for (name,) in rows] == MIGRATIONS


def outputs(processes: list[subprocess.Popen[str]]) -> list[str]:
    """Wait for processes, which must succeed."""
    results = [(process.communicate(timeout=60), process.returncode) for process in processes]
    assert {status for _, status in results} == {0}, results
    return [stdout for (stdout, _), _ in results]


def test_migrate_runs_once_in_many_processes(empty: Deployment) -> None:
    texts = outputs([empty.process("migrate", "--json") for _ in range(4)])
    assert sorted(json.loads(text)["applied"] for text in texts) == [[], [], [], MIGRATIONS]


def test_killed_migrate_leaves_no_lock(empty: Deployment) -> None:
    with psycopg.connect(empty.database_url) as holder:
        holder.execute(sql("cli/lock_migrations"))
        process = empty.process("migrate")
        waits = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        until(lambda: empty.execute(waits))
        process.send_signal(signal.SIGKILL)
        process.communicate()
    empty.cli("migrate").done()


def test_failed_migration_leaves_nothing(empty: Deployment) -> None:
    empty.execute("CREATE TABLE people (in_the_way integer)")
    error = empty.cli("migrate").failed()
    assert 'relation "people" already exists' in error
    assert error.count("\n") == 1
    assert empty.execute("SELECT to_regclass('organizations'), to_regclass('migrations')") == [
        (None, None)
    ]
    empty.execute("DROP TABLE people")
    empty.cli("migrate").done()


FIRST, LAST = MIGRATIONS[0], MIGRATIONS[-1]
APPLY = "INSERT INTO migrations (checksum, migration_id) VALUES ('x', '{}')"
FORGET = "DELETE FROM migrations WHERE migration_id = '{}'"


@pytest.mark.parametrize(
    ("change", "why", "ready"),
    [
        (APPLY.format("001_initial"), "001_initial is unknown", "(001_initial is unknown)"),
        (FORGET.format(FIRST), f"{FIRST} is missing", f"({FIRST} is missing)"),
        (FORGET.format(LAST), "already exists", "run `orgctx migrate`"),
        (
            f"{FORGET.format(LAST)}; {APPLY.format('999_new')}",
            f"{LAST} is missing", f"({LAST} is missing)",
        ),
        (
            f"UPDATE migrations SET checksum = 'x' WHERE migration_id = '{FIRST}'",
            f"{FIRST} has changed", f"({FIRST} has changed)",
        ),
        (
            "ALTER TABLE people RENAME newer_source_ids TO newer_ids",
            "newer_source_ids does not exist", "newer_source_ids does not exist)",
        ),
    ],
)  # fmt: skip
def test_migrate_changes_no_database_of_other_migrations(
    empty: Deployment, change: str, why: str, ready: str
) -> None:
    empty.cli("migrate").done()
    empty.execute(change)
    dump = "SELECT migration_id, checksum FROM migrations ORDER BY 1"
    before = empty.execute(dump)
    empty.execute("REVOKE orgctx_reader FROM orgctx_desk")
    error = empty.cli("migrate").failed()
    assert empty.execute("SELECT pg_has_role('orgctx_desk', 'orgctx_reader', 'MEMBER')") == [
        (False,)
    ]
    empty.execute("GRANT orgctx_reader TO orgctx_desk")
    for text in (why, "Restore it completely", "before 1.0.0rc1"):
        assert text in error
    assert empty.execute(dump) == before
    doctor = empty.cli("doctor").stdout
    assert ("before 1.0.0rc1" in doctor) != ("Run `orgctx migrate`" in doctor)
    with empty.app() as app:
        answer = app.test_client().get("/readyz")
    assert answer.status_code == 503
    assert ready in answer.json["checks"]["database"]


def test_migrations_of_a_newer_release_are_ready(
    empty: Deployment, capfd: pytest.CaptureFixture[str]
) -> None:
    empty.cli("migrate").done()
    empty.execute(APPLY.format("999_new"))
    assert empty.cli("migrate").stdout == "up to date\n"
    with empty.app() as app:
        answer = app.test_client().get("/readyz")
    assert (answer.status_code, answer.json["newerMigration"]) == (200, "999_new")
    assert capfd.readouterr().err.count("999_new is applied") == 1


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ("TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'", "is SQL_ASCII, not UTF8"),
        ("TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'", "is LATIN1, not UTF8"),
        ("TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'", "supports only ASCII letters"),
    ],
)
def test_migrate_rejects_an_unsuitable_encoding_or_locale(
    servers: Servers, options: str, error: str
) -> None:
    provider = " LOCALE_PROVIDER libc"
    with new_database(servers.database_url, options + provider) as url:
        message = Deployment(url, servers.redis_url).cli("migrate").failed()
    assert error in message
    assert "CREATE DATABASE orgctx TEMPLATE template0 ENCODING 'UTF8'" in message
    assert message.count("\n") == 1


def test_migrate_names_what_its_login_lacks(fresh_cluster: Servers) -> None:
    """It changes nothing until the logins are those of docs/operations/install.md."""
    with new_database(fresh_cluster.database_url) as superuser:
        service, admin = (make_conninfo(superuser, user=login) for login in ("Odd-name", "plain"))
        deployment = Deployment(service, fresh_cluster.redis_url, admin)
        database = conninfo_to_dict(superuser)["dbname"]
        for statement, error in (
            ("CREATE ROLE plain LOGIN", "permission denied to create role"),
            ("ALTER ROLE plain CREATEROLE", 'role "Odd-name" does not exist'),
            ('CREATE ROLE "Odd-name" LOGIN', "permission denied for schema public"),
            (f"ALTER DATABASE {database} OWNER TO plain", ""),
        ):
            with psycopg.connect(superuser, autocommit=True) as connection:
                connection.execute(statement)  # type: ignore[arg-type]
            result = deployment.cli("migrate")
            assert (result.exit_code == 0, error in result.stderr) == (not error, True)
            assert "docs/operations/install.md" in result.stderr or "permission" not in error
        checks = deployment.cli("doctor", "--json").json()["checks"]
        assert {each["status"] for each in checks} == {"ok"}, checks


def test_doctor_names_a_privilege_that_migrate_cannot_revoke(fresh_cluster: Servers) -> None:
    superuser = fresh_cluster.database_url
    with psycopg.connect(superuser, autocommit=True) as connection:
        connection.execute("CREATE ROLE guest LOGIN CREATEROLE")
        connection.execute(sql("cli/create_roles"))
        connection.execute("GRANT orgctx_reader TO guest WITH ADMIN OPTION")
    with new_database(superuser) as url:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("GRANT CREATE ON SCHEMA public TO guest")
        deployment = Deployment(make_conninfo(url, user="guest"), fresh_cluster.redis_url)
        deployment.cli("migrate").done()
        assert "may TEMPORARY on the database" in deployment.cli("doctor").stdout


def test_migrate_creates_the_role_for_two_databases_at_once(fresh_cluster: Servers) -> None:
    with (
        new_database(fresh_cluster.database_url) as one,
        new_database(fresh_cluster.database_url) as other,
    ):
        deployments = [Deployment(url, fresh_cluster.redis_url) for url in (one, other) * 2]
        outputs([deployment.process("migrate") for deployment in deployments])
