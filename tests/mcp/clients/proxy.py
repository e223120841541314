"""A proxy that adds an API key, for clients that cannot send one."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import ThreadingHTTPServer

from tests.support.http_server import Handler, serving
from tests.support.service import Running

HOP_BY_HOP = {"connection", "transfer-encoding", "content-length", "host", "date", "server"}


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore errors, because clients may disconnect at any time."""


@contextmanager
def with_key(served: Running) -> Iterator[str]:
    """The URL of the endpoint through a proxy, as long as the block runs."""

    class Proxy(Handler):
        protocol_version = "HTTP/1.1"

        def respond(self) -> None:
            body = self.body()
            headers = {
                name: value
                for name, value in self.headers.items()
                if name.lower() not in HOP_BY_HOP
            }
            upstream = HTTPConnection("127.0.0.1", served.port, timeout=30)
            upstream.request(
                self.command, self.path, body, {**headers, "Authorization": f"Bearer {served.key}"}
            )
            answer = upstream.getresponse()
            content = answer.read()
            upstream.close()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in HOP_BY_HOP:
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    with serving(Server(("127.0.0.1", 0), Proxy)) as port:
        yield f"http://127.0.0.1:{port}/api/mcp"
