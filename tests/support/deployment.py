"""Run the service and the `orgctx` commands on the database and Redis of a test."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import chdir, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch
from uuid import uuid4

import psycopg
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient
from psycopg import errors, sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from orgctx.config.settings import Config
from orgctx.embedded import Servers
from orgctx.operations.source_kinds import SCOPES
from orgctx.stores import db
from tests.support import citus
from tests.support import factories as make
from tests.support.written import written

UNLIMITED = 1_000_000
SERVICE_LOGIN = "orgctx_test_service"
DECIDED = " UNION ALL ".join(
    f"SELECT to_jsonb(t) FROM {table} AS t"
    for table in (
        "organizations", "members", "sources", "api_keys", "knowledge_suppressions", "audit",
    )
)  # fmt: skip
# Commands run in this directory, because it has no developer's .env.
TESTS = Path(__file__).parents[1]
# Commands that print a new key.
PRINT_KEYS = ("keys issue ", "keys rotate ", "init ")
READABLE_CHANGE = re.compile(
    r"(?:UPDATE|DELETE FROM) (?:sources|x_mentions|telegram_messages|knowledge) "
)
WAITING = """
    SELECT count(*)
    FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'
"""


class Result(NamedTuple):
    """The result of a command."""

    exit_code: int
    stdout: str
    stderr: str

    def done(self) -> "Result":
        """Assert that the command succeeded. Returns its result."""
        assert self.exit_code == 0, self.stderr
        return self

    def failed(self, exit_code: int = 1) -> str:
        """Assert that the command failed. Returns its error message."""
        assert self.exit_code == exit_code, self.stdout + self.stderr
        return self.stderr

    def json(self) -> Any:
        """Assert that the command succeeded. Returns the JSON that it printed."""
        return json.loads(self.done().stdout)


@dataclass(frozen=True)
class Deployment:
    """The servers of a test."""

    database_url: str  # of the service
    redis_url: str
    admin_database_url: str = ""  # of commands that write; empty if they use database_url

    @classmethod
    def on(cls, database_url: str, redis_url: str) -> "Deployment":
        """Use a migrated database. On Citus, the service logs in as the reading role."""
        if citus.URL:
            return cls(citus.reader_url(database_url), redis_url, database_url)
        return cls(database_url, redis_url)

    def with_service_login(self) -> "Deployment":
        """Let the service connect with a login of its own, as in production."""
        if citus.URL:
            return self
        # Another test may have created it, because roles belong to all databases of a server.
        with suppress(errors.DuplicateObject, errors.UniqueViolation):
            self.execute(f"CREATE ROLE {SERVICE_LOGIN} LOGIN IN ROLE orgctx_reader")
        url = make_conninfo(self.database_url, user=SERVICE_LOGIN)
        return Deployment(url, self.redis_url, self.admin_url)

    @property
    def admin_url(self) -> str:
        """The URL of the database for a login that may write."""
        return self.admin_database_url or self.database_url

    @property
    def config(self) -> Config:
        """Default settings, with limits that tests do not reach by accident."""
        return Config(
            database_url=self.database_url,
            admin_database_url=self.admin_url,
            database_read_url=self.database_url,
            desk_database_url="",
            redis_url=self.redis_url,
            limit_key=UNLIMITED,
            limit_organization=UNLIMITED,
            limit_ip=UNLIMITED,
            limit_page=UNLIMITED,
            limit_key_top=UNLIMITED,
            limit_organization_top=UNLIMITED,
        )

    @contextmanager
    def app(self, **settings: Any) -> Iterator[Flask]:
        """The service on this data; `settings` replace those of `config`."""
        from orgctx.app import create_app

        app = create_app(replace(self.config, **settings))
        try:
            yield app
        finally:
            app.extensions["orgctx"].close()

    @contextmanager
    def client(self, key: str = "", **settings: Any) -> Iterator[FlaskClient]:
        """A client of the service that sends this key, if any; `settings` are those of `app`."""
        with self.app(**settings) as app:
            client = app.test_client()
            if key:
                client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {key}"
            yield client

    @property
    def environment(self) -> dict[str, str | None]:
        """The environment of a command; its only ORGCTX_* variables are this deployment's."""
        foreign: dict[str, str | None] = {
            name: None for name in os.environ if name.startswith("ORGCTX_")
        }
        return foreign | self.settings

    @property
    def settings(self) -> dict[str, str]:
        """The variables that a command or the service needs."""
        return {
            "ORGCTX_DATABASE_URL": self.database_url,
            "ORGCTX_ADMIN_DATABASE_URL": self.admin_url,
            "ORGCTX_REDIS_URL": self.redis_url,
        }

    @property
    def program_environment(self) -> dict[str, str]:
        """The environment of a program of its own that runs `orgctx`."""
        others = {k: v for k, v in os.environ.items() if not k.startswith("ORGCTX_")}
        return {**others, "PYTHONPATH": str(TESTS.parent), **self.settings}

    def cli(
        self, *arguments: object, stdin: str | bytes | None = None, **environment: str | None
    ) -> Result:
        """Run `orgctx` in this process. environment: variables to add, or None to remove."""
        from orgctx.cli import main

        # A command may set variables for a program that replaces it (exec).
        with chdir(TESTS), patch.dict(os.environ):
            result = CliRunner().invoke(
                main,
                [str(argument) for argument in arguments],
                input=stdin,
                env={**self.environment, **environment},
            )
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        if " ".join(map(str, arguments)).startswith(PRINT_KEYS):
            written.issue(result.stdout)
        else:
            written.output(result.stdout)
        written.output(result.stderr)
        return Result(result.exit_code, result.stdout, result.stderr)

    def check(self, name: str, **environment: str) -> str:
        """Return the line of `orgctx doctor` with this check: its status, name and message."""
        lines = self.cli("doctor", **environment).stdout.splitlines()
        return next(line for line in lines if line[9:].startswith(f"{name}: "))

    def process(self, *arguments: object, **options: Any) -> subprocess.Popen[str]:
        """Start `orgctx` as a separate process with piped output."""
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(
            [sys.executable, "-c", "from orgctx.cli import main; main()", *map(str, arguments)],
            text=True,
            env=self.program_environment,
            # Without a terminal, no command asks.
            **{"cwd": TESTS, "stdin": subprocess.DEVNULL, **streams, **options},
        )

    def load(self, records: Iterable[dict[str, Any]]) -> Any:
        """Load bundle records (see factories). Returns the loader's summary."""
        from orgctx.bundle.loader import load_records

        return load_records(self.admin_url, records)

    def load_acme(self, *records: make.Record) -> None:
        """Load Acme and its staff with these records, and approve each of its sources.

        records: by default those of `factories.everything`.
        """
        self.load([make.organization(), *make.staff(), *records] if records else make.everything())
        self.approve(make.ACME, make.OWNER)

    def approve(self, organization_id: object, by: object, *source_ids: str) -> None:
        """Approve these sources, or all of the organization, with `orgctx sources approve`."""
        author = ("--organization", organization_id, "--by", by, "--yes")
        self.cli("sources", "approve", *author, *(source_ids or ("--all",))).done()

    def issue_key(
        self,
        organization_id: object,
        by: object,
        scopes: Iterable[str] = SCOPES,
        access: str = "both",
        days: int = 30,
        sources: Iterable[str] = (),
    ) -> str:
        """Issue an API key. sources: ids of those that it is limited to; all if empty."""
        author = ("--organization", organization_id, "--by", by)
        rights = ("--access", access, "--scope", ",".join(scopes), "--expires-in-days", days)
        limit = [option for source_id in sources for option in ("--source", source_id)]
        key: str = self.cli("keys", "issue", *author, *rights, *limit, "--json").json()["key"]
        return key

    def execute(self, statement: str, parameters: Any = None) -> list[tuple[Any, ...]]:
        """Run a statement with the admin login. Returns its rows, or none if it returns no rows.

        A change of what keys read sets new versions, as decisions and loads do.
        """
        with psycopg.connect(self.admin_url, autocommit=True) as connection:
            cursor = connection.execute(statement, parameters)
            rows = [] if cursor.description is None else cursor.fetchall()
            if READABLE_CHANGE.match(statement):
                connection.execute("UPDATE organizations SET version = %s", [uuid4()])
            return rows

    def decided(self) -> list[object]:
        """Every record that a decision may change."""
        return [*self.execute(DECIDED)]

    def waiting(self) -> int:
        """Count the statements of this database that wait for a lock."""
        ((count,),) = self.execute(citus.WAITING if citus.URL else WAITING)
        return int(count)


@contextmanager
def new_database(server_url: str, options: str = "", template: str | None = None) -> Iterator[str]:
    """Create a database. Yields its URL, and drops it at the end.

    options: options of CREATE DATABASE, as SQL. template: name of the database to copy.
    """
    if template and citus.URL:
        with citus.database(template, citus.servers()) as url:
            yield url
        return
    name = sql.Identifier(f"orgctx_test_{uuid4().hex[:12]}")
    create = sql.SQL("CREATE DATABASE {} " + options).format(name)
    if template:
        # Copying files takes a third less processor time than copying through the WAL.
        copy = sql.SQL(" TEMPLATE {} STRATEGY file_copy")
        create += copy.format(sql.Identifier(template))
    connection = lasting(server_url)
    connection.execute(create)
    if template:
        # PostgreSQL does not copy the privileges on the database that migrations set.
        connection.execute(sql.SQL("REVOKE TEMPORARY ON DATABASE {} FROM PUBLIC").format(name))
    try:
        yield make_conninfo(server_url, dbname=name.as_string().strip('"'))
    finally:
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))


@cache
def lasting(server_url: str) -> psycopg.Connection[Any]:
    """Return the connection that creates and drops the databases of a server."""
    return psycopg.connect(server_url, autocommit=True)


@contextmanager
def new_login(deployment: Deployment, *statements: str) -> Iterator[str]:
    """Create a login, and drop it at the end. Yields its URL.

    statements: they give it privileges; {} is its name.
    """
    name = f"login_{uuid4().hex[:8]}"
    deployment.execute(f"CREATE ROLE {name} LOGIN PASSWORD 'first'")
    try:
        for statement in statements:
            deployment.execute(statement.format(name))
        yield make_conninfo(deployment.admin_url, user=name, password="first")
    finally:
        deployment.execute(f"DROP OWNED BY {name}; DROP ROLE {name}")


@contextmanager
def locked(deployment: Deployment, *, gate: bool = False) -> Iterator[None]:
    """Lock all tables that gate/find_key does not read, while the block runs.

    gate: lock the tables that gate/find_key reads instead. On Citus, locks all of their shards.
    """
    with psycopg.connect(deployment.admin_url) as connection:
        # By default, Citus hides shards from pg_tables and forbids locking them.
        connection.execute("SET citus.override_table_visibility = off")
        connection.execute("SET citus.enable_manual_changes_to_shards = on")
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        text = db.sql("gate/find_key")
        names = [name for (name,) in tables if (re.sub(r"_\d+$", "", name) in text) == gate]
        connection.execute(f"LOCK TABLE {', '.join(names)} IN ACCESS EXCLUSIVE MODE")
        yield
        connection.rollback()


def drop_roles(superuser_url: str) -> None:
    """Drop all roles but those of PostgreSQL itself, after the databases that they own parts of."""
    with psycopg.connect(superuser_url) as connection:
        names = connection.execute(
            "SELECT rolname FROM pg_roles WHERE rolname !~ '^pg_' AND oid > 16383"
        ).fetchall()
        for (name,) in names:
            drop = sql.SQL("DROP OWNED BY {0}; DROP ROLE {0}").format(sql.Identifier(name))
            connection.execute(drop)


@contextmanager
def copied(servers: Servers, template: str) -> Iterator[Deployment]:
    """Copy a migrated database. Yields a deployment on the copy."""
    with new_database(servers.database_url, template=template) as url:
        yield Deployment.on(url, servers.redis_url)


def as_template(deployment: Deployment) -> str:
    """Return the name of a deployment's database, to be used as a template.

    Call it when the database is complete: on Citus it forbids further connections.
    """
    name = str(conninfo_to_dict(deployment.admin_url)["dbname"])
    if citus.URL:
        citus.close(name)
    return name
