"""The settings of gunicorn that the service and the desk share.

Each public lowercase name is a setting of gunicorn. Connections are opened on first use, so after
the fork, and workers share none. Import this module before any other: it patches the standard
library.
"""

# ruff: noqa: E402
from gevent import monkey

# Must run before anything creates a lock or socket, which would block a whole worker.
monkey.patch_all()

import logging
from contextlib import suppress
from tempfile import TemporaryFile, gettempdir

from orgctx.config.settings import Config, ConfigError
from orgctx.observability import logs
from orgctx.server import connections, open_files, request_headers

RAM = "/dev/shm"  # noqa: S108

try:
    CONFIG = Config.from_environment()
except ConfigError as error:
    raise SystemExit("\n  ".join(["Error: invalid settings:", *error.errors])) from None

# Each connection has a greenlet, so slow senders and readers do not block others.
worker_class = "orgctx.server.worker.Worker"

# orgctx.server.request_headers limits headers and orgctx.server.connections counts connections, so
# gunicorn's own limits must not be reached first.
limit_request_line = request_headers.MAX_LINE_BYTES
limit_request_fields = request_headers.MAX_FIELDS
limit_request_field_size = request_headers.MAX_FIELD_BYTES
_files = open_files.raise_limit()
worker_connections = open_files.clients(_files) + open_files.waiting(_files)

# gunicorn would choose gunicorn_h1c where it is installed, whose version 0.6.10 answers an unknown
# transfer coding and too many headers with another status. All tests are run with this one.
http_parser = "python"

# A local client is not a trusted proxy, so its headers must not change the path or the scheme.
# orgctx.gate.client_address reads the headers of trusted proxies.
forwarded_allow_ips = ""
forwarder_headers = ""
secure_scheme_headers: dict[str, str] = {}

keepalive = connections.KEEPALIVE_SECONDS


def _writable() -> str:
    """Return shared memory, or the directory of temporary files if that is not writable."""
    for directory in (RAM, None):
        with suppress(OSError), TemporaryFile(dir=directory, buffering=0) as file:
            file.write(b"0")
            return directory or gettempdir()
    raise SystemExit(
        f"Error: neither {RAM} nor the directory of temporary files is writable. Mount a tmpfs at "
        f"{RAM}, or set TMPDIR to a directory with free space."
    )


# The image can write nothing else.
worker_tmp_dir = _writable()

# gunicorn logs before it loads the application.
logs.configure(CONFIG.log_level, CONFIG.log_format)
if _warning := open_files.warning(_files):
    logs.log_server(logging.WARNING, _warning)
logger_class = "orgctx.server.gunicorn_log.ServerLog"
# The applications log their own requests. All services of a user would share the control socket.
accesslog = None
control_socket_disable = True
