"""Processes that own servers and can be killed."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
import redis

from orgctx.embedded import Servers, servers
from tests.support.waiting import PATIENCE_SECONDS, until

ROOT = Path(__file__).parents[2]
SCRIPT = """
import json, pathlib, signal, sys
from dataclasses import asdict
from orgctx.embedded import servers
with servers(pathlib.Path(sys.argv[1]), durable=False) as running:
    print(json.dumps(asdict(running)), flush=True)
    signal.pause()
"""


@dataclass(frozen=True)
class Owner:
    process: subprocess.Popen[str]

    def servers(self) -> Servers:
        """Wait until the servers run."""
        assert self.process.stdout is not None
        return Servers(**json.loads(self.process.stdout.readline()))


StartOwner = Callable[..., Owner]


@pytest.fixture(scope="session")
def used_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with a stopped cluster, for tests that need no first start."""
    directory = tmp_path_factory.mktemp("used")
    with servers(directory, durable=False):
        return directory


@pytest.fixture
def start_owner() -> Iterator[StartOwner]:
    started: list[subprocess.Popen[str]] = []

    def start(data_dir: Path, python: str = sys.executable, path: str = "", **user: int) -> Owner:
        environment = {"PATH": os.defpath, "PYTHONPATH": path or os.pathsep.join(packages())}
        process = subprocess.Popen(
            [python, "-B", "-c", SCRIPT, str(data_dir)],
            stdout=subprocess.PIPE,
            text=True,
            cwd="/",
            env=environment,
            start_new_session=True,
            **user,  # type: ignore[call-overload]
        )
        started.append(process)
        return Owner(process)

    yield start
    for process in started:
        process.kill()
        process.communicate()


def packages() -> list[str]:
    return [str(ROOT), *(entry for entry in sys.path if entry.endswith("site-packages"))]


def processes(running: Servers) -> list[int]:
    """The process ids of both servers and of one of the database's own children."""
    with psycopg.connect(running.database_url) as connection:
        row = connection.execute(
            "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int, max(pid)"
            " FROM pg_stat_activity WHERE backend_type = 'checkpointer'"
        ).fetchone()
    assert row is not None
    with redis.Redis.from_url(running.redis_url) as client:
        return [*row, client.info("server")["process_id"]]


def await_end(pids: list[int], seconds: float = PATIENCE_SECONDS) -> None:
    until(lambda: not any(map(_is_alive, pids)), f"one of {pids} still runs", seconds=seconds)


def _is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
