"""gunicorn's gevent worker with limits on request headers, connections and unsent bytes."""

import logging
from collections.abc import Iterable
from contextlib import suppress
from time import monotonic
from typing import Any

import gevent

from orgctx.config.settings import Config
from orgctx.errors import ApiError, InternalError
from orgctx.http.body import ends_connection
from orgctx.observability import logs
from orgctx.server import gunicorn_private as private
from orgctx.server import open_files
from orgctx.server.connections import Connections
from orgctx.server.error_responses import (
    NoFreeConnection,
    TooManyConnections,
    api_error,
    error_response,
)
from orgctx.server.request_headers import HeadReader, check_codings, check_host, closes

# Copying a longer body costs more than sending it separately.
JOINED_BYTES = 64 * 1024


class Outgoing:
    """The socket to which gunicorn writes a response, first the head and then the body."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._has_begun = False
        self._head = b""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def sendall(self, data: bytes) -> None:
        """Buffer the head, and send it with the data that follows."""
        if not self._has_begun:
            self._has_begun, self._head = True, data
        elif len(data) > JOINED_BYTES:
            self.flush()
            self._client.sendall(data)
        else:
            head, self._head = self._head, b""
            self._send(head + data)

    def flush(self) -> None:
        """Send a head without a body."""
        head, self._head = self._head, b""
        if head:
            self._send(head)

    def _send(self, data: bytes) -> None:
        # gevent's sendall would query the size of the buffer first.
        if (sent := self._client.send(data)) < len(data):
            self._client.sendall(data[sent:])


# How long a stopping worker waits for requests that clients have begun to send.
LINGER_SECONDS = 2
# How long a client may take to receive a response.
SEND_SECONDS = 60
WARNING_SECONDS = 1.0


def log_error(_: Any, __: Any, error: BaseException | None, ___: Any) -> None:
    """Log an error outside requests. gevent would print its traceback."""
    logs.log_server(logging.ERROR, "Error outside requests", error)


class Worker(private.GeventWorker):  # type: ignore[misc]
    """gunicorn's `worker_class`."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._is_quitting = False
        self._warns_at = 0.0

    def load_wsgi(self) -> None:
        super().load_wsgi()
        private.keep_settings(self.cfg)
        config = Config.from_environment()
        per_address = None if config.trusted_proxy_hops else config.connections_per_address
        self._head_seconds = config.head_timeout_seconds
        self._logs_addresses = config.log_client_address
        maximum = open_files.clients(open_files.limit())
        self._connections = Connections(per_address, maximum)
        self._maximum = maximum
        gevent.get_hub().print_exception = log_error
        self._application: Any = self.wsgi
        self.wsgi: Any = self._respond

    def handle(self, listener: Any, client: Any, address: Any) -> None:
        """Serve one connection until it closes."""
        try:
            with self._connections.entered(address):
                self._serve(listener.getsockname(), client, address)
        except (TooManyConnections, NoFreeConnection) as error:
            if isinstance(error, NoFreeConnection):
                self._warn()
            client.settimeout(0)
            with suppress(OSError):
                client.send(error_response(error))
        except OSError:
            # The client has disconnected.
            pass
        finally:
            client.close()

    def _warn(self) -> None:
        """Log that no connection is free, at most once in WARNING_SECONDS."""
        if monotonic() >= self._warns_at:
            self._warns_at = monotonic() + WARNING_SECONDS
            logs.log_server(
                logging.WARNING,
                f"Rejecting connections: {self._maximum} are open, and none is idle. "
                f"The limit of open files is {open_files.limit()}.",
            )

    def _serve(self, listener_name: Any, client: Any, address: Any) -> None:
        reader = HeadReader(client, self._head_seconds)
        requests = private.parser(self.cfg, reader, address)
        greenlet = gevent.getcurrent()
        greenlet.client, greenlet.listener = client, listener_name
        try:
            silence = self._head_seconds
            while self._has_request(reader, client, silence):
                request = gevent.getcurrent().request = next(requests)
                check_host(request)
                check_codings(request)
                if closes(request):
                    # gunicorn only knows this option if it stands alone.
                    request.force_close()
                client.settimeout(SEND_SECONDS)
                outgoing = Outgoing(client)
                try:
                    self.handle_request(listener_name, request, outgoing, address)
                finally:
                    outgoing.flush()
                self._connections.end_response(client)
                if not private.body_is_read(requests):
                    break
                silence = self.cfg.keepalive
        except StopIteration:
            # The last response closed the connection.
            pass
        except private.NoMoreData:
            return
        except OSError:
            raise
        except Exception as error:  # noqa: BLE001
            self._reject(client, address, error)
        finally:
            self._connections.end_response(client)
        private.close_graceful(client, LINGER_SECONDS)

    def _has_request(self, reader: HeadReader, client: Any, silence_seconds: float) -> bool:
        """Return whether the client sends another request within `silence_seconds`."""
        with self._connections.silent(client):
            try:
                return reader.read_head(silence_seconds)
            except TimeoutError:
                return False

    def _respond(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Call the application and count its response until it is sent.

        Close the connection if the response says so, because gunicorn ignores that header, or if
        the body was not read. The response then says so.
        """
        greenlet = gevent.getcurrent()
        environ["gunicorn.socket"] = greenlet.client
        environ["orgctx.listener"] = greenlet.listener

        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            named = {name.lower(): value for name, value in headers}
            if named.get("connection") == "close" or ends_connection(environ):
                greenlet.request.force_close()
            size = int(named.get("content-length", 0))
            self._connections.begin_response(greenlet.client, size)
            return start_response(status, headers, exc_info)

        body: Iterable[bytes] = self._application(environ, start)
        return body

    def _reject(self, client: Any, address: Any, error: Exception) -> None:
        rejection = api_error(error)
        if isinstance(rejection, InternalError):
            logs.log_server(logging.ERROR, private.FAILED, error)
        elif not isinstance(error, ApiError):
            host = address[0] if isinstance(address, tuple) else "unix"
            source = f" from ip={host}" if self._logs_addresses else ""
            logs.log_server(logging.WARNING, f"Invalid request{source}")
        client.settimeout(LINGER_SECONDS)
        with suppress(OSError):
            client.sendall(error_response(rejection))

    def handle_quit(self, *signal: Any) -> None:
        """Ignore a second signal: on Ctrl-C, the terminal sends SIGINT and the master SIGQUIT.

        It would interrupt the shutdown with a traceback.
        """
        if not self._is_quitting:
            self._is_quitting = True
            super().handle_quit(*signal)

    def handle_exit(self, *signal: Any) -> None:
        super().handle_exit(*signal)
        gevent.spawn(self._shut_silent)

    def _shut_silent(self) -> None:
        while True:
            gevent.sleep(LINGER_SECONDS)
            self._connections.shut_silent()
