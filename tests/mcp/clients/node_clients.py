"""The official Node clients and the conformance suite; `make clients` runs them.

Not part of the test suite, because they need npm and several hundred megabytes.
"""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.mcp.clients.install import node_clients
from tests.mcp.clients.report import check, talk
from tests.support.http_server import Handler, serving
from tests.support.service import Running

HERE = Path(__file__).parent
HOP_BY_HOP = {"connection", "transfer-encoding", "content-length", "host", "date", "server"}


@pytest.fixture(scope="session")
def node() -> tuple[Path, str]:
    """The folder of the packages, and the Node program."""
    folder, program = node_clients()
    return folder, str(program)


@pytest.mark.parametrize(
    ("package", "mode", "version"),
    [
        ("sdk-1.10.2", "legacy", None),
        ("sdk-1.17.5", "legacy", None),
        ("sdk-1.32.2", "legacy", None),
        ("@modelcontextprotocol/client", "legacy", "2025-11-25"),
        ("@modelcontextprotocol/client", "auto", "2026-07-28"),
        ("@modelcontextprotocol/client", "2026-07-28", "2026-07-28"),
    ],
)
def test_typescript(
    served: Running, node: tuple[Path, str], package: str, mode: str, version: str | None
) -> None:
    folder, program = node
    driver = str(HERE / "talk.mjs")
    report = talk([program, driver, str(folder), package, served.url, served.key, mode])
    check(report)
    assert report["version"] == version


# The conformance suite, whose client cannot send a key


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


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_conformance(
    served: Running, node: tuple[Path, str], tmp_path: Path, revision: str
) -> None:
    folder, program = node
    suite = str(folder / "node_modules/@modelcontextprotocol/conformance/dist/index.js")
    baseline = ("--expected-failures", str(HERE / "conformance-baseline.yml"))
    with with_key(served) as url:
        done = subprocess.run(
            [program, suite, "server", "--url", url, "--requirements", revision, *baseline],
            capture_output=True,
            text=True,
            timeout=300,
            cwd=tmp_path,
            check=False,
        )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
