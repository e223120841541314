"""gunicorn's settings, for `orgctx serve` and `gunicorn -c python:orgctx.gunicorn wsgi:app`.

Each public lowercase name is a setting of gunicorn. Connections are opened on first use, so after
the fork, and workers share none.
"""

# ruff: noqa: E402
from __future__ import annotations

import gc

from gevent import monkey

# Loaded modules stay in memory, so one garbage collection at the end of the start is enough.
gc.disable()
# Must run before anything creates a lock or socket, which would block a whole worker.
monkey.patch_all()

import logging
import os
import shutil
import sys
from typing import Any

from orgctx.config.settings import Config, ConfigError, default_workers
from orgctx.observability import logs, metrics_directory
from orgctx.observability.observers import OBSERVERS
from orgctx.server import connections, open_files, request_headers

RAM = "/dev/shm"  # noqa: S108

try:
    _settings = Config.from_environment()
except ConfigError as error:
    raise SystemExit("\n  ".join(["Error: invalid settings:", *error.errors])) from None

wsgi_app = "orgctx.app:create_app()"
bind = list(_settings.addresses)

if _settings.metrics_bind:
    bind.append(_settings.metrics_bind)
    # A reload keeps the metrics.
    if metrics_directory.VARIABLE not in os.environ:
        _shared = RAM if os.access(RAM, os.W_OK) else None
        os.environ[metrics_directory.VARIABLE] = metrics_directory.create(_shared)
    from orgctx.observability.metrics import Metrics

    OBSERVERS.append(Metrics())

if _settings.traces:
    from orgctx.observability.traces import Traces

    OBSERVERS.append(Traces())

# Each connection has a greenlet, so slow senders and readers do not block others. One worker per
# core, because only one greenlet of a worker runs at a time.
worker_class = "orgctx.server.worker.Worker"
if "WEB_CONCURRENCY" not in os.environ:
    workers = default_workers()

# orgctx.server.request_headers limits headers and orgctx.server.connections counts connections, so
# gunicorn's own limits must not be reached first.
limit_request_line = request_headers.MAX_LINE_BYTES
limit_request_fields = request_headers.MAX_FIELDS
limit_request_field_size = request_headers.MAX_FIELD_BYTES
_files = open_files.raise_limit(_settings)
worker_connections = open_files.clients(_settings, _files) + open_files.waiting(_files)

# A local client is not a trusted proxy, so its headers must not change the path or the scheme.
# orgctx.gate.client_address reads the headers of trusted proxies.
forwarded_allow_ips = ""
forwarder_headers = ""
secure_scheme_headers: dict[str, str] = {}

keepalive = connections.KEEPALIVE_SECONDS
graceful_timeout = int(_settings.request_timeout_seconds) + 5

preload_app = True
if os.access(RAM, os.W_OK):
    worker_tmp_dir = RAM

# gunicorn logs before it loads the service.
logs.configure(_settings.log_level, _settings.log_format)
if _warning := open_files.warning(_settings, _files):
    logs.log_server(logging.WARNING, _warning)
logger_class = "orgctx.server.gunicorn_log.ServerLog"
# The service logs its own requests. All services of a user would share the control socket.
accesslog = None
control_socket_disable = True


def when_ready(_: Any) -> None:
    """Freeze objects before the first fork, so that garbage collections do not copy their pages."""
    for observer in OBSERVERS:
        observer.begin_master()
    gc.collect()
    gc.freeze()
    gc.enable()


def post_fork(_: Any, __: Any) -> None:
    """Run in a new worker."""
    for observer in OBSERVERS:
        observer.begin_worker()


def worker_exit(_: Any, __: Any) -> None:
    """Run in a worker that ends, by SystemExit or by an exception."""
    failed = getattr(sys.exception(), "code", 1) not in (0, None)
    for observer in OBSERVERS:
        observer.end_worker(failed=failed)


def child_exit(server: Any, worker: Any) -> None:
    """Run in the master after a worker has ended."""
    for observer in OBSERVERS:
        observer.reap_worker(worker.pid, server.WORKERS.keys())


def on_exit(_: Any) -> None:
    """Run in the master when it stops."""
    if _settings.metrics_bind:
        shutil.rmtree(metrics_directory.current(), ignore_errors=True)
