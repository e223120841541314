"""Defaults of the service's login change no answer: ALTER ROLE ... SET, tried with every setting.

A default may make the service unavailable, for example by ending its statements at once. An answer
with other bytes is an error of the service.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

import psycopg
import pytest
from flask.testing import FlaskClient
from psycopg import sql

from orgctx.errors import ServiceUnavailable
from orgctx.http.health import check_values
from orgctx.stores.connection import Connection
from orgctx.stores.db import Rows, Statement
from orgctx.stores.deadline import Deadline
from orgctx.stores.pool import _bound as bound
from tests.operations import ROWS
from tests.support import citus, crawl
from tests.support import factories as make
from tests.support.deployment import SERVICE_LOGIN, Deployment

pytestmark = citus.impossible("the service's login is the reader")

UNAVAILABLE = (503, 504)
# With these, no connection can be opened, or the server ends it before it is configured.
MAY_BE_UNAVAILABLE = {
    "idle_session_timeout", "local_preload_libraries", "statement_timeout", "transaction_timeout"
}  # fmt: skip
# How many settings are tried together.
BATCH = 96
TEXT = "Élan 日本 🚢 \\ 'quoted' NULL {a,b}"
# Texts do not have a minimum and a maximum. Every text setting is also set to ODD.
ODD = ("odd", "''", "pg_temp")
TEXTS = {
    "DateStyle": ("SQL, DMY", "German", "Postgres, MDY"),
    "client_encoding": ("LATIN1", "SQL_ASCII", "EUC_JP", "UTF8"),
    "search_path": ("nowhere", "information_schema, public", "public, pg_catalog"),
    "TimeZone": ("Asia/Kathmandu", "America/St_Johns"),
    "timezone_abbreviations": ("Australia", "India"),
    "default_text_search_config": ("german", "simple"),
    "lc_numeric": ("C",),
    "lc_time": ("C",),
    "role": ("none",),
    "transaction_isolation": ("serializable",),
}
NUMBERS = {
    "gin_fuzzy_search_limit": ("1",), "extra_float_digits": ("0",),
    "statement_timeout": ("1", "20"), "lock_timeout": ("1",), "idle_session_timeout": ("1",),
    "idle_in_transaction_session_timeout": ("1",), "transaction_timeout": ("1",),
}  # fmt: skip
# A request of each operation, and a search for one of the characters.
WANTED = [
    *(crawl.PREFIX + row.request(row.asks[0]) for row in ROWS.values()),
    f"{crawl.PREFIX}/search?q=%E6%97%A5%E6%9C%AC",
]
QUERY = """
    SELECT name, vartype, enumvals, min_val, max_val, setting
    FROM pg_settings ORDER BY name
"""

# RESET rejects settings of a transaction.
RESET = f"""
    DELETE FROM pg_db_role_setting
    WHERE setrole = (SELECT oid FROM pg_roles WHERE rolname = '{SERVICE_LOGIN}')
"""


class Case(NamedTuple):
    """A default."""

    name: str
    value: str

    @property
    def statement(self) -> sql.Composed:
        is_list = self.name == "search_path"
        value = sql.SQL(self.value) if is_list else sql.Literal(self.value)  # type: ignore[arg-type]
        name = sql.Identifier(self.name)
        return sql.SQL("ALTER ROLE CURRENT_USER SET {} = {}").format(name, value)

    def is_accepted(self, connection: psycopg.Connection) -> bool:
        """Whether the login may set this default."""
        try:
            connection.execute(self.statement)
        except psycopg.Error:
            return False
        return True


class Setting(NamedTuple):
    """A row of pg_settings."""

    name: str
    kind: str
    words: list[str] | None
    smallest: str | None
    largest: str | None
    current: str

    @property
    def values(self) -> tuple[str, ...]:
        """Values that differ from the current one."""
        if self.kind == "bool":
            candidates: tuple[str | None, ...] = ("on", "off")
        elif self.kind == "enum":
            candidates = tuple(self.words or ())
        elif self.kind == "string":
            candidates = (*TEXTS.get(self.name, ()), *ODD)
        else:
            candidates = (self.smallest, self.largest, *NUMBERS.get(self.name, ()))
        return tuple(text for text in candidates if text is not None and text != self.current)


@pytest.fixture(scope="module")
def service(module_deployment: Deployment) -> Deployment:
    """Acme, with records that have characters and bytes of many kinds."""
    module_deployment.load([*make.everything(), make.knowledge("é", title=TEXT, content=TEXT)])
    module_deployment.approve(make.ACME, make.OWNER)
    return module_deployment.with_service_login()


@pytest.fixture
def connection(service: Deployment) -> Iterator[psycopg.Connection]:
    """A connection of the service's login, which may change its own defaults."""
    with psycopg.connect(service.database_url, autocommit=True) as connection:
        try:
            yield connection
        finally:
            service.execute(RESET)


def read(client: FlaskClient, headers: dict[str, str]) -> dict[str, bytes]:
    """The answers by path, without those of an unavailable service."""
    client.application.extensions["orgctx"].pool.close()
    responses = {path: client.get(path, headers=headers) for path in WANTED}
    return {
        path: response.data
        for path, response in responses.items()
        if response.status_code not in UNAVAILABLE
    }


def is_ready(client: FlaskClient) -> bool:
    client.application.extensions["readiness"]._value = None
    return client.get("/readyz").status_code == 200


def cases(connection: psycopg.Connection) -> Iterator[tuple[Case, ...]]:
    """Batches of cases, each with a value for several settings."""
    settings = [Setting(*row) for row in connection.execute(QUERY)]
    tries = [
        [Case(setting.name, value) for setting in settings for value in setting.values[place:][:1]]
        for place in range(max(len(setting.values) for setting in settings))
    ]
    for values in tries:
        accepted = [case for case in values if case.is_accepted(connection)]
        yield from batched(accepted)


def batched(cases: list[Case]) -> Iterator[tuple[Case, ...]]:
    """Those that may make the service unavailable are alone, so that no others are halved."""
    yield from ((case,) for case in cases if case.name in MAY_BE_UNAVAILABLE)
    others = [case for case in cases if case.name not in MAY_BE_UNAVAILABLE]
    for start in range(0, len(others), BATCH):
        yield tuple(others[start : start + BATCH])


@pytest.mark.thorough
def test_no_default_of_the_login_changes_an_answer(
    service: Deployment, connection: psycopg.Connection
) -> None:
    headers = {"Authorization": f"Bearer {service.issue_key(make.ACME, make.OWNER)}"}
    with (
        psycopg.connect(service.admin_url, autocommit=True) as admin,
        service.app(request_timeout_seconds=5, log_level="CRITICAL") as app,
    ):
        client = app.test_client()
        expected = read(client, headers)
        assert expected.keys() == set(WANTED)
        admin.execute(RESET)

        def judge(batch: tuple[Case, ...]) -> None:
            """Try cases together, and each half alone if something is unavailable or wrong."""
            for case in batch:
                connection.execute(case.statement)
            answers, ready = read(client, headers), is_ready(client)
            admin.execute(RESET)
            if answers == expected and ready:
                return
            if len(batch) > 1:
                middle = len(batch) // 2
                judge(batch[:middle])
                judge(batch[middle:])
                return
            wrong = [path for path, body in answers.items() if body != expected[path]]
            assert not wrong, batch
            unavailable.add(batch[0].name)

        unavailable: set[str] = set()
        tried: list[Case] = []
        for batch in [*cases(connection)]:
            admin.execute(RESET)
            judge(batch)
            tried += batch
    print(f"{len(tried)} values of {len({case.name for case in tried})} settings", unavailable)
    assert len(tried) > 200
    assert unavailable <= MAY_BE_UNAVAILABLE


@dataclass
class Unconfigured:
    """A connection with the defaults of its login."""

    connection: Connection

    def query_all(
        self, statements: Sequence[Statement], deadline: Deadline, _: UUID | None = None
    ) -> list[Rows]:
        results = self.connection.run([bound(*statement) for statement in statements], deadline)
        return [Rows((), self.connection.rows(result)) for result in results]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DateStyle", "German"), ("DateStyle", "Postgres, MDY"), ("client_encoding", "LATIN1"),
        ("IntervalStyle", "sql_standard"), ("extra_float_digits", "-10"), ("array_nulls", "off"),
        ("standard_conforming_strings", "off"),
    ],
)  # fmt: skip
def test_readiness_notices_a_setting_that_changes_values(
    database_url: str, name: str, value: str
) -> None:
    with closing(Connection.open(database_url, Deadline(10))) as connection:
        database = Unconfigured(connection)
        check_values(database, Deadline(10))
    with closing(Connection.open(database_url, Deadline(10))) as connection:
        change = "SELECT set_config($1, $2, FALSE)"
        connection.run([(change.encode(), [name, value])], Deadline(10))
        with pytest.raises((ServiceUnavailable, psycopg.Error)):
            check_values(Unconfigured(connection), Deadline(10))
