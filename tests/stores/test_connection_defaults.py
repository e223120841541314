"""Defaults of the service's login (ALTER ROLE ... SET) change no answer."""

from collections.abc import Iterator

import psycopg
import pytest
from flask.testing import FlaskClient
from psycopg import sql

from tests.operations import ROWS
from tests.support import citus, crawl
from tests.support import factories as make
from tests.support.deployment import SERVICE_LOGIN, Deployment

pytestmark = citus.impossible("the service's login is the reader")

TEXT = "Élan 日本 🚢 \\ 'quoted' NULL {a,b}"
# Settings that change how values are written or read, which rows are found, or what may run.
DEFAULTS = {
    "DateStyle": ("SQL, DMY", "German", "Postgres, MDY"),
    "IntervalStyle": ("sql_standard",),
    "TimeZone": ("Asia/Kathmandu", "America/St_Johns"),
    "array_nulls": ("off",),
    "bytea_output": ("escape",),
    "client_encoding": ("LATIN1", "SQL_ASCII", "EUC_JP"),
    "default_text_search_config": ("german",),
    "default_transaction_isolation": ("serializable",),
    "enable_indexscan": ("off",),
    "enable_seqscan": ("off",),
    "extra_float_digits": ("-10", "0"),
    "gin_fuzzy_search_limit": ("1",),
    "idle_in_transaction_session_timeout": ("1",),
    "plan_cache_mode": ("force_custom_plan",),
    "quote_all_identifiers": ("on",),
    "search_path": ("nowhere", "pg_temp"),
    "standard_conforming_strings": ("off",),
    "transform_null_equals": ("on",),
}
# A request of each operation, and a search for one of the characters.
WANTED = [
    *(crawl.PREFIX + row.request(row.asks[0]) for row in ROWS.values()),
    f"{crawl.PREFIX}/search?q=%E6%97%A5%E6%9C%AC",
]


@pytest.fixture
def service(deployment: Deployment) -> Iterator[Deployment]:
    """Acme, with records that have characters and bytes of many kinds."""
    deployment.load_acme()
    deployment.load([make.knowledge("é", title=TEXT, content=TEXT)])
    yield deployment.with_service_login()
    deployment.execute(f"ALTER ROLE {SERVICE_LOGIN} RESET ALL")


def read(client: FlaskClient) -> dict[str, tuple[int, bytes]]:
    """The answers by path, on new connections."""
    client.application.extensions["orgctx"].pool.close()
    responses = {path: client.get(path) for path in WANTED}
    return {path: (response.status_code, response.data) for path, response in responses.items()}


@pytest.mark.thorough
def test_no_default_of_the_login_changes_an_answer(service: Deployment) -> None:
    role = sql.Identifier(SERVICE_LOGIN)
    with (
        psycopg.connect(service.admin_url, autocommit=True) as admin,
        service.client(service.issue_key(make.ACME, make.OWNER)) as client,
    ):
        expected = read(client)
        assert {status for status, _ in expected.values()} == {200}
        for name, values in DEFAULTS.items():
            for value in values:
                change = sql.SQL("ALTER ROLE {} SET {} = {}")
                admin.execute(change.format(role, sql.Identifier(name), sql.Literal(value)))
                assert read(client) == expected, (name, value)
                admin.execute(sql.SQL("ALTER ROLE {} RESET ALL").format(role))
