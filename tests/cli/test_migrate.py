"""orgctx migrate runs once, even from many processes, and only with a suitable encoding."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from orgctx.cli.admin import connect
from orgctx.cli.database.yoyo_backend import applied
from orgctx.embedded import Servers
from orgctx.embedded import servers as embedded_servers
from orgctx.stores.db import sql
from orgctx.stores.schema import migrations
from tests.support import factories as make
from tests.support.deployment import Deployment, new_database

ALL = [*migrations()]


@pytest.fixture
def empty(servers: Servers) -> Iterator[Deployment]:
    """A deployment whose database has no schema yet."""
    with new_database(servers.database_url) as url:
        yield Deployment(url, servers.redis_url)


@pytest.fixture(scope="module")
def fresh_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    """Servers that have no role of ours yet."""
    with embedded_servers(tmp_path_factory.mktemp("fresh"), durable=False) as running:
        yield running


def test_applies_everything_once(empty: Deployment) -> None:
    assert empty.cli("migrate", "--json").json() == {"applied": ALL}
    assert empty.cli("migrate", "--json").json() == {"applied": []}
    assert empty.cli("migrate").stdout == "up to date\n"
    stored = empty.execute("SELECT migration_id FROM _yoyo_migration ORDER BY 1")
    assert [name for (name,) in stored] == ALL


def test_many_processes_at_once(empty: Deployment) -> None:
    processes = [empty.process("migrate", "--json") for _ in range(4)]
    ended = [(process.communicate(timeout=60), process.returncode) for process in processes]
    assert [code for _, code in ended] == [0, 0, 0, 0], ended
    applied = sorted(json.loads(stdout)["applied"] for (stdout, _), _ in ended)
    assert applied == [[], [], [], ALL]


def test_a_killed_run_leaves_no_lock(empty: Deployment) -> None:
    with psycopg.connect(empty.database_url) as holder:
        holder.execute(sql("cli/lock_migrations"))
        process = empty.process("migrate")
        waits = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        while not empty.execute(waits):
            assert process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert empty.cli("migrate").exit_code == 0


def test_a_failing_migration_leaves_nothing(empty: Deployment) -> None:
    empty.execute("CREATE TABLE people (in_the_way integer)")
    failed = empty.cli("migrate")
    assert failed.exit_code == 1
    assert failed.stderr == (
        "Error: what the database has is not what its migrations say "
        '(relation "people" already exists): restore it whole, see docs/operations/backup.md, '
        "or use a database of its own\n"
    )
    assert empty.execute("SELECT to_regclass('organizations'), to_regclass('_yoyo_migration')") == [
        (None, None)
    ]
    empty.execute("DROP TABLE people")
    assert empty.cli("migrate").exit_code == 0


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ("TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'", "encoded in SQL_ASCII, not UTF8"),
        ("TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'", "encoded in LATIN1, not UTF8"),
        ("TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'", "knows no letters beyond ASCII"),
    ],
)
def test_refuses_a_database_that_our_text_does_not_fit(
    servers: Servers, options: str, fault: str
) -> None:
    provider = " LOCALE_PROVIDER libc"
    with new_database(servers.database_url, options + provider) as url:
        refused = Deployment(url, servers.redis_url).cli("migrate")
    assert refused.exit_code == 1
    assert fault in refused.stderr
    assert "CREATE DATABASE orgctx TEMPLATE template0 ENCODING 'UTF8'" in refused.stderr
    assert refused.stderr.count("\n") == 1


def test_the_reading_role_reads_and_does_nothing_else(deployment: Deployment) -> None:
    with psycopg.connect(deployment.database_url, autocommit=True) as connection:
        connection.execute("SET ROLE orgctx_reader")
        # A login that is the reader begins with it on, and may change it.
        connection.execute("SET default_transaction_read_only = off")
        connection.execute("SELECT FROM sources, organizations, _yoyo_migration")
        for statement in (
            "DELETE FROM sources",
            "UPDATE organizations SET plan = 'pro'",
            f"INSERT INTO people (organization_id) VALUES ('{make.ACME}')",
            "TRUNCATE knowledge_suppressions",
            "CREATE TABLE mine (id integer)",
            "SELECT FROM api_keys",
            "SELECT FROM members",
            "DELETE FROM _yoyo_migration",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)


def of_logins(servers: Servers, service: str, admin: str, *statements: str) -> Deployment:
    """A deployment on the database `kept`, which the statements create with both logins."""
    with psycopg.connect(servers.database_url, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)  # type: ignore[arg-type]
    urls = [
        make_conninfo(servers.database_url, dbname="kept", user=one) for one in (service, admin)
    ]
    return Deployment(urls[0], servers.redis_url, urls[1])


def check_health(deployment: Deployment) -> None:
    checks = deployment.cli("doctor", "--json").json()["checks"]
    assert {check["status"] for check in checks} == {"ok"}, checks


def test_two_logins(fresh_cluster: Servers) -> None:
    """The admin owns the database and may create roles; the service may do nothing."""
    deployment = of_logins(
        fresh_cluster, "service", "keeper",
        "CREATE ROLE keeper LOGIN CREATEROLE",
        "CREATE ROLE service LOGIN",
        "CREATE DATABASE kept OWNER keeper",
    )  # fmt: skip
    assert deployment.cli("migrate", "--json").json() == {"applied": ALL}
    assert deployment.cli("migrate", "--json").json() == {"applied": []}
    check_health(deployment)
    deployment.load([make.organization()])
    with psycopg.connect(deployment.database_url, autocommit=True) as connection:
        for role in ("service", "orgctx_reader"):
            connection.execute(f"SET ROLE {role}")
            connection.execute("SELECT FROM sources" if role == "orgctx_reader" else "SELECT")
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute("CREATE TEMPORARY TABLE mine (id integer)")


def paste(deployment: Deployment, superuser: str, refusal: str) -> None:
    """Run the statements that a refusal prints."""
    first, *statements = refusal.splitlines()
    assert first == "Error: rights are missing; as a superuser, run in this database:"
    database = conninfo_to_dict(deployment.database_url)["dbname"]
    with psycopg.connect(make_conninfo(superuser, dbname=database), autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)  # type: ignore[arg-type]


def test_an_admin_without_rights_gets_all_statements_at_once(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with embedded_servers(tmp_path_factory.mktemp("rights"), durable=False) as running:
        deployment = of_logins(
            running, "Odd-name", "plain",
            "CREATE ROLE plain LOGIN",
            'CREATE ROLE "Odd-name" LOGIN',
            "CREATE DATABASE kept",
        )  # fmt: skip
        refused = deployment.cli("migrate")
        assert refused.exit_code == 1
        assert refused.stderr.splitlines()[1:] == [
            "  CREATE ROLE orgctx_reader NOLOGIN;",
            '  GRANT orgctx_reader TO "Odd-name";',
            "  GRANT orgctx_reader TO plain;",
            "  ALTER DATABASE kept OWNER TO plain;",
        ]
        paste(deployment, running.database_url, refused.stderr)
        assert deployment.cli("migrate", "--json").json() == {"applied": ALL}
        check_health(deployment)


def test_temporary_tables_of_another_owners_database(fresh_cluster: Servers) -> None:
    """doctor names the privilege that the admin login cannot revoke."""
    superuser = fresh_cluster.database_url
    with psycopg.connect(superuser, autocommit=True) as connection:
        connection.execute("CREATE ROLE guest LOGIN CREATEROLE")
        connection.execute(sql("cli/create_reader"))
        connection.execute("GRANT orgctx_reader TO guest WITH ADMIN OPTION")
    with new_database(superuser) as url:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("CREATE EXTENSION btree_gin")
            connection.execute("GRANT CREATE ON SCHEMA public TO guest")
        deployment = Deployment(make_conninfo(url, user="guest"), fresh_cluster.redis_url)
        assert deployment.cli("migrate").exit_code == 0
        assert "may TEMPORARY on the database" in deployment.cli("doctor").stdout


def test_two_databases_create_the_role_at_once(fresh_cluster: Servers) -> None:
    with (
        new_database(fresh_cluster.database_url) as one,
        new_database(fresh_cluster.database_url) as other,
    ):
        processes = [
            Deployment(url, fresh_cluster.redis_url).process("migrate")
            for url in (one, other, one, other)
        ]
        ended = [(process.communicate(timeout=60), process.returncode) for process in processes]
    assert [code for _, code in ended] == [0, 0, 0, 0], ended


def test_a_service_login_that_does_not_exist(empty: Deployment) -> None:
    service = make_conninfo(empty.database_url, user="nobody_here")
    refused = Deployment(service, empty.redis_url, empty.database_url).cli("migrate")
    assert refused.exit_code == 1
    assert refused.stderr == (
        "Error: rights are missing; as a superuser, run in this database:\n"
        "  CREATE ROLE nobody_here LOGIN PASSWORD 'choose one';\n"
    )


def test_a_path_with_letters_that_mean_something_to_glob(empty: Deployment, tmp_path: Path) -> None:
    directory = tmp_path / "a[b]*"
    (directory / "schema").mkdir(parents=True)
    (directory / "schema" / "001_only.sql").write_text("CREATE TABLE only_one (id integer);")
    with connect(empty.database_url) as connection:
        for expected in (["001_only"], []):
            with applied(connection, directory / "schema") as names:
                assert names == expected
