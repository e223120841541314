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
from typing import Any

from orgctx.config import Config, ConfigError
from orgctx.server import log

MOST_WORKERS = 9
# How long a client may take to receive an answer.
SEND_SECONDS = 60
RAM = "/dev/shm"  # noqa: S108

try:
    _settings = Config.from_environment()
except ConfigError as error:
    raise SystemExit(
        "\n  ".join(["Error: the environment cannot be used:", *error.faults])
    ) from None

wsgi_app = "orgctx.app:create_app()"
bind = list(_settings.addresses)

# A greenlet for each connection: who sends half a request, or leaves an answer where it is,
# keeps nobody waiting. One worker for each core, since only one of its greenlets runs at once.
worker_class = "orgctx.server.worker.Worker"
if "WEB_CONCURRENCY" not in os.environ:
    workers = max(2, min(os.cpu_count() or 1, MOST_WORKERS))

# The longest query of the contract, percent-encoded, is beyond gunicorn's default of 4,094.
limit_request_line = 8190

# Whoever connects from this machine is no proxy for that: its headers move no route and
# choose no scheme. What a trusted proxy says of its clients is read in orgctx.http.addresses.
forwarded_allow_ips = ""
forwarder_headers = ""
secure_scheme_headers: dict[str, str] = {}

# Longer than proxies keep their side open, so that none meets a connection just closed.
keepalive = 75
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


def pre_request(_: Any, request: Any) -> None:
    """Bound how long the answer may wait for its client."""
    request.unreader.sock.settimeout(SEND_SECONDS)


def post_request(_: Any, request: Any, *__: Any) -> None:
    """Between requests `keepalive` is what bounds."""
    request.unreader.sock.settimeout(None)
