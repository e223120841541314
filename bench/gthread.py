"""gunicorn's threaded worker with the shipped settings that do not concern greenlets."""

from __future__ import annotations

import os

worker_class = "gthread"
workers = 2 * (os.cpu_count() or 1) + 1
wsgi_app = "orgctx.app:create_app()"
keepalive = 75
preload_app = True
worker_tmp_dir = "/dev/shm"
control_socket_disable = True
