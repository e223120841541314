"""No SQL that doctor or migrate prints lets a login of the service write."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from orgctx.embedded import Servers
from orgctx.embedded import servers as embedded_servers
from tests.support import citus
from tests.support.deployment import Deployment, Result, drop_roles

pytestmark = [
    pytest.mark.thorough,
    citus.impossible("roles are created by the cluster's operator"),
]

STATEMENT = re.compile(r"^  ([A-Z].*;)$", re.MULTILINE)
WRITES = (
    "INSERT INTO organizations SELECT * FROM organizations LIMIT 0",
    "UPDATE sources SET label = label WHERE FALSE",
    "DELETE FROM sources WHERE FALSE",
    "TRUNCATE knowledge_suppressions",
    "ALTER TABLE sources ADD COLUMN mine integer",
    "DROP TABLE tokens",
    "CREATE TABLE mine (id integer)",
    "CREATE TEMPORARY TABLE mine (id integer)",
    "CREATE ROLE orgctx_mine",
    "ALTER FUNCTION find_caller(bytea) SET search_path TO public",
    "SELECT FROM api_keys",
    "CREATE SCHEMA mine",
)


@dataclass(frozen=True)
class Logins:
    """A database with an owner and a service. Names contain what must be quoted."""

    superuser: str
    redis_url: str
    admin: str = "the-admin"
    service: str = "the-service"

    def url(self, login: str) -> str:
        return make_conninfo(self.superuser, user=login)

    def deployment(self, service: str, admin: str = "") -> Deployment:
        return Deployment(self.url(service), self.redis_url, self.url(admin) if admin else "")

    def execute(self, *statements: str) -> None:
        with psycopg.connect(self.superuser, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)  # type: ignore[arg-type]

    def may_write(self, login: str) -> list[str]:
        """The statements that the login may run, as itself or as any role that it can be."""
        with psycopg.connect(self.url(login), autocommit=True) as connection:
            roles = connection.execute(
                "SELECT rolname FROM pg_roles WHERE pg_has_role(rolname, 'MEMBER')"
                " AND rolname NOT LIKE 'pg_%'"
            ).fetchall()
            return [
                statement
                for (role,) in roles
                for statement in WRITES
                if self._runs(connection, role, statement)
            ]

    def _runs(self, connection: psycopg.Connection, role: str, statement: str) -> bool:
        try:
            with connection.transaction(force_rollback=True):
                connection.execute(sql.SQL("SET LOCAL ROLE {}").format(sql.Identifier(role)))
                connection.execute("SET LOCAL transaction_read_only = off")
                connection.execute(statement)  # type: ignore[arg-type]
        except psycopg.errors.InsufficientPrivilege:
            return False
        return True


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    with embedded_servers(tmp_path_factory.mktemp("advice"), durable=False) as running:
        yield running


@pytest.fixture
def logins(server: Servers) -> Iterator[Logins]:
    """A new database, owner and service."""
    first = Logins(server.database_url, server.redis_url)
    first.execute(
        'CREATE ROLE "the-admin" LOGIN CREATEROLE', 'CREATE ROLE "the-service" LOGIN',
        'CREATE DATABASE advised OWNER "the-admin"',
    )  # fmt: skip
    try:
        yield replace(first, superuser=make_conninfo(first.superuser, dbname="advised"))
    finally:
        first.execute("DROP DATABASE advised WITH (FORCE)")
        drop_roles(first.superuser)


def printed(result: Result) -> list[str]:
    return STATEMENT.findall(result.stdout + result.stderr)


def migrated(logins: Logins) -> None:
    assert logins.deployment(logins.service, logins.admin).cli("migrate").exit_code == 0


def test_advice_in_the_environment_of_the_service_is_harmless(logins: Logins) -> None:
    migrated(logins)
    service = logins.deployment(logins.service)
    doctor, migrate = service.cli("doctor"), service.cli("migrate")
    assert (doctor.exit_code, migrate.exit_code) == (0, 1)
    assert printed(doctor) + printed(migrate) == []
    assert f"a URL with the login {logins.admin!r}, which owns the database" in migrate.stderr
    assert logins.may_write(logins.service) == []


@pytest.mark.parametrize("admin", ["", "the-service"])
def test_advice_for_one_login_creates_another(logins: Logins, admin: str) -> None:
    owner = conninfo_to_dict(logins.superuser)["user"]
    logins.execute(f'ALTER DATABASE advised OWNER TO "{owner}"')
    result = logins.deployment(logins.service, admin).cli("migrate")
    assert result.exit_code == 1
    assert printed(result) == [
        "CREATE ROLE orgctx_admin LOGIN CREATEROLE PASSWORD 'choose one';",
        "ALTER DATABASE advised OWNER TO orgctx_admin;",
    ]
    logins.execute(*printed(result))
    assert logins.deployment(logins.service, "orgctx_admin").cli("migrate").exit_code == 0
    assert logins.deployment(logins.service, "orgctx_admin").cli("doctor").exit_code == 0
    assert logins.may_write(logins.service) == []


GRANTS = {
    "superuser": 'ALTER ROLE "the-service" SUPERUSER',
    "createrole": 'ALTER ROLE "the-service" CREATEROLE',
    "insert": 'GRANT INSERT ON organizations TO "the-service"',
    "update of a column": 'GRANT UPDATE (label) ON sources TO "the-service"',
    "delete": 'GRANT DELETE ON sources TO "the-service"',
    "truncate": 'GRANT TRUNCATE ON knowledge_suppressions TO "the-service"',
    "everything": 'GRANT pg_write_all_data TO "the-service"',
    "keys": 'GRANT SELECT ON api_keys TO "the-service"',
    "schema": 'GRANT CREATE ON SCHEMA public TO "the-service"',
    "database": 'GRANT CREATE ON DATABASE advised TO "the-service"',
    "temporary": 'GRANT TEMPORARY ON DATABASE advised TO "the-service"',
    "owner of a table": 'ALTER TABLE sources OWNER TO "the-service"',
    "owner of a function": 'ALTER FUNCTION find_caller(bytea) OWNER TO "the-service"',
    "owner of the database": 'ALTER DATABASE advised OWNER TO "the-service"',
    "member of the owner": 'GRANT "the-admin" TO "the-service"',
    "files": 'GRANT pg_write_server_files TO "the-service"',
}


@pytest.mark.parametrize("name", GRANTS)
def test_doctor_fails_for_a_service_that_may_write(logins: Logins, name: str) -> None:
    migrated(logins)
    logins.execute(GRANTS[name])
    for admin in ("", logins.admin):
        result = logins.deployment(logins.service, admin).cli("doctor")
        assert result.exit_code == 1
        assert "failed   role: The service connects as 'the-service', which may write" in (
            result.stdout
        )
        statements = printed(result)
        assert not [line for line in statements if "the-service" in line and "REVOKE" not in line]
        if not admin:
            logins.execute(*statements)
            created = statements[0].split()[2]
            assert logins.deployment(created, logins.admin).cli("doctor", "--json").stdout
            assert logins.may_write(created) == []
            checks = logins.deployment(created).cli("doctor").stdout
            assert f"ok       role: {created!r} reads as orgctx_reader" in checks


@pytest.mark.parametrize("link", ["", "between"])
def test_advice_separates_the_service_from_the_admin(logins: Logins, link: str) -> None:
    """A member of the admin login may write what that login owns."""
    migrated(logins)
    if link:
        logins.execute(
            "CREATE ROLE between", 'GRANT "the-admin" TO between', 'GRANT between TO "the-service"'
        )
    else:
        logins.execute('GRANT "the-admin" TO "the-service"')
    assert logins.may_write(logins.service)
    result = logins.deployment(logins.service, logins.admin).cli("migrate")
    assert result.exit_code == 1
    logins.execute(*printed(result))
    assert logins.may_write(logins.service) == []
    assert logins.deployment(logins.service, logins.admin).cli("doctor").exit_code == 0


def test_advice_for_missing_privileges_keeps_the_service_reading(logins: Logins) -> None:
    """Tables that another login restored, and a role that another login created."""
    migrated(logins)
    owner = conninfo_to_dict(logins.superuser)["user"]
    logins.execute(
        f'ALTER DATABASE advised OWNER TO "{owner}"',
        f'REASSIGN OWNED BY "the-admin" TO "{owner}"',
        'REVOKE orgctx_reader FROM "the-service"',
        'ALTER ROLE "the-admin" NOCREATEROLE',
    )
    deployment = logins.deployment(logins.service, logins.admin)
    for command in ("migrate", "doctor"):
        statements = printed(deployment.cli(command))
        assert 'ALTER TABLE sources OWNER TO "the-admin";' in statements or command == "doctor"
        logins.execute(*statements)
        assert logins.may_write(logins.service) == []
    assert deployment.cli("migrate").exit_code == 0
    assert deployment.cli("doctor").exit_code == 0
