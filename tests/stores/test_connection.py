"""Connections run several statements in one round trip and prepare them by their text."""

import socket
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any
from uuid import UUID

import psycopg
import pytest

from orgctx.config.urls import hosts
from orgctx.errors import RequestTimeout, SearchTimeout, ServiceUnavailable
from orgctx.stores import call_queue, db
from orgctx.stores.connection import Connection, ConnectionSilent
from orgctx.stores.connections import ASK_COORDINATOR, ASK_SHARD, CONFIGURE, LIMIT_SEARCH
from orgctx.stores.db import Rows
from orgctx.stores.deadline import Deadline
from orgctx.stores.pool import Pool
from orgctx.stores.redis_client import RedisClient, connect
from tests.support.deployment import Deployment
from tests.support.waiting import until

VALUES: tuple[tuple[Any, str], ...] = (
    (b"\x00\xff'\\", "bytea"),
    ('it\'s \\ "so" %(x)s é日🚢', "text"),
    (2**31, "bigint"),
    (-1, "integer"),
    (True, "boolean"),
    (None, "text"),
    (UUID(int=7), "uuid"),
    (datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=UTC), "timestamptz"),
    (["a,b", 'c"d', "{e}", "\\", "NULL", ""], "text[]"),
    ([], "text[]"),
    ({"a": [1, None, "b"]}, "jsonb"),
)


@pytest.fixture(scope="module")
def database_url(module_deployment: Deployment) -> str:
    """No test leaves anything in the database."""
    return module_deployment.admin_url


@pytest.fixture
def sql_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A directory for statements that contains those of the pool."""
    for name in (CONFIGURE, LIMIT_SEARCH, ASK_SHARD, ASK_COORDINATOR):
        path = tmp_path / f"{name}.sql"
        path.parent.mkdir(exist_ok=True)
        path.write_text(db.sql(name))
    monkeypatch.setattr(db, "sql_directory", lambda: tmp_path)
    db.statements.cache_clear()
    yield tmp_path
    db.statements.cache_clear()


@pytest.fixture
def pool(database_url: str, sql_files: Path) -> Iterator[Pool]:
    with closing(Pool(database_url, size=2, timeout_seconds=10)) as pool:
        yield pool


def write(folder: Path, **statements: str) -> None:
    for name, text in statements.items():
        (folder / f"{name}.sql").write_text(text)
    db.statements.cache_clear()


def ask(pool: Pool, *names: str, seconds: float = 10, **parameters: Any) -> list[list[Any]]:
    results = pool.query_all([(name, parameters) for name in names], Deadline(seconds))
    return [rows.rows for rows in results]


@pytest.mark.parametrize(("value", "type_"), VALUES)
def test_connection_returns_values_unchanged(
    pool: Pool, sql_files: Path, value: Any, type_: str
) -> None:
    write(sql_files, echo=f"SELECT %(value)s::{type_}")
    sent = psycopg.types.json.Jsonb(value) if type_ == "jsonb" else value
    assert ask(pool, "echo", value=sent) == [[(value,)]]


def test_pool_returns_one_result_per_statement(pool: Pool, sql_files: Path) -> None:
    write(sql_files, one="SELECT 1 AS a WHERE %(n)s::int > 0", none="SELECT 1 WHERE false",
          many="SELECT g, repeat('x', 9000) FROM generate_series(1, %(n)s::int) AS g")  # fmt: skip
    for _ in range(2):
        first, none, many, again = ask(pool, "one", "none", "many", "one", n=50)
        assert (first, none, again) == ([(1,)], [], [(1,)])
        assert [row[0] for row in many] == [*range(1, 51)]
    assert len(pool.connections.idle) == 1


class Taken(deque[Any]):
    """Idle connections of which another thread takes the last one after each check."""

    def __len__(self) -> int:
        return 1


def test_connection_is_opened_if_another_thread_takes_the_idle_one(
    pool: Pool, sql_files: Path, redis_url: str
) -> None:
    write(sql_files, one="SELECT 1")
    pool.connections.idle = Taken()
    assert ask(pool, "one") == [[(1,)]]
    with closing(RedisClient(redis_url, timeout_seconds=10)) as client:
        client._idle = Taken()
        assert client.execute(Deadline(10), "PING") == b"PONG"


def test_pool_handles_long_parameters_and_results(pool: Pool, sql_files: Path) -> None:
    """Neither fits into the buffer of a socket."""
    write(sql_files, echo="SELECT %(text)s::text")
    text = "é" * 4_000_000
    assert ask(pool, "echo", "echo", text=text) == [[(text,)], [(text,)]]


def test_error_skips_later_statements(pool: Pool, sql_files: Path) -> None:
    write(sql_files, good="SELECT 1", bad="SELECT 1 / %(zero)s::int")
    with pytest.raises(psycopg.errors.DivisionByZero):
        ask(pool, "good", "bad", "good", zero=0)
    assert not pool.connections.idle
    assert ask(pool, "good", "good") == [[(1,)], [(1,)]]


@pytest.mark.parametrize("place", [0, 1])
def test_pool_prepares_again_after_a_type_change(
    pool: Pool, sql_files: Path, database_url: str, place: int
) -> None:
    """The server reports 0A000 if the type of a planned result has changed."""
    names = ["other", "other"]
    names[place] = "all"
    write(sql_files, all="SELECT * FROM changing", other="SELECT 2")
    with psycopg.connect(database_url, autocommit=True) as admin:
        admin.execute("CREATE TABLE changing AS SELECT 1::int AS a")
        admin.execute("GRANT SELECT ON changing TO orgctx_reader")
        assert ask(pool, *names)[place] == [(1,)]
        admin.execute("ALTER TABLE changing ALTER a TYPE text")
        assert ask(pool, *names)[place] == [("1",)]
        admin.execute("DROP TABLE changing")


def test_pool_prepares_again_what_the_server_has_dropped(pool: Pool, sql_files: Path) -> None:
    """A pooler may give a client another connection to the server."""
    write(sql_files, one="SELECT 1", forget="SELECT 1")
    assert ask(pool, "one") == [[(1,)]]
    (connection,) = pool.connections.idle
    connection.run([(b"DEALLOCATE ALL", ())], Deadline(10))
    assert ask(pool, "one") == [[(1,)]]
    assert connection not in pool.connections.idle


def test_statements_are_prepared_by_their_text(pool: Pool, sql_files: Path) -> None:
    write(sql_files, one="SELECT 1", same="SELECT 1")
    assert ask(pool, "one", "same") == [[(1,)], [(1,)]]
    write(sql_files, one="SELECT 2")
    assert ask(pool, "one", "same") == [[(2,)], [(1,)]]


def waiting(admin: psycopg.Connection[Any], event: str) -> int:
    """The number of statements that wait on the server for an event, such as "advisory"."""
    row = admin.execute(
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE datname = current_database() AND wait_event = %s",
        [event],
    ).fetchone()
    assert row
    return int(row[0])


def test_deadline_ends_a_statement(sql_files: Path, database_url: str) -> None:
    """The service cancels the statement long before the server would."""
    write(sql_files, sleep="SELECT pg_sleep(100)::text", one="SELECT 1")
    began = monotonic()
    with (
        closing(Pool(database_url, size=1, timeout_seconds=100)) as pool,
        psycopg.connect(database_url, autocommit=True) as admin,
    ):
        with pytest.raises(RequestTimeout):
            ask(pool, "one", "sleep", seconds=0.3)
        until(lambda: waiting(admin, "PgSleep") == 0)
        assert monotonic() - began < 90
        assert ask(pool, "one") == [[(1,)]]


@pytest.mark.thorough
@pytest.mark.parametrize("parameter", ["q", "page_offset"])
@pytest.mark.parametrize("hostile_count", [4, 1, 2, 8])
def test_pool_serves_others_while_any_number_of_organizations_send_slow_calls(
    sql_files: Path,
    database_url: str,
    monkeypatch: pytest.MonkeyPatch,
    hostile_count: int,
    parameter: str,
) -> None:
    """Slow calls hold at most a quarter of the connections, whether they search or not."""
    monkeypatch.setattr(call_queue, "REMEMBERED_CALL_SECONDS", 60)
    write(
        sql_files,
        slow=f"SELECT pg_sleep(0.3)::text, pg_advisory_xact_lock_shared(%({parameter})s::bigint)",
        quick=f"SELECT %({parameter})s::text",
        one="SELECT 1",
    )
    hostile, quiet = [UUID(int=number) for number in range(1, hostile_count + 1)], UUID(int=100)

    with (
        closing(Pool(database_url, size=4, timeout_seconds=100)) as pool,
        ThreadPoolExecutor(4 * hostile_count) as threads,
        psycopg.connect(database_url, autocommit=True) as admin,
    ):

        def ask_slowly(tenant: UUID, lock: int) -> Rows:
            return pool.query("slow", {parameter: lock}, Deadline(60), tenant)

        admin.execute("SELECT pg_advisory_lock(1)")
        for slow in 2 * hostile:
            ask_slowly(slow, 2)
        calls = [threads.submit(ask_slowly, slow, 1) for slow in 4 * hostile]
        until(lambda: waiting(admin, "advisory") == 1)
        for tenant in (quiet, None) * 20:
            assert pool.query("one", {}, Deadline(10), tenant).rows == [(1,)]
            assert pool.query("quick", {parameter: 3}, Deadline(10), quiet).rows == [("3",)]
        # Calls of other statements are not slow.
        assert pool.query("one", {}, Deadline(10), hostile[0]).rows == [(1,)]
        assert waiting(admin, "advisory") == 1
        assert not any(future.done() for future in calls)
        admin.execute("SELECT pg_advisory_unlock(1)")
        served = [future.result() for future in calls]
    assert len(served) == 4 * hostile_count


@pytest.mark.thorough
def test_search_has_a_time_limit_of_its_own(sql_files: Path, database_url: str) -> None:
    write(
        sql_files,
        search="SELECT pg_sleep(%(q)s::float8)::text",
        limit="SELECT current_setting('statement_timeout')",
        sleep="SELECT pg_sleep(1)::text",
    )
    with closing(Pool(database_url, size=1, timeout_seconds=10, search_seconds=0.5)) as pool:
        for names in (["search"], ["limit", "search"], ["search"] * 2):
            with pytest.raises(SearchTimeout):
                ask(pool, *names, q=1 / len(names) + 0.2)
        assert ask(pool, "search", "limit", q=0)[1] == [("500ms",)]
        assert ask(pool, "sleep", "limit")[1] == [("10s",)]


@pytest.mark.thorough
@pytest.mark.parametrize(("timeout_seconds", "kept_count"), [(40, 1), (1, 0)])
def test_short_wait_keeps_the_other_connections(
    sql_files: Path, database_url: str, timeout_seconds: int, kept_count: int
) -> None:
    """A timeout of a request that first waited in a queue blames no other connection."""
    write(sql_files, sleep="SELECT pg_sleep(%(nap)s::float)::text")
    with closing(Pool(database_url, size=4, timeout_seconds=timeout_seconds)) as pool:
        others = [pool.connections.take(Deadline(30)) for _ in range(2)]
        pool.connections.idle.extend(others)
        with pytest.raises(RequestTimeout):
            pool.query("sleep", {"nap": 30}, Deadline(0.6))
        assert len(pool.connections.idle) == kept_count


def test_closed_connection_raises_operational_error(database_url: str) -> None:
    connection = Connection.open(database_url, Deadline(10))
    connection.close()
    with pytest.raises(psycopg.OperationalError):
        connection.run([(b"SELECT 1", ())], Deadline(10))


@pytest.fixture
def answered(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """The name server hangs until this is set, then it knows no name."""
    answered, gave_up = Event(), Event()

    def hang(*_: Any, **__: Any) -> None:
        if not answered.wait(30):
            gave_up.set()
        raise OSError("no answer")

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    yield answered
    answered.set()
    assert not gave_up.is_set(), "a call waited for the name server beyond its deadline"


def test_name_server_that_hangs_does_not_outlast_the_deadline(answered: Event) -> None:
    with pytest.raises(ConnectionSilent):
        Connection.open("postgresql://db.example/orgctx", Deadline(0.1))
    answered.set()
    with pytest.raises(psycopg.OperationalError, match="failed to resolve host"):
        Connection.open("postgresql://db.example/orgctx", Deadline(30))


@pytest.mark.parametrize(
    "url",
    [
        "redis://cache.example",
        "rediss://cache.example",
        "redis+cluster://cache.example:6379,other.example:6379",
    ],
)
def test_redis_whose_name_server_hangs_does_not_outlast_the_deadline(
    answered: Event, url: str
) -> None:
    client = connect(url, timeout_seconds=30)
    with pytest.raises(RequestTimeout):
        client.execute(Deadline(0.1), "PING")
    answered.set()
    with pytest.raises(ServiceUnavailable):
        client.execute(Deadline(30), "PING")
    client.close()


def test_connection_texts_are_read_back_unchanged(database_url: str) -> None:
    """A shard receives the same values as a statement."""
    values = [value for value, _ in VALUES if not isinstance(value, dict)]
    types = [name for value, name in VALUES if not isinstance(value, dict)]
    selected = ", ".join(f"${number}::{name}" for number, name in enumerate(types, 1))
    with closing(Connection.open(database_url, Deadline(10))) as connection:
        texts = connection.texts(values)
        (result,) = connection.run([(f"SELECT {selected}".encode(), texts)], Deadline(10))
        assert connection.rows(result) == [tuple(values)]


@pytest.mark.thorough
def test_psycopg_private_name_splits_hosts() -> None:
    """If this fails with a new version of psycopg, see orgctx/config/urls.py."""
    urls = {
        "postgresql://a@127.0.0.1:1,127.0.0.2:2/d": [("127.0.0.1", "1"), ("127.0.0.2", "2")],
        "host=/run/a port=5 dbname=d": [("/run/a", "5")],
        "postgresql://127.0.0.1:7/d?connect_timeout=3": [("127.0.0.1", "7")],
    }
    for url, expected in urls.items():
        rows = [psycopg.conninfo.conninfo_to_dict(dsn.decode()) for dsn in hosts(url)]
        assert [(row["host"], str(row["port"])) for row in rows] == expected
    assert "127.0.0.1" in hosts("postgresql://localhost/d")[-1].decode()
    with pytest.raises(psycopg.OperationalError):
        hosts("postgresql://no.such.host.invalid/d")
