"""Ask the service over MCP for the tools and the organization that an agent would see."""

from __future__ import annotations

import json
import socket
import ssl
from http.client import HTTPException
from typing import Any, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

import click

from orgctx.cli.errors import CommandError
from orgctx.cli.output import print_table, printable
from orgctx.clients import VARIABLE
from orgctx.keys import is_unexpanded

SECONDS = 15
MOST_BYTES = 2_000_000
HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
}


class Seen(NamedTuple):
    """tools: name and title, in the service's order. organization: its name, if a tool gives it."""

    url: str
    tools: list[tuple[str, str]]
    organization: str | None

    def as_json(self) -> dict[str, Any]:
        tools = [{"name": name, "title": title} for name, title in self.tools]
        return {"tools": tools, "organization": self.organization}

    def show(self) -> None:
        count = len(self.tools)
        about = f" of {self.organization}" if self.organization else ""
        click.echo(f"{self.url} answers: an agent sees {count} tools{about}.")
        print_table(("tool", "what it does"), self.tools)


class NoRedirect(HTTPRedirectHandler):
    """Refuse redirects, so that the key is sent only to the given address."""

    def redirect_request(self, *_: Any) -> None:
        return None


def look(base_url: str, key: str) -> Seen:
    """Ask for the tools, and for the organization if a tool returns it.

    Raises CommandError with what is wrong and what to do.
    """
    if not key:
        raise CommandError(f"{VARIABLE} is not set: export {VARIABLE}=… with an API key")
    if is_unexpanded(key) or not key.isascii() or not key.isprintable():
        raise CommandError(
            f"{VARIABLE} holds no key but the text of a variable, or characters that no key has: "
            "set it to the API key itself, as `orgctx keys issue` printed it"
        )
    url = f"{base_url}/api/mcp"
    try:
        tools = _ask(url, key, "tools/list")["tools"]
        named = [(tool["name"], tool.get("title") or tool["name"]) for tool in tools]
        organization = _organization(url, key) if "get_context" in dict(named) else None
    except (AttributeError, KeyError, TypeError, ValueError):
        raise CommandError(_no_service(url)) from None
    return Seen(url, named, organization)


def _organization(url: str, key: str) -> str | None:
    called = _ask(url, key, "tools/call", {"name": "get_context", "arguments": {}})
    data = called.get("structuredContent", {}).get("data", {})
    name: str | None = data.get("organization", {}).get("displayName")
    return name and printable(name)


def _ask(url: str, key: str, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
    """The result of one JSON-RPC request."""
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
    headers = {**HEADERS, "Authorization": f"Bearer {key}"}
    request = Request(url, json.dumps(message).encode(), headers)  # noqa: S310, http or https
    try:
        with build_opener(NoRedirect).open(request, timeout=SECONDS) as response:
            body = response.read(MOST_BYTES)
    except HTTPError as error:
        with error:
            raise CommandError(_refusal(url, error)) from None
    except (OSError, HTTPException) as error:
        raise CommandError(_unreachable(url, error)) from None
    try:
        result: dict[str, Any] = json.loads(body)["result"]
    except (ValueError, KeyError, TypeError):
        raise CommandError(_no_service(url)) from None
    return result


def _refusal(url: str, error: HTTPError) -> str:
    """The meaning of a status for somebody who connects an agent."""
    try:
        said = json.loads(error.read(MOST_BYTES))["error"]["message"]
    except (ValueError, KeyError, TypeError, OSError):
        return f"{_no_service(url)} (status {error.code})"
    advice = {
        401: f"check that {VARIABLE} holds a key of this service that is neither expired nor "
        "revoked (`orgctx keys list`)",
        403: "the key is known and may not do this: an owner or admin can change its scopes or "
        "approve a source",
        429: f"too many requests: try again in {error.headers.get('Retry-After', 'a few')} seconds",
    }.get(error.code, "see whether the service is ready: /readyz says what it lacks")
    return f"{url} answers {error.code}: {printable(said)}\n{advice}"


def _unreachable(url: str, error: Exception) -> str:
    cause = error.reason if isinstance(error, URLError) else error
    if isinstance(cause, ssl.SSLCertVerificationError):
        return (
            f"the certificate of {url} is not trusted ({cause.verify_message}): if its authority "
            "is your own, name its file in SSL_CERT_FILE, and in NODE_EXTRA_CA_CERTS for clients "
            "that run on Node"
        )
    if isinstance(cause, ssl.SSLError):
        return f"{url} speaks no TLS ({cause.reason}): is it http:// instead of https://?"
    if isinstance(cause, ConnectionRefusedError):
        return f"nothing listens at {url}: start the service, or name its address with --base-url"
    if isinstance(cause, socket.gaierror):
        return f"the host of {url} is not known: check the name in --base-url"
    if isinstance(cause, TimeoutError):
        return f"{url} did not answer within {SECONDS} seconds"
    if isinstance(cause, HTTPException):
        return f"{url} does not speak HTTP: is it https:// instead of http://?"
    return f"{url} cannot be reached: {cause}"


def _no_service(url: str) -> str:
    return f"what answers at {url} is no orgctx service: check --base-url"
