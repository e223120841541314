"""gunicorn's gevent worker, but at its end it does not wait for clients that say nothing."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import gevent
from gunicorn.workers.ggevent import GeventWorker

# For what a client has perhaps begun to send.
LINGER_SECONDS = 2


class Worker(GeventWorker):  # type: ignore[misc]
    """gunicorn's `worker_class`."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._is_quitting = False
        self._silent: set[Any] = set()

    def handle(self, listener: Any, client: Any, address: Any) -> None:
        gevent.getcurrent().client = client
        super().handle(listener, client, address)

    @contextmanager
    def timeout_ctx(self) -> Iterator[None]:
        """Surrounds the wait for a client's next request."""
        client = gevent.getcurrent().client
        self._silent.add(client)
        try:
            with super().timeout_ctx():
                yield
        finally:
            self._silent.discard(client)

    def handle_quit(self, *signal: Any) -> None:
        """A terminal's Ctrl-C comes twice, from the terminal and from the master. The second
        would interrupt the end, with a traceback."""
        if not self._is_quitting:
            self._is_quitting = True
            super().handle_quit(*signal)

    def handle_exit(self, *signal: Any) -> None:
        super().handle_exit(*signal)
        gevent.spawn(self._hang_up)

    def _hang_up(self) -> None:
        while True:
            gevent.sleep(LINGER_SECONDS)
            for client in list(self._silent):
                with suppress(OSError):
                    # What has arrived can still be read, so no request is lost.
                    client.shutdown(socket.SHUT_RD)
