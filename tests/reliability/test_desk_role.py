"""The desk's role may write what decisions change, and nothing else. tests/desk runs with it."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg import errors, sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from orgctx.decisions import (
    Decision,
    DecisionRejected,
    connection,
    deciding,
    organizations,
    sources,
)
from orgctx.decisions.connection import DESK_ROLE, DeskConnection, DeskUnavailable, connect
from orgctx.stores.db import READER_ROLE, Tenant, granted, run
from tests.support import citus
from tests.support import factories as make
from tests.support.deployment import Deployment, new_login

ACME, OWNER = UUID(make.ACME), UUID(make.OWNER)
EVERYTHING = "every column"
# What the role may do besides reading what the service reads: the columns by table and privilege.
ALLOWED: dict[tuple[str, str], str] = {
    ("members", "SELECT"): EVERYTHING,
    ("members", "INSERT"): "organization_id user_id display_name role",
    ("members", "UPDATE"): "role signed_out_at",
    ("desk_signing_secret", "SELECT"): EVERYTHING,
    ("source_syncs", "SELECT"): EVERYTHING,
    ("organization_locks", "SELECT"): EVERYTHING,
    ("organization_locks", "INSERT"): EVERYTHING,
    ("organization_locks", "UPDATE"): EVERYTHING,
    ("organizations", "UPDATE"): "version",
    ("sources", "UPDATE"): "included external holds_new decided_by decided_at record_count chat_id",
    ("knowledge_suppressions", "INSERT"): "organization_id knowledge_id reason first_digest "
    "last_digest detail detail_offset",
    ("knowledge_suppressions", "DELETE"): "",
    ("knowledge_releases", "SELECT"): EVERYTHING,
    ("knowledge_releases", "INSERT"): "organization_id knowledge_id version",
    ("knowledge_releases", "UPDATE"): "released_at",
    ("knowledge_releases", "DELETE"): "",
    ("knowledge_search", "UPDATE"): "source_id tokens",
    ("api_keys", "SELECT"): EVERYTHING,
    ("api_keys", "INSERT"): "organization_id id key_hash hint name issued_by access scopes "
    "source_ids expires_at",
    ("api_keys", "UPDATE"): "name access scopes source_ids expires_at revoked_at",
    ("audit", "SELECT"): EVERYTHING,
    ("audit", "INSERT"): "organization_id decided_by command before after authentication",
} | dict.fromkeys(((table, "SELECT") for table in [*granted()["tables"], "migrations"]), EVERYTHING)
# No condition: privileges are checked before the first row. DEFAULT fits columns of every kind.
OF_COLUMNS = {
    "SELECT": "SELECT {column} FROM {table} LIMIT 0",
    "INSERT": "INSERT INTO {table} ({column}) VALUES (DEFAULT)",
    "UPDATE": "UPDATE {table} SET {column} = DEFAULT WHERE false",
}
OF_TABLES = {
    "DELETE": "DELETE FROM {table} WHERE false",
    "TRUNCATE": "TRUNCATE {table}",
    "REFERENCES": "CREATE TABLE referring (id integer REFERENCES {table})",
    "TRIGGER": "CREATE TRIGGER t BEFORE INSERT ON {table} EXECUTE FUNCTION refuse_change()",
    "ALTER": "ALTER TABLE {table} DISABLE TRIGGER ALL",
    "DROP": "DROP TABLE {table} CASCADE",
    "COPY": "COPY {table} TO '/tmp/none'",
    "PROGRAM": "COPY {table} FROM PROGRAM 'true'",
    "POLICY": "CREATE POLICY p ON {table}",
    "INDEX": "CREATE INDEX ON {table} ((1))",
}
COLUMNS = """
    SELECT c.relname, a.attname
    FROM pg_class AS c
    JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
"""
FUNCTIONS = """
    SELECT proname FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace AND prosecdef
        AND has_function_privilege('orgctx_desk', oid, 'EXECUTE')
"""
SEQUENCES = """
    SELECT relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND CASE WHEN relkind = 'S'
        THEN has_sequence_privilege('orgctx_desk', oid, 'USAGE, SELECT, UPDATE') END
"""
# PostgreSQL only warns if a role grants a privilege that it may not grant.
GRANTABLE = """
    SELECT a.privilege_type FROM pg_class AS c CROSS JOIN aclexplode(c.relacl) AS a
    WHERE a.grantee IN ('orgctx_desk'::regrole, 'orgctx_reader'::regrole) AND a.is_grantable
    UNION ALL
    SELECT a.privilege_type FROM pg_attribute AS c CROSS JOIN aclexplode(c.attacl) AS a
    WHERE a.grantee IN ('orgctx_desk'::regrole, 'orgctx_reader'::regrole) AND a.is_grantable
"""


@pytest.fixture
def nobody(own_acme: Deployment) -> Iterator[str]:
    with new_login(own_acme) as url:
        yield url


@pytest.fixture
def url(own_acme: Deployment, nobody: str) -> str:
    """The URL of a login that `orgctx migrate` lets decide."""
    own_acme.cli("migrate", ORGCTX_DESK_DATABASE_URL=nobody).done()
    return nobody


@pytest.fixture
def desk(url: str) -> Iterator[DeskConnection]:
    with connect(url) as opened:
        yield opened


def decide(desk: DeskConnection, call: Callable[[Decision], Any]) -> Any:
    with deciding(
        Tenant(desk, ACME), OWNER, command="desk", authentication="invitation"
    ) as decision:
        return call(decision)


def approve(decision: Decision) -> Any:
    sources.approve(decision, None, value=False)
    return sources.approve(decision, None)


def stored(decision: Decision) -> Any:
    return sources.stored(decision, None)


def attempt(desk: DeskConnection, statement: str, *names: str) -> bool:
    """Return whether the role has the privilege for a statement, which is undone."""
    parts = dict(zip(("table", "column"), map(sql.Identifier, names), strict=False))
    try:
        with desk.transaction(force_rollback=True):
            desk.execute(sql.SQL(statement).format(**parts))  # type: ignore[arg-type]
    except (errors.InsufficientPrivilege, errors.GeneratedAlways, errors.WrongObjectType):
        return False
    except (errors.NotNullViolation, errors.InvalidForeignKey, errors.ForeignKeyViolation):
        return True
    return True


@citus.impossible("some statements fail before their privileges are checked")
def test_desk_may_write_exactly_these_columns(
    own_acme: Deployment, url: str, desk: DeskConnection
) -> None:
    """`orgctx migrate` restores these privileges."""
    own_acme.execute(f"GRANT DELETE ON audit, members TO {DESK_ROLE}")
    own_acme.execute(f"REVOKE ALL ON api_keys FROM {DESK_ROLE}")
    own_acme.cli("migrate", ORGCTX_DESK_DATABASE_URL=url).done()
    columns: dict[str, set[str]] = defaultdict(set)
    for table, column in own_acme.execute(COLUMNS):
        columns[table].add(column)
    assert {table for table, _ in ALLOWED} < {*columns}
    with desk.transaction():
        for table, names in columns.items():
            for privilege, statement in OF_COLUMNS.items():
                allowed = ALLOWED.get((table, privilege), "")
                expected = names if allowed == EVERYTHING else {*allowed.split()}
                found = {name for name in names if attempt(desk, statement, table, name)}
                assert found == expected, (table, privilege)
            for privilege, statement in OF_TABLES.items():
                expected_ = (table, privilege) in ALLOWED
                assert attempt(desk, statement, table) == expected_, (table, privilege)


def test_desk_may_not_leave_its_role(own_acme: Deployment, desk: DeskConnection) -> None:
    assert {name for (name,) in own_acme.execute(FUNCTIONS)} == {
        "find_caller", "find_identity", "count_expiring_keys", "lock_member"
    }  # fmt: skip
    assert own_acme.execute(SEQUENCES) == own_acme.execute(GRANTABLE) == []
    roles = {name for (name,) in own_acme.execute("SELECT rolname FROM pg_roles")}
    login = desk.info.user
    ((superuser,),) = own_acme.execute("SELECT current_user")
    with desk.transaction():
        became = {name for name in roles if attempt(desk, "SET LOCAL ROLE {table}", name)}
        assert became == {login, DESK_ROLE, READER_ROLE}
        for statement in (
            "CREATE TABLE t (i integer)", "CREATE TEMPORARY TABLE t (i integer)",
            "CREATE SCHEMA s", "CREATE FUNCTION f() RETURNS integer LANGUAGE sql RETURN 1",
            "CREATE ROLE r", "CREATE EXTENSION dblink", f"ALTER ROLE {DESK_ROLE} SUPERUSER",
            f"ALTER ROLE {login} CREATEROLE", f"SET SESSION AUTHORIZATION {superuser}",
            "SET LOCAL session_replication_role = replica", "SELECT pg_read_file('/etc/hostname')",
            "SELECT pg_ls_dir('/')", "SELECT lo_import('/etc/hostname')",
            "SELECT lo_export(1, '/tmp/none')", "SELECT nextval('audit_sequence_seq')",
            "SELECT setval('audit_sequence_seq', 1)", "SELECT pg_reload_conf()",
            f"GRANT {DESK_ROLE} TO {login} WITH ADMIN OPTION", f"GRANT {READER_ROLE} TO {login}",
            "DROP FUNCTION find_caller",
            "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql "
            "AS 'BEGIN RETURN NULL; END'", "COMMENT ON TABLE audit IS 'mine'",
        ):  # fmt: skip
            assert not attempt(desk, statement), statement


def test_desk_creates_no_organization(desk: DeskConnection) -> None:
    """Even the function that a command calls lacks the privilege."""
    with pytest.raises(DeskUnavailable, match="lacks a privilege"):
        organizations.create(desk, slug="eve", display_name="Eve", owner="Eve", command="desk")


def test_desk_connection_is_bounded(url: str) -> None:
    with connect(url) as desk, desk.transaction():
        limits = {
            "role": DESK_ROLE, "application_name": "orgctx desk", "statement_timeout": "30s",
            "lock_timeout": "5s", "idle_in_transaction_session_timeout": "1min",
        }  # fmt: skip
        for name, value in limits.items():
            row = desk.execute("SELECT current_setting(%s) AS value", [name]).fetchone()
            assert row == {"value": value}, name
    with connect(url) as desk, pytest.raises(psycopg.ProgrammingError, match="within transaction"):
        run(desk, "decisions/list_identities", organization_id=ACME)


def test_desk_waits_for_other_decisions_only_so_long(
    own_acme: Deployment, desk: DeskConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(connection.LIMITS, "lock_timeout", "50ms")
    with psycopg.connect(own_acme.admin_url) as other:
        Tenant(other, ACME).lock_sources(None)
        with pytest.raises(DecisionRejected, match=r"Nothing was changed\. Try again"):
            decide(desk, approve)
    assert decide(desk, approve)


def test_desk_says_what_is_missing(
    nobody: str, own_acme: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connect(nobody) as desk, pytest.raises(DeskUnavailable, match="Run `orgctx migrate`"):
        decide(desk, stored)
    monkeypatch.setattr(connection, "DESK_ROLE", "no_such_role")
    with connect(nobody) as desk, pytest.raises(DeskUnavailable, match="Run `orgctx migrate`"):
        decide(desk, stored)
    with pytest.raises(DeskUnavailable, match="unavailable") as caught:
        connect(make_conninfo(nobody, dbname="no_such_database", password="hunter2"))
    assert "hunter2" not in str(caught.value)


def test_desk_notices_a_lost_connection(own_acme: Deployment, desk: DeskConnection) -> None:
    own_acme.execute("SELECT pg_terminate_backend(%s::integer, 5000)", [desk.info.backend_pid])
    for _ in range(2):
        with pytest.raises(DeskUnavailable, match="unavailable"):
            decide(desk, stored)


def test_bug_is_raised_as_it_is(url: str) -> None:
    with connect(url) as desk, pytest.raises(errors.DivisionByZero) as raised, desk.transaction():
        desk.execute("SELECT 1 / 0")
    assert raised.value.__cause__ is None


def test_doctor_checks_the_login_of_the_desk(own_acme: Deployment, nobody: str) -> None:
    variables = {"ORGCTX_DESK_DATABASE_URL": nobody}
    message = own_acme.check("desk", **variables)
    assert message.startswith("failed ")
    assert "Run `orgctx migrate`" in message
    own_acme.cli("migrate", **variables).done()
    assert own_acme.check("desk", **variables).startswith("ok ")
    login = conninfo_to_dict(nobody)["user"]
    own_acme.execute(f"GRANT DELETE ON members TO {login}")
    assert "more than decide: DELETE on members" in own_acme.check("desk", **variables)
    own_acme.execute(f"REVOKE ALL ON members FROM {login}")
    same = own_acme.check("desk", **variables, ORGCTX_DATABASE_URL=nobody)
    assert "too, and must not decide" in same
    own_acme.execute(f"ALTER ROLE {login} SUPERUSER")
    assert "more than decide: SUPERUSER" in own_acme.check("desk", **variables)


def test_service_login_may_not_decide(own_acme: Deployment) -> None:
    with new_login(own_acme) as service:
        separate = Deployment(service, own_acme.redis_url, own_acme.admin_url)
        separate.cli("migrate").done()
        with psycopg.connect(service) as opened:
            opened.execute(f"SET ROLE {READER_ROLE}")
            with pytest.raises(errors.InsufficientPrivilege):
                opened.execute(f"SET ROLE {DESK_ROLE}")
        error = separate.cli("migrate", ORGCTX_DESK_DATABASE_URL=service).failed()
        assert "The desk needs its own login" in error
        login = conninfo_to_dict(service)["user"]
        own_acme.execute(f"GRANT {DESK_ROLE} TO {login}")
        message = separate.check("role")
        assert message.startswith("failed ")
        assert "decide as orgctx_desk" in message
