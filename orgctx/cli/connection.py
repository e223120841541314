"""Ask the service over MCP for the tools and the organization that an agent sees."""

import json
import ssl
from http.client import HTTPException
from typing import Any, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from orgctx.cli.errors import CommandError
from orgctx.cli.output import echo, print_table, printable
from orgctx.clients import VARIABLE
from orgctx.key_format import is_unexpanded
from orgctx.resources.catalog import OPERATIONS

TIMEOUT_SECONDS = 15
MAX_BYTES = 2_000_000
HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


class AgentView(NamedTuple):
    """The tools and the organization that an agent sees."""

    url: str
    tools: list[tuple[str, str]]  # name and title, in the service's order
    organization: str | None  # the name of the organization, if the key may call get_context

    def as_json(self) -> dict[str, Any]:
        tools = [{"name": name, "title": title} for name, title in self.tools]
        return {"tools": tools, "hidden": self.hidden, "organization": self.organization}

    @property
    def hidden(self) -> dict[str, str]:
        """What the key lacks for each other tool."""
        names = {name for name, _ in self.tools}
        return {
            operation.name: " or ".join(operation.scopes)
            + ("" if operation.is_overview else ", and an approved source")
            for operation in OPERATIONS
            if operation.name not in names
        }

    def print(self) -> None:
        owner = f" of {self.organization}" if self.organization else ""
        echo(f"{self.url} is available. An agent sees {len(self.tools)} tools{owner}:")
        print_table(("tool", "what it does"), self.tools)
        if self.hidden:
            echo("\nIt does not see what the key may not read:")
            print_table(("tool", "it needs"), self.hidden.items())


class NoRedirect(HTTPRedirectHandler):
    """Reject redirects, so that the key is sent only to the given address."""

    def redirect_request(self, *_: Any) -> None:
        return None


def check_connection(base_url: str, key: str) -> AgentView:
    """Return what an agent sees. Raises CommandError if the service or the key does not work."""
    if not key:
        raise CommandError(f"{VARIABLE} is not set. Run `export {VARIABLE}=…` with an API key.")
    if is_unexpanded(key) or not key.isascii() or not key.isprintable():
        raise CommandError(
            f"{VARIABLE} is not an API key: it contains the name of a variable or invalid "
            "characters. Set it to the key that `orgctx keys issue` printed."
        )
    url = f"{base_url}/api/mcp"
    try:
        tools = _call(url, key, "tools/list")["tools"]
        titles = [(tool["name"], tool.get("title") or tool["name"]) for tool in tools]
        organization = None
        if "get_context" in dict(titles):
            result = _call(url, key, "tools/call", {"name": "get_context", "arguments": {}})
            data = result.get("structuredContent", {}).get("data", {})
            name = data.get("organization", {}).get("displayName")
            organization = name and printable(name)
    except (AttributeError, KeyError, TypeError, ValueError):
        raise CommandError(_not_orgctx(url)) from None
    return AgentView(url, titles, organization)


def _call(url: str, key: str, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
    """Send a JSON-RPC request and return its result."""
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
    headers = {**HEADERS, "Authorization": f"Bearer {key}"}
    request = Request(url, json.dumps(message).encode(), headers)  # noqa: S310, http or https
    try:
        with build_opener(NoRedirect).open(request, timeout=TIMEOUT_SECONDS) as response:
            body = response.read(MAX_BYTES)
    except HTTPError as error:
        with error:
            raise CommandError(_http_error(url, error)) from None
    except (OSError, HTTPException) as error:
        raise CommandError(_unreachable(url, error)) from None
    try:
        result: dict[str, Any] = json.loads(body)["result"]
    except (ValueError, KeyError, TypeError):
        raise CommandError(_not_orgctx(url)) from None
    return result


def _http_error(url: str, error: HTTPError) -> str:
    try:
        message = json.loads(error.read(MAX_BYTES))["error"]["message"]
    except (ValueError, KeyError, TypeError, OSError):
        return f"{_not_orgctx(url)} It returned status {error.code}."
    advice = {
        401: f"Set {VARIABLE} to a key of this service that is neither expired nor revoked; see "
        "`orgctx keys list`.",
        403: "The key is valid, but lacks a right. Ask an owner or admin to change its access or "
        "scopes, or to approve a source.",
        429: f"Retry in {error.headers.get('Retry-After', 'a few')} seconds.",
    }.get(error.code, "See /readyz of the service for what is unavailable.")
    return f"{url} returned {error.code}: {printable(message)}\n{advice}"


def _unreachable(url: str, error: Exception) -> str:
    cause = error.reason if isinstance(error, URLError) else error
    if isinstance(cause, ssl.SSLCertVerificationError):
        return (
            f"The certificate of {url} is not trusted ({cause.verify_message}). For a certificate "
            "authority of your own, set SSL_CERT_FILE to its file, and NODE_EXTRA_CA_CERTS for "
            "clients that run on Node."
        )
    if isinstance(cause, ssl.SSLError | HTTPException):
        return f"{url} does not answer ({cause}). Try the other of http:// and https://."
    return f"{url} is unreachable ({cause}). Start the service or correct --base-url."


def _not_orgctx(url: str) -> str:
    return f"{url} is not an orgctx service. Correct --base-url."
