"""The number of workers, and the state in which the master forks them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from orgctx.config.settings import MAX_WORKERS, default_workers
from orgctx.stores import db
from tests.support import crawl
from tests.support import factories as make
from tests.support.deployment import Deployment

GROUP = Path("/proc/self/cgroup").read_text().rpartition("::/")[2].strip()
START = """
import gc
import os
from orgctx import gunicorn
# Metrics are off by default.
assert "PROMETHEUS_MULTIPROC_DIR" not in os.environ
assert not gc.isenabled()
gunicorn.when_ready(None)
assert gc.isenabled()
assert gc.get_freeze_count() > len(gc.get_objects())
"""
PLACES = {
    "ORGCTX_DATABASE_URL": "postgresql://nobody@127.0.0.1/none",
    "ORGCTX_REDIS_URL": "redis://127.0.0.1:1",
}


@pytest.mark.thorough
def test_when_ready_collects_garbage_and_freezes_objects() -> None:
    subprocess.run([sys.executable, "-c", START], env={**os.environ, **PLACES}, check=True)


@pytest.mark.parametrize(
    ("quota", "cores", "workers"),
    [
        ("max 100000", 64, MAX_WORKERS),
        ("max 100000", 1, 2),
        ("150000 100000", 64, 2),
        ("250000 100000", 64, 3),
        ("400000 100000", 64, 4),
    ],
)
def test_workers_follow_the_cores_and_the_quota_of_the_cgroup(
    quota: str, cores: int, workers: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(cores))
    folder = tmp_path / GROUP
    folder.mkdir(parents=True, exist_ok=True)
    folder.joinpath("cpu.max").write_text(f"{quota}\n")
    assert default_workers(tmp_path) == workers


@pytest.mark.thorough
def test_server_keeps_its_statements_while_another_release_is_installed(
    own_acme: Deployment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = own_acme.issue_key(make.ACME, make.OWNER)
    for kept in (db.statements, db.migrations, db.grants, db.granted):
        kept.cache_clear()
    (tmp_path / "schema").mkdir()
    (tmp_path / "schema/999_newer.sql").write_text("SELECT")
    with own_acme.app() as app:
        monkeypatch.setattr(db, "sql_directory", lambda: tmp_path)
        client = app.test_client()
        assert client.get("/readyz").status_code == 200
        for path in crawl.reads():
            answer = crawl.rest(client, key, path)
            assert answer.status_code in {200, 400, 404}, path
