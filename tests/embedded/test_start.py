"""The servers start, again and again, wherever the data directory lies."""

import os
import tempfile
import time
from pathlib import Path

import psycopg
import pytest
import redis

from orgctx.embedded import EmbeddedError, Servers, servers


def answers(running: Servers) -> bool:
    with (
        psycopg.connect(running.database_url) as connection,
        redis.Redis.from_url(running.redis_url) as client,
    ):
        return connection.execute("SELECT 1").fetchone() == (1,) and bool(client.ping())


def test_round_trip(tmp_path: Path) -> None:
    with servers(tmp_path / "data", durable=False) as running:
        with psycopg.connect(running.database_url) as connection:
            row = connection.execute(
                "SELECT current_database(), current_user, current_setting('server_encoding'),"
                " lower('ÄПРИВЕТ'), 'Приветы' ~* '^ПРИВЕТ',"
                " current_setting('fsync'), current_setting('listen_addresses')"
            ).fetchone()
        with redis.Redis.from_url(running.redis_url) as client:
            client.set("key", "value", ex=60)
            assert client.get("key") == b"value"
    assert row == ("orgctx", "orgctx", "UTF8", "äпривет", True, "off", "")
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(running.database_url)


def test_second_start_keeps_data_and_is_quick(tmp_path: Path) -> None:
    with servers(tmp_path) as running, psycopg.connect(running.database_url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
        row = connection.execute("SELECT current_setting('fsync')").fetchone()
        assert row == ("on",)
    began = time.monotonic()
    with servers(tmp_path) as running:
        assert time.monotonic() - began < 20
        with psycopg.connect(running.database_url) as connection:
            assert connection.execute("SELECT number FROM kept").fetchone() == (7,)
        with redis.Redis.from_url(running.redis_url) as client:
            assert client.dbsize() == 0


@pytest.mark.parametrize("name", ["a ö%", "a,b", "/".join(["ö" * 100] * 8)])
def test_any_path(name: str) -> None:
    with tempfile.TemporaryDirectory() as base:
        sockets = Path(base, name, "sockets")
        for _ in range(2):
            with servers(Path(base, name), durable=False) as running:
                assert answers(running)
                assert sockets.is_symlink() == (name != "a ö%")
                used = sockets.resolve()
        assert not used.exists()


def test_stops_on_an_exception(used_dir: Path) -> None:
    with pytest.raises(KeyboardInterrupt), servers(used_dir, durable=False) as running:
        raise KeyboardInterrupt
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(running.database_url)


def test_second_owner_is_refused(used_dir: Path) -> None:
    with servers(used_dir, durable=False) as running:
        with (
            pytest.raises(EmbeddedError, match=rf"in use by process {os.getpid()}: stop it"),
            servers(used_dir, durable=False),
        ):
            pytest.fail("two owners")
        assert answers(running)


def test_stale_pid_file_of_a_living_process(used_dir: Path) -> None:
    pid_file = used_dir / "postgres" / "cluster" / "postmaster.pid"
    pid_file.write_text(f"{os.getppid()}\n{pid_file.parent}\n")
    with servers(used_dir, durable=False) as running:
        assert answers(running)


def test_cluster_of_another_version(tmp_path: Path) -> None:
    cluster = tmp_path / "postgres" / "cluster"
    cluster.mkdir(parents=True)
    (cluster / "PG_VERSION").write_text("15\n")
    with pytest.raises(EmbeddedError, match=r"made by PostgreSQL 15, but this is \d+: move it"):
        servers(tmp_path).__enter__()


def test_failure_names_and_quotes_the_log(used_dir: Path) -> None:
    configuration = used_dir / "postgres" / "cluster" / "postgresql.conf"
    before = configuration.read_text()
    configuration.write_text("no_such_setting = 1\n")
    with pytest.raises(EmbeddedError, match=r"postgres\.log ends with: .*FATAL.*errors") as raised:
        servers(used_dir).__enter__()
    configuration.write_text(before)
    assert "\n" not in str(raised.value)


def test_data_directory_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(EmbeddedError, match="choose another data directory"):
        servers(tmp_path / "file" / "data").__enter__()
