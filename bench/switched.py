"""gunicorn's settings with metrics that signals to a worker switch off (SIGUSR1) and on (SIGUSR2).

Off is what a server without ORGCTX_METRICS_BIND does.
"""

from __future__ import annotations

import signal
from typing import Any

from orgctx.gunicorn import *  # noqa: F403
from orgctx.observability.observers import OBSERVERS

_METRICS = [*OBSERVERS]


def post_worker_init(worker: Any) -> None:
    """Run in a worker after gunicorn has set its signal handlers."""
    flask = worker.app.wsgi()
    at_its_address = flask.wsgi_app

    def switch(number: int, _: Any) -> None:
        is_on = number == signal.SIGUSR2
        OBSERVERS[:] = _METRICS if is_on else []
        flask.wsgi_app = at_its_address if is_on else at_its_address._application

    signal.signal(signal.SIGUSR1, switch)
    signal.signal(signal.SIGUSR2, switch)
