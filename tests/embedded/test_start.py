"""The servers start repeatedly, with any data directory, and after an owner that died."""

import os
import signal
import tempfile
import time
from pathlib import Path
from stat import S_IMODE

import psycopg
import pytest
import redis

from orgctx.embedded import EmbeddedError, Servers, servers

from .conftest import StartOwner, await_end, processes


def are_ready(running: Servers) -> bool:
    with (
        psycopg.connect(running.database_url) as connection,
        redis.Redis.from_url(running.redis_url) as client,
    ):
        return connection.execute("SELECT 1").fetchone() == (1,) and bool(client.ping())


@pytest.mark.thorough
def test_servers_store_unicode_in_a_private_directory_and_stop(tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    with servers(data_dir, durable=False) as running:
        for name in ("", "run/sockets", "run/sockets/postgres", "postgres", "postgres/cluster"):
            assert S_IMODE((data_dir / name).stat().st_mode) == 0o700
        for log in data_dir.glob("*.log"):
            assert S_IMODE(log.stat().st_mode) == 0o600
        with psycopg.connect(running.database_url) as connection:
            row = connection.execute(
                "SELECT current_user, current_setting('server_encoding'),"
                " lower('ÄПРИВЕТ'), 'Приветы' ~* '^ПРИВЕТ',"
                " current_setting('fsync'), current_setting('listen_addresses')"
            ).fetchone()
        with redis.Redis.from_url(running.redis_url) as client:
            client.set("key", "value", ex=60)
            assert client.get("key") == b"value"
    assert row == ("orgctx", "UTF8", "äпривет", True, "off", "")
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(running.database_url)


@pytest.mark.thorough
def test_second_start_keeps_the_database(tmp_path: Path) -> None:
    with servers(tmp_path) as running, psycopg.connect(running.database_url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
        row = connection.execute("SELECT current_setting('fsync')").fetchone()
        assert row == ("on",)
    with servers(tmp_path) as running:
        with psycopg.connect(running.database_url) as connection:
            assert connection.execute("SELECT number FROM kept").fetchone() == (7,)
        with redis.Redis.from_url(running.redis_url) as client:
            assert client.dbsize() == 0


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["a ö%", "a,b", "/".join(["ö" * 100] * 8)])
def test_servers_accept_any_path(name: str) -> None:
    with tempfile.TemporaryDirectory() as base:
        for _ in range(2):
            with servers(Path(base, name), durable=False) as running:
                assert are_ready(running)
                used = Path(base, name, "run").resolve()
        assert not used.exists()


def test_start_ignores_a_stale_pid_file(used_dir: Path) -> None:
    pid_file = used_dir / "postgres" / "cluster" / "postmaster.pid"
    pid_file.write_text(f"{os.getppid()}\n{pid_file.parent}\n")
    with servers(used_dir, durable=False) as running:
        assert are_ready(running)


def test_start_rejects_an_unusable_data_directory(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(EmbeddedError, match="Choose another data directory"):
        servers(tmp_path / "file" / "data").__enter__()


@pytest.mark.thorough
def test_failed_start_names_and_quotes_the_log(used_dir: Path) -> None:
    configuration = used_dir / "postgres" / "cluster" / "postgresql.conf"
    before = configuration.read_text()
    configuration.write_text("no_such_setting = 1\n")
    with pytest.raises(EmbeddedError, match=r"See .*postgres\.log: .*FATAL.*errors") as raised:
        servers(used_dir).__enter__()
    configuration.write_text(before)
    assert "\n" not in str(raised.value)


# An owner that dies


@pytest.mark.thorough
def test_start_removes_the_temporary_directory_of_a_killed_owner(
    tmp_path: Path, start_owner: StartOwner
) -> None:
    owner = start_owner(tmp_path)
    pids = processes(owner.servers())
    directory = (tmp_path / "run").readlink()
    owner.process.kill()
    await_end(pids)
    assert directory.exists()
    with servers(tmp_path, durable=False):
        assert not directory.exists()


@pytest.mark.thorough
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_interrupted_first_start_leaves_no_cluster(
    tmp_path: Path, start_owner: StartOwner, number: signal.Signals
) -> None:
    owner = start_owner(tmp_path)
    cluster = tmp_path / "postgres" / "cluster"
    while not (cluster.with_name("cluster.new") / "base" / "1").exists():
        assert owner.process.poll() is None
        time.sleep(0.005)
    os.killpg(owner.process.pid, number)
    owner.process.wait()
    assert not cluster.exists()
    with servers(tmp_path, durable=False) as running:
        psycopg.connect(running.database_url).close()


@pytest.mark.thorough
def test_servers_reject_a_second_owner_in_another_process(
    used_dir: Path, start_owner: StartOwner
) -> None:
    owner = start_owner(used_dir)
    running = owner.servers()
    with pytest.raises(EmbeddedError, match=f"in use by process {owner.process.pid}"):
        servers(used_dir).__enter__()
    psycopg.connect(running.database_url).close()
