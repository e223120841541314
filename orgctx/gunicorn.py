"""gunicorn's settings, for `orgctx serve` and `gunicorn -c python:orgctx.gunicorn wsgi:app`.

Each public lowercase name is a setting of gunicorn.
"""

# ruff: noqa: E402, F403
import gc

# Loaded modules stay in memory, so one garbage collection at the end of the start is enough.
gc.disable()

from orgctx.gunicorn_defaults import *

# isort: split

import os
import shutil
from tempfile import mkdtemp
from typing import Any

from orgctx.config.settings import default_workers
from orgctx.gunicorn_defaults import CONFIG, worker_tmp_dir
from orgctx.observability.observers import OBSERVERS

wsgi_app = "orgctx.app:create_app()"
bind = list(CONFIG.addresses)

if CONFIG.metrics_bind:
    bind.append(CONFIG.metrics_bind)
    # A reload keeps the metrics. prometheus_client reads the name when a metric is created.
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        directory = mkdtemp(prefix="orgctx-metrics-", dir=worker_tmp_dir)
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = directory
    from orgctx.observability import metrics

    OBSERVERS.append(metrics.Metrics())

# One worker per core, because only one greenlet of a worker runs at a time.
if "WEB_CONCURRENCY" not in os.environ:
    workers = default_workers()

graceful_timeout = int(CONFIG.request_timeout_seconds) + 5
# A worker that computes for longer is killed.
timeout = int(CONFIG.request_timeout_seconds) + 20
preload_app = True


def when_ready(_: Any) -> None:
    """Freeze objects before the first fork, so that garbage collections do not copy their pages."""
    gc.collect()
    gc.freeze()
    gc.enable()


def on_exit(_: Any) -> None:
    """Run in the master when it stops."""
    if CONFIG.metrics_bind:
        shutil.rmtree(os.environ["PROMETHEUS_MULTIPROC_DIR"], ignore_errors=True)
