"""gunicorn's settings for `orgctx desk`. Each public lowercase name is a setting of gunicorn."""

from __future__ import annotations

import os

from orgctx.config.settings import Config, ConfigError
from orgctx.desk.settings import check
from orgctx.observability import logs

RAM = "/dev/shm"  # noqa: S108

try:
    _settings = Config.from_environment()
    check(_settings)
except ConfigError as error:
    raise SystemExit("\n  ".join(["Error: invalid settings:", *error.errors])) from None

wsgi_app = "orgctx.desk.app:create_desk()"
bind = list(_settings.desk_addresses)
# A few people use it. A slow client keeps a thread, so a proxy must wait for request headers.
worker_class = "gthread"
workers, threads = 1, 16
keepalive = 5
# A rehearsal in progress may take this long.
graceful_timeout = 30
# The image can write nothing else.
if os.access(RAM, os.W_OK):
    worker_tmp_dir = RAM
# A local client is not a trusted proxy, so its headers must not change the path or the scheme.
forwarded_allow_ips = ""
forwarder_headers = ""
secure_scheme_headers: dict[str, str] = {}
# The desk logs its own requests. All services of a user would share the control socket.
accesslog = None
control_socket_disable = True
logger_class = "orgctx.server.gunicorn_log.ServerLog"
logs.configure(_settings.log_level, _settings.log_format)
