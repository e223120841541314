"""Write gunicorn's own log in the service's format, without the requests that gunicorn quotes."""

import logging
from typing import Any

from gunicorn.glogging import Logger

from orgctx.observability.logs import log_server
from orgctx.server.gunicorn_private import FAILED


class ServerLog(Logger):  # type: ignore[misc]
    """gunicorn's `logger_class`."""

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        self.error_log.handlers = [Lines()]


class Lines(logging.Handler):
    """Writes each record as a line of the service's log."""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        is_failure = str(record.msg).startswith(FAILED)
        log_server(record.levelno, FAILED if is_failure else record.getMessage(), error)
