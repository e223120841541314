"""The state in which the master forks its workers."""

import os
import subprocess
import sys

START = """
import gc
from orgctx import gunicorn
assert not gc.isenabled()
gunicorn.when_ready(None)
assert gc.isenabled()
assert gc.get_freeze_count() > len(gc.get_objects())
"""
WAITS = """
from orgctx.http.health import Recent
from orgctx.stores.tenant_queue import TenantQueue
from gevent import joinall, monkey, sleep, spawn
monkey.patch_all()
places, recent = TenantQueue(1), Recent()
places.acquire("one", 0)
spawn(places.release, "one")
assert places.acquire("another", 30)
values = [spawn(recent.get, lambda: sleep(0.01), 60) for _ in range(2)]
assert len(joinall(values, timeout=30)) == 2
"""
PLACES = {
    "ORGCTX_DATABASE_URL": "postgresql://nobody@127.0.0.1/none",
    "ORGCTX_REDIS_URL": "redis://127.0.0.1:1",
}


def test_when_ready_collects_garbage_and_freezes_objects() -> None:
    subprocess.run([sys.executable, "-c", START], env={**os.environ, **PLACES}, check=True)


def test_modules_that_were_imported_first_let_greenlets_wait() -> None:
    """The demo imports them for its commands, before it serves."""
    subprocess.run([sys.executable, "-c", WAITS], check=True, timeout=60)
