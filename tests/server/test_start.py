"""The state in which the master forks its workers, without settings."""

import os
import subprocess
import sys

import pytest

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
