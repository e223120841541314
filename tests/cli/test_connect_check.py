"""orgctx connect --check shows what an agent sees, or what is wrong with the connection."""

import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import HTTPServer
from pathlib import Path

import pytest

from orgctx import key_format
from orgctx.resources.catalog import OPERATIONS
from tests.cli.terminal import Terminal
from tests.support import factories as make
from tests.support.deployment import Deployment, Result
from tests.support.http_server import Handler, serving
from tests.support.processes import free_port
from tests.support.service import Running, serve

HELLO = b"<html>hello</html>"


@pytest.fixture(scope="module")
def acme(module_deployment: Deployment) -> Deployment:
    """Acme, loaded and approved once."""
    module_deployment.load_acme()
    return module_deployment


def check(terminal: Terminal, url: str, key: str, *options: str, exit_code: int = 1) -> Result:
    arguments = ("connect", "claude", "--base-url", url, "--check", *options)
    return terminal.run(*arguments, exit_code=exit_code, ORGCTX_API_KEY=key)


@pytest.mark.thorough
def test_check_lists_tools_and_organization(
    terminal: Terminal, served: Running, acme: Deployment
) -> None:
    text = check(terminal, served.base_url, served.key, exit_code=0).stdout
    assert f"{len(OPERATIONS)} tools of " in text
    assert "search_context" in text
    result = check(terminal, served.base_url, served.key, "--json", exit_code=0).json()
    assert {"get_context", "read_knowledge"} <= {tool["name"] for tool in result["tools"]}
    assert result["organization"] in text
    assert served.key not in text
    key = acme.issue_key(make.ACME, make.OWNER, scopes=("x:read",))
    result = check(terminal, served.base_url, key, "--json", exit_code=0).json()
    names = {tool["name"] for tool in result["tools"]}
    assert "list_x_mentions" in names
    assert "get_context" not in names
    assert result["organization"] is None


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("", "ORGCTX_API_KEY is not set."),
        ("${ORGCTX_API_KEY}", "ORGCTX_API_KEY is not an API key"),
        ("$ORGCTX_API_KEY", "ORGCTX_API_KEY is not an API key"),
        ("${env:KEY}", "ORGCTX_API_KEY is not an API key"),
        ("clé", "ORGCTX_API_KEY is not an API key"),
    ],
)
def test_check_rejects_what_is_not_a_key(terminal: Terminal, key: str, message: str) -> None:
    assert message in check(terminal, "http://127.0.0.1:1", key).stderr


@pytest.mark.thorough
def test_check_explains_rejected_keys(
    terminal: Terminal, served: Running, acme: Deployment
) -> None:
    key = key_format.generate()
    unknown = check(terminal, served.base_url, key).stderr
    assert "401: Invalid API key" in unknown
    assert "Set ORGCTX_API_KEY to a key of this service" in unknown
    assert key not in unknown
    api_only = acme.issue_key(make.ACME, make.OWNER, access="api")
    assert "has no MCP access" in check(terminal, served.base_url, api_only).stderr
    with serve(acme, acme.issue_key(make.ACME, make.OWNER), limit_key=1) as limited:
        message = check(terminal, limited.base_url, limited.key).stderr
    assert "429" in message
    assert "Retry in" in message


def test_check_explains_an_unreachable_service(terminal: Terminal, served: Running) -> None:
    port = free_port()
    for url, message in (
        (
            f"http://127.0.0.1:{port}",
            "Connection refused). Start the service",
        ),
        ("http://orgctx.invalid", "not known). Start the service or correct --base-url."),
        (f"https://127.0.0.1:{served.port}", "Try the other of http:// and https://."),
    ):
        assert message in check(terminal, url, key_format.generate()).stderr


def untrusted(folder: Path) -> ssl.SSLContext:
    """Return the context of a server with a self-signed certificate for localhost."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    command = (
        *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
        *("-nodes", "-days", "1", "-subj", "/CN=localhost", "-keyout", key, "-out", certificate),
    )
    subprocess.run(command, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context


def test_check_rejects_an_untrusted_certificate(terminal: Terminal) -> None:
    with other_service(tls=untrusted(terminal.folder)) as (port, paths):
        message = check(terminal, f"https://localhost:{port}", key_format.generate()).stderr
    assert "is not trusted (self-signed certificate)" in message
    assert "SSL_CERT_FILE" in message
    assert not paths


class Other(Handler):
    """Responds with `status` and `content`, and records the paths of requests."""

    status: int
    content: bytes
    paths: list[str]

    def respond(self) -> None:
        self.body()
        self.paths.append(self.path)
        self.send_response(self.status)
        self.send_header("Location", f"http://{self.headers['Host']}/elsewhere")
        self.end_headers()
        self.wfile.write(self.content)


@contextmanager
def other_service(
    status: int = 200, tls: ssl.SSLContext | None = None, body: bytes = HELLO
) -> Iterator[tuple[int, list[str]]]:
    """Run an HTTP server that is not orgctx. Yields its port and the paths of requests."""
    paths: list[str] = []
    handler = type("Other", (Other,), {"status": status, "paths": paths, "content": body})
    server = HTTPServer(("127.0.0.1", 0), handler)
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    with serving(server) as port:
        yield port, paths


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("status", "body"),
    [
        *((status, HELLO) for status in (200, 302, 307, 403, 404, 500)),
        (200, b'{"result": []}'),
        (200, b'{"result": {"tools": [1]}}'),
        (200, b'{"result": {"tools": 1}}'),
        (200, b"[]"),
    ],
)
def test_check_recognizes_another_service(terminal: Terminal, status: int, body: bytes) -> None:
    with other_service(status, body=body) as (port, paths):
        message = check(terminal, f"http://127.0.0.1:{port}", key_format.generate()).stderr
    assert "is not an orgctx service" in message
    assert paths == ["/api/mcp"]


def test_check_escapes_control_characters(terminal: Terminal) -> None:
    body = b'{"error": {"message": "\\u001b]0;owned\\u0007"}}'
    with other_service(403, body=body) as (port, _):
        message = check(terminal, f"http://127.0.0.1:{port}", key_format.generate()).stderr
    assert "\x1b" not in message
    assert "]0;owned" in message
