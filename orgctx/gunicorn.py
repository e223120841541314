"""gunicorn's settings: `orgctx serve`, or `gunicorn -c python:orgctx.gunicorn wsgi:app`.

Each public lowercase name here is one of gunicorn's. Connections are opened when first
used, so after the fork: nothing of them is shared.
"""

from __future__ import annotations

import gc
import os
import socket
import struct
from typing import Any
from urllib.parse import urlsplit

from orgctx.config import Config, ConfigError

DEFAULT_PORT = 8000
MOST_WORKERS = 9
# How long a client may pause within a request.
RECEIVE_SECONDS = 5
RAM = "/dev/shm"  # noqa: S108

try:
    _settings = Config.from_environment()
except ConfigError as error:
    raise SystemExit(
        "\n  ".join(["Error: the environment cannot be used:", *error.faults])
    ) from None

wsgi_app = "orgctx.app:create_app()"
bind = _settings.bind or f"127.0.0.1:{urlsplit(_settings.base_url).port or DEFAULT_PORT}"

# A half-sent request holds a thread until the time limit of `when_ready`: there are more
# threads than requests that run at once, which the connections to the database bound.
worker_class = "gthread"
threads = 32
if "WEB_CONCURRENCY" not in os.environ:
    workers = min(2 * (os.cpu_count() or 1) + 1, MOST_WORKERS)

# The longest query of the contract, percent-encoded, is beyond gunicorn's default of 4,094.
limit_request_line = 8190

# Longer than proxies keep their side open, so that none meets a connection just closed.
keepalive = 75
graceful_timeout = int(_settings.request_timeout_seconds) + 5

preload_app = True
if os.access(RAM, os.W_OK):
    worker_tmp_dir = RAM

# The service logs its own requests; the control socket would be shared by all of a user's.
accesslog = None
control_socket_disable = True


def when_ready(server: Any) -> None:
    """Before the first fork: what the listeners hand on to every connection, and what the
    collector is not to copy."""
    limit = struct.pack("ll", RECEIVE_SECONDS, 0)
    for listener in server.LISTENERS:
        listener.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, limit)
    gc.collect()
    gc.freeze()
