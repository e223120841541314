"""gunicorn's settings: `orgctx serve`, or `gunicorn -c python:orgctx.gunicorn wsgi:app`.

Each public lowercase name here is one of gunicorn's. Connections are opened when first
used, so after the fork: nothing of them is shared.
"""

# ruff: noqa: E402
from __future__ import annotations

from gevent import monkey

# Before anything makes a lock or a socket that would stop all of a worker's requests.
monkey.patch_all()

import gc
import os
import shutil
import tempfile
from typing import Any

from orgctx.config import Config, ConfigError, default_workers
from orgctx.server import connections, heads, log, metrics
from orgctx.server.open_files import raise_open_files

RAM = "/dev/shm"  # noqa: S108

try:
    _settings = Config.from_environment()
except ConfigError as error:
    raise SystemExit(
        "\n  ".join(["Error: the environment cannot be used:", *error.faults])
    ) from None

wsgi_app = "orgctx.app:create_app()"
bind = list(_settings.addresses)

if _settings.metrics_bind:
    bind.append(_settings.metrics_bind)
    # Where workers count together; prometheus_client looks at it when it is imported. A reload
    # keeps what was counted.
    if metrics.DIRECTORY not in os.environ:
        _shared = RAM if os.access(RAM, os.W_OK) else None
        os.environ[metrics.DIRECTORY] = tempfile.mkdtemp(prefix="orgctx-metrics-", dir=_shared)
    metrics.switch_on()

# A greenlet for each connection: who sends half a request, or leaves an answer where it is,
# keeps nobody waiting. One worker for each core, since only one of its greenlets runs at once.
worker_class = "orgctx.server.worker.Worker"
if "WEB_CONCURRENCY" not in os.environ:
    workers = default_workers()

# orgctx.server.heads bounds the whole head, its connections are counted in
# orgctx.server.connections; these let none be refused before they see it.
limit_request_line = heads.MAX_LINE_BYTES
limit_request_fields = heads.MAX_FIELDS
limit_request_field_size = heads.MAX_FIELD_BYTES
worker_connections = connections.MOST + 512
raise_open_files(worker_connections + 512)

# Whoever connects from this machine is no proxy for that: its headers move no route and
# choose no scheme. What a trusted proxy says of its clients is read in orgctx.http.addresses.
forwarded_allow_ips = ""
forwarder_headers = ""
secure_scheme_headers: dict[str, str] = {}

keepalive = connections.KEEPALIVE_SECONDS
graceful_timeout = int(_settings.request_timeout_seconds) + 5

preload_app = True
if os.access(RAM, os.W_OK):
    worker_tmp_dir = RAM

# Before the service is loaded, gunicorn has something to say.
log.configure(_settings.log_level, _settings.log_format)
logger_class = "orgctx.server.gunicorn_log.ServerLog"
# The service logs its own requests; the control socket would be shared by all of a user's.
accesslog = None
control_socket_disable = True


def when_ready(_: Any) -> None:
    """Before the first fork: what the collector is not to copy."""
    gc.collect()
    gc.freeze()


def post_fork(_: Any, __: Any) -> None:
    """In a new worker."""
    metrics.count_worker()


def child_exit(_: Any, worker: Any) -> None:
    """In the master, once a worker has ended."""
    metrics.forget_worker(worker.pid)


def on_exit(_: Any) -> None:
    """In the master, at the end."""
    if _settings.metrics_bind:
        shutil.rmtree(os.environ[metrics.DIRECTORY], ignore_errors=True)
