"""orgctx connect --check shows what an agent would see, or why it sees nothing."""

from __future__ import annotations

import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from orgctx import keys
from orgctx.resources.catalog import OPERATIONS
from tests.cli.terminal import Printed, Terminal
from tests.mcp.served import Served, free_port, serve
from tests.support import factories as make
from tests.support.deployment import Deployment


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path)


@pytest.fixture(scope="module")
def acme(module_deployment: Deployment) -> Deployment:
    """Acme, loaded and approved once."""
    module_deployment.load(make.everything())
    module_deployment.approve(make.ACME, make.OWNER)
    return module_deployment


@pytest.fixture(scope="module")
def served(acme: Deployment) -> Iterator[Served]:
    with serve(acme, acme.issue_key(make.ACME, make.OWNER)) as served:
        yield served


def check(
    terminal: Terminal, url: str, key: str, *options: str, exit_code: int = 1, **settings: str
) -> Printed:
    asked = ("connect", "claude", "--base-url", url, "--check", *options)
    return terminal.run(*asked, exit_code=exit_code, ORGCTX_API_KEY=key, **settings)


def base(served: Served) -> str:
    return f"http://127.0.0.1:{served.port}"


def test_what_an_agent_sees(terminal: Terminal, served: Served) -> None:
    shown = check(terminal, base(served), served.key, exit_code=0).stdout
    assert f"{len(OPERATIONS)} tools of " in shown
    assert "search_context" in shown
    seen = check(terminal, base(served), served.key, "--json", exit_code=0).json()
    assert {"get_context", "read_knowledge"} <= {tool["name"] for tool in seen["tools"]}
    assert seen["organization"] in shown
    assert served.key not in shown


def test_a_key_of_fewer_scopes(terminal: Terminal, served: Served, acme: Deployment) -> None:
    key = acme.issue_key(make.ACME, make.OWNER, scopes=("x:read",))
    seen = check(terminal, base(served), key, "--json", exit_code=0).json()
    names = {tool["name"] for tool in seen["tools"]}
    assert "list_x_mentions" in names
    assert not {"get_context", "read_knowledge"} & names
    assert seen["organization"] is None


@pytest.mark.parametrize("key", ["${ORGCTX_API_KEY}", "$ORGCTX_API_KEY", "${env:KEY}", "clé"])
def test_a_variable_instead_of_a_key(terminal: Terminal, key: str) -> None:
    assert "text of a variable" in check(terminal, "http://127.0.0.1:1", key).stderr


def test_no_key(terminal: Terminal) -> None:
    assert "ORGCTX_API_KEY is not set" in check(terminal, "http://127.0.0.1:1", "").stderr


def test_refusals(terminal: Terminal, served: Served, acme: Deployment) -> None:
    key = keys.generate()
    unknown = check(terminal, base(served), key).stderr
    assert "401: Invalid API key" in unknown
    assert "ORGCTX_API_KEY holds a key of this service" in unknown
    assert key not in unknown
    api_only = acme.issue_key(make.ACME, make.OWNER, access="api")
    assert "has no MCP access" in check(terminal, base(served), api_only).stderr


def test_the_quota(terminal: Terminal, acme: Deployment) -> None:
    with serve(acme, acme.issue_key(make.ACME, make.OWNER), limit_key=1) as served:
        refused = check(terminal, base(served), served.key).stderr
    assert "429" in refused
    assert "try again in" in refused


def test_nothing_listens(terminal: Terminal) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    assert f"nothing listens at {url}/api/mcp" in check(terminal, url, keys.generate()).stderr


def test_an_unknown_host(terminal: Terminal) -> None:
    said = check(terminal, "http://orgctx.invalid", keys.generate()).stderr
    assert "is not known" in said


def test_tls_with_a_server_that_speaks_none(terminal: Terminal, served: Served) -> None:
    said = check(terminal, f"https://127.0.0.1:{served.port}", served.key).stderr
    assert "http:// instead of https://" in said


def test_a_certificate_that_nobody_trusts(terminal: Terminal) -> None:
    certificate, key = terminal.folder / "certificate.pem", terminal.folder / "key.pem"
    command: list[str | Path] = [
        *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
        *("-nodes", "-days", "1", "-subj", "/CN=localhost", "-keyout", key, "-out", certificate),
    ]
    subprocess.run(command, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with other(tls=context) as (port, asked):
        said = check(terminal, f"https://localhost:{port}", keys.generate()).stderr
    assert "is not trusted (self-signed certificate)" in said
    assert "SSL_CERT_FILE" in said
    assert not asked


class Handler(BaseHTTPRequestHandler):
    """Answers with `status`, and keeps the paths that it was asked for."""

    status = 200
    body = b"<html>hello</html>"
    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(self.status)
        self.send_header("Location", f"http://{self.headers['Host']}/elsewhere")
        self.end_headers()
        self.wfile.write(self.body)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.do_GET()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def other(
    status: int = 200, tls: ssl.SSLContext | None = None, body: bytes = Handler.body
) -> Iterator[tuple[int, list[str]]]:
    """Another server than ours. Yields its port and the paths that it was asked for."""
    asked: list[str] = []
    handler = type("Handler", (Handler,), {"status": status, "asked": asked, "body": body})
    with HTTPServer(("127.0.0.1", 0), handler) as server:
        if tls:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_port, asked
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize("status", [200, 302, 307, 403, 404, 500])
def test_another_service(terminal: Terminal, status: int) -> None:
    with other(status) as (port, asked):
        said = check(terminal, f"http://127.0.0.1:{port}", keys.generate()).stderr
    assert "is no orgctx service" in said
    assert asked == ["/api/mcp"]


@pytest.mark.parametrize(
    "body", [b'{"result": []}', b'{"result": {"tools": [1]}}', b'{"result": {"tools": 1}}', b"[]"]
)
def test_answers_of_another_shape(terminal: Terminal, body: bytes) -> None:
    with other(body=body) as (port, _):
        said = check(terminal, f"http://127.0.0.1:{port}", keys.generate()).stderr
    assert "is no orgctx service" in said


def test_a_message_does_not_command_the_terminal(terminal: Terminal) -> None:
    body = b'{"error": {"message": "\\u001b]0;owned\\u0007"}}'
    with other(403, body=body) as (port, _):
        said = check(terminal, f"http://127.0.0.1:{port}", keys.generate()).stderr
    assert "\x1b" not in said
    assert "]0;owned" in said
