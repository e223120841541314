"""Role, limits and responses are the same through PgBouncer in transaction mode."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from datetime import timedelta
from threading import Event
from typing import Any
from uuid import UUID

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from psycopg.conninfo import conninfo_to_dict

from orgctx.decisions.connection import DESK_ROLE, connect
from orgctx.errors import RequestTimeout
from orgctx.stores.db import NotMigrated, run
from orgctx.stores.deadline import Deadline
from orgctx.stores.pool import Pool
from tests.support import crawl
from tests.support import factories as make
from tests.support.deployment import Deployment, new_login
from tests.support.organizations import AMBER, BASALT
from tests.support.pooler import Pooler, pooled
from tests.support.processes import need
from tests.support.service import serve
from tests.support.thorough import examples
from tests.support.waiting import until

pytestmark = pytest.mark.system

# Debian's version keeps no prepared statements. The path of a newer version is a variable, because
# no package contains it; it is tested with and without prepared statements.
NEWER = os.environ.get("ORGCTX_TEST_PGBOUNCER", "")
KINDS = {"Debian's": None, "newer, not prepared": 0, "newer, prepared": 100}
# More clients than server connections of the pooler, so that they take turns.
CLIENTS = 6
SEEN = (
    b"SELECT current_user::text, current_setting('transaction_read_only'), "
    b"current_setting('statement_timeout'), current_setting('timezone'), current_setting('jit'), "
    b"current_setting('plan_cache_mode'), current_setting('client_connection_check_interval')"
)
EXPECTED = ("orgctx_reader", "on", "5s", "UTC", "off", "force_generic_plan", "100ms")
# Another client of the pooler may leave these in a session.
DIRT = (
    "RESET ROLE; SET default_transaction_read_only = off; SET statement_timeout = '3s';"
    " SET timezone = 'Asia/Tokyo'; SET jit = on; SET plan_cache_mode = force_custom_plan"
)


@pytest.fixture(scope="module", params=KINDS)
def kind(request: pytest.FixtureRequest) -> tuple[str, int | None]:
    need("pgbouncer")
    if request.param != "Debian's" and not NEWER:
        pytest.skip("ORGCTX_TEST_PGBOUNCER names no PgBouncer of 1.21 or newer")
    return (NEWER if KINDS[request.param] is not None else "pgbouncer"), KINDS[request.param]


@pytest.fixture(scope="module")
def pooler(kind: tuple[str, int | None], tenants: Deployment) -> Iterator[Pooler]:
    program, prepared = kind
    with pooled(program, tenants.database_url, prepared=prepared) as pooler:
        yield pooler


@pytest.fixture
def pool(pooler: Pooler) -> Iterator[Pool]:
    with closing(Pool(pooler.url, size=4, timeout_seconds=5)) as pool:
        yield pool


def ask(pool: Pool, *statements: bytes) -> list[list[tuple[Any, ...]]]:
    """The rows of arbitrary statements, which run like those of a request."""
    # The first connection detects the abilities of the pooler.
    pool.query("stores/list_migrations", {}, Deadline(30))
    connection = pool.connections.take(Deadline(30))
    try:
        results = connection.run([(text, ()) for text in statements], Deadline(30))
        rows = [connection.rows(result) for result in results]
    except BaseException:
        connection.close()
        raise
    pool.connections.idle.append(connection)
    return rows


def test_desk_sets_its_role_in_each_transaction(pooler: Pooler) -> None:
    organization_id = UUID(AMBER.id)
    with ExitStack() as stack:
        desks = [stack.enter_context(connect(pooler.url)) for _ in range(CLIENTS)]
        for desk in desks * 3:
            with desk.transaction():
                assert run(desk, "stores/lock_sources", organization_id=organization_id, ids=None)
                assert [*desk.execute("SELECT current_user::text AS role")] == [{"role": DESK_ROLE}]
        with psycopg.connect(pooler.url, autocommit=True, prepare_threshold=None) as other:
            for _ in range(CLIENTS):
                assert other.execute("SELECT current_user").fetchone() != (DESK_ROLE,)


def test_pooler_transactions_have_their_settings(pooler: Pooler) -> None:
    """The service is not affected by settings that other clients leave, and leaves none."""
    ended = Event()

    def spoil() -> list[Any]:
        seen = []
        with psycopg.connect(pooler.url, autocommit=True, prepare_threshold=None) as other:
            while not ended.is_set():
                # In one transaction, because the next one may use another server connection.
                with suppress(psycopg.errors.QueryCanceled):
                    seen.append(other.execute("SELECT current_user").fetchone())
                with suppress(psycopg.errors.QueryCanceled):
                    other.execute(DIRT)
        return seen

    def read(_: int) -> None:
        with closing(Pool(pooler.url, size=1, timeout_seconds=5)) as pool:
            for _ in range(40):
                assert ask(pool, SEEN, SEEN) == [[EXPECTED], [EXPECTED]]

    with ThreadPoolExecutor(CLIENTS + 1) as threads:
        other = threads.submit(spoil)
        try:
            for future in [threads.submit(read, number) for number in range(CLIENTS)]:
                future.result()
        finally:
            ended.set()
        assert ("orgctx_reader",) not in other.result()


def test_pooler_keeps_the_isolation_of_a_call(pooler: Pooler) -> None:
    """Reads from a replica depend on it."""
    isolation = b"SELECT current_setting('transaction_isolation')"
    with closing(Pool(pooler.url, size=1, timeout_seconds=5)) as pool:
        for _ in range(4):
            assert ask(pool, isolation, SEEN) == [[("repeatable read",)], [EXPECTED]]


ODD_DEFAULTS = {
    "DateStyle": "German", "IntervalStyle": "sql_standard", "search_path": "nowhere",
    "extra_float_digits": "-10", "bytea_output": "escape", "array_nulls": "off",
}  # fmt: skip
VALUES = (
    b"SELECT '-1 days'::interval, 0.1::float + 0.2::float, '\\x00ff'::bytea, ARRAY['a', NULL],"
    b" '2026-07-09T12:34:56Z'::timestamptz::text"
)
READ = (timedelta(days=-1), 0.1 + 0.2, b"\x00\xff", ["a", None], "2026-07-09 12:34:56+00")
TERMINATE = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


def test_pooler_reads_values_unchanged(pooler: Pooler, tenants: Deployment) -> None:
    """The database has defaults that would change how values are written and read."""
    database = conninfo_to_dict(tenants.admin_url)["dbname"]
    try:
        for name, value in ODD_DEFAULTS.items():
            tenants.execute(f"ALTER DATABASE {database} SET {name} = '{value}'")
        tenants.execute(TERMINATE)
        with closing(Pool(pooler.url, size=1, timeout_seconds=5)) as pool:
            for _ in range(4):
                assert ask(pool, VALUES) == [[READ]]
    finally:
        tenants.execute(f"ALTER DATABASE {database} RESET ALL")
        tenants.execute(TERMINATE)


def test_pooler_keeps_time_limits(pooler: Pooler, tenants: Deployment) -> None:
    """The server cancels a statement at its limit, and soon after its client disconnects."""
    sleeping = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
    with (
        closing(Pool(pooler.url, size=1, timeout_seconds=0.3)) as pool,
        pytest.raises(psycopg.errors.QueryCanceled),
    ):
        ask(pool, b"SELECT pg_sleep(60)")
    with closing(Pool(pooler.url, size=1, timeout_seconds=100)) as pool:
        ask(pool, b"SELECT 1")
        connection = pool.connections.take(Deadline(30))
        with pytest.raises(RequestTimeout):
            connection.run([(b"SELECT pg_sleep(60)", ())], Deadline(0.5))
        connection.close()
    until(lambda: tenants.execute(sleeping) == [(0,)])


@pytest.fixture(scope="module")
def keys(tenants: Deployment) -> dict[str, str]:
    return {tenant.marker: tenants.issue_key(tenant.id, make.OWNER) for tenant in (AMBER, BASALT)}


REQUESTS = st.lists(
    st.tuples(st.sampled_from((AMBER.marker, BASALT.marker)), st.sampled_from([*crawl.reads()])),
    min_size=1,
    max_size=30,
)


@pytest.mark.hypothesis
def test_pooler_responses_equal_direct_ones(
    pooler: Pooler, tenants: Deployment, keys: dict[str, str]
) -> None:
    """Several clients send requests in any order, cached or not, and none sees another tenant."""
    with ExitStack() as stack:
        direct = stack.enter_context(tenants.app(log_level="ERROR"))
        through = stack.enter_context(tenants.app(log_level="ERROR", database_url=pooler.url,
                                                  database_read_url=pooler.url))  # fmt: skip
        threads = stack.enter_context(ThreadPoolExecutor(CLIENTS))
        right: dict[tuple[str, str], Any] = {}

        def answer(app: Any, marker: str, path: str) -> tuple[int, str | None, bytes]:
            response = crawl.rest(app.test_client(), keys[marker], path)
            body = response.data.replace(response.headers["X-Request-Id"].encode(), b"")
            return response.status_code, response.headers.get("ETag"), body

        for marker in keys:
            for path in crawl.reads():
                right[marker, path] = answer(direct, marker, path)
        assert {status for status, _, _ in right.values()} >= {200, 404}

        def check_answers(requests: list[tuple[str, str]]) -> None:
            answers = threads.map(lambda request: answer(through, *request), requests)
            assert [*answers] == [right[request] for request in requests]

        @examples(20)
        @given(REQUESTS)
        def check(requests: list[tuple[str, str]]) -> None:
            check_answers(requests)

        check()
        check_answers(list(right))
        assert through.extensions["orgctx"].pool.connections.is_shared


def test_pooler_reads_nothing_without_the_role(
    kind: tuple[str, int | None], deployment: Deployment
) -> None:
    deployment.load_acme()
    key = deployment.issue_key(make.ACME, make.OWNER)
    with (
        new_login(
            deployment, "ALTER ROLE {} NOINHERIT", "GRANT orgctx_reader TO {}",
            # A login with its own privileges must not read without the role either.
            "GRANT SELECT ON ALL TABLES IN SCHEMA public TO {}",
        ) as url,
        pooled(kind[0], url, prepared=kind[1]) as pooler,
    ):  # fmt: skip
        through = replace(deployment, database_url=pooler.url,
                          admin_database_url=deployment.database_url)  # fmt: skip
        with through.client(key, log_level="CRITICAL") as client:
            for _ in range(3):
                assert client.get("/api/v1/context").status_code == 200
            deployment.execute(f"REVOKE orgctx_reader FROM {conninfo_to_dict(url)['user']}")
            for _ in range(3):
                assert client.get("/api/v1/context").status_code == 503
            ready = client.get("/readyz")
            assert ready.status_code == 503
            assert "the reader's privileges are not current" in ready.json["checks"]["database"]
            service = client.application.extensions["orgctx"]
            with pytest.raises(NotMigrated):
                service.pool.query("stores/list_migrations", {}, Deadline(9))
        assert "cannot read as orgctx_reader" in through.cli("doctor").stdout


def test_service_recovers_with_its_pooler(
    pooler: Pooler, tenants: Deployment, keys: dict[str, str]
) -> None:
    """The service responds with 503 in time, and recovers without a restart."""
    path = f"{crawl.PREFIX}/context"
    through = replace(tenants, database_url=pooler.url, admin_database_url=tenants.database_url)
    with serve(through) as running:
        expected = running.get(path, keys[AMBER.marker]).body["data"]
        workers = running.workers()
        pooler.die()
        assert running.get(path, keys[AMBER.marker]).status == 503
        pooler.start()
        answers = [running.get(path, keys[AMBER.marker]) for _ in range(20)]
        assert {answer.status for answer in answers} == {200}
        assert all(answer.body["data"] == expected for answer in answers)
        assert running.workers() == workers
