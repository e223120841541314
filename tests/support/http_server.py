"""HTTP servers in this process that stand for other services."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread


class Handler(BaseHTTPRequestHandler):
    """Answers requests of each method with `respond`, and logs nothing."""

    def respond(self) -> None:
        raise NotImplementedError

    def do_GET(self) -> None:
        self.respond()

    do_POST = do_PUT = do_DELETE = do_OPTIONS = do_GET  # noqa: N815

    def log_message(self, *_: object) -> None:
        pass

    def body(self) -> bytes:
        """Read the body of the request."""
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def answer(
        self, body: bytes, status: int = 200, content_type: str = "application/json"
    ) -> None:
        """Send a response."""
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def serving(server: HTTPServer) -> Iterator[int]:
    """Let a server answer in a thread while the block runs. Yields its port."""
    with server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()
