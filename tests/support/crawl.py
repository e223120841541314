"""Every request worth making of data that several organizations have."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any
from urllib.parse import quote

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from orgctx.catalog import OPERATIONS
from tests.support import factories as make
from tests.support import organizations as orgs
from tests.support.organizations import ALL, AMBER, BASALT, HIDDEN, LONG, NEEDLES

PREFIX = "/api/v1"
TERMS = (AMBER.marker, BASALT.marker, HIDDEN, "content", "needle", *NEEDLES)
SOURCES = (*make.KIND_SOURCES.values(), *orgs.HIDDEN_SOURCES)
PEOPLE = ("telegram:user1", "telegram:hidden1", "x:7")
CHATS = (make.CHAT, orgs.HIDDEN_CHAT)


@cache
def knowledge_ids() -> tuple[str, ...]:
    names = [
        "1",
        "2",
        "archived",
        "hidden",
        "none",
        *(f"only of {one.marker} alone" for one in ALL),
    ]
    ids = [make.knowledge_id(name) for name in names]
    others = [make.knowledge_id(prefix=prefix) for prefix in make.KNOWLEDGE]
    return (*ids, *others, orgs.SUPPRESSED, LONG, make.knowledge_id("hidden", "note"))


@cache
def asset_ids() -> tuple[str, ...]:
    names = ["folder", "file", "hidden folder", "hidden file", "none"]
    return tuple(make.uuid(n) for n in [*names, *(f"only of {one.marker} alone" for one in ALL)])


@cache
def reads(prefix: str = "") -> dict[str, tuple[str, dict[str, Any]]]:
    """REST path → the tool of the same operation, and its arguments."""
    found = {}
    for name, arguments in _calls():
        operation = next(one for one in OPERATIONS if one.name == name)
        path, query = operation.path, dict(arguments)
        for placeholder, argument in (("{id}", "id"), ("{id}", "chatId"), ("{key}", "key")):
            if placeholder in path and argument in query:
                path = path.replace(placeholder, quote(str(query.pop(argument)), safe=""))
        pairs = "&".join(f"{key}={quote(str(value))}" for key, value in query.items())
        if path.startswith(prefix):
            found[f"{PREFIX}{path}?{pairs}"] = (name, arguments)
    return found


def _calls() -> Iterator[tuple[str, dict[str, Any]]]:
    for name in ("get_context", "list_sources", "get_token", "list_telegram_chats"):
        yield name, {}
    yield from (("search_context", {"q": term, "limit": 50}) for term in TERMS)
    yield from (("search_context", {"source": source}) for source in SOURCES)
    yield "search_context", {}
    yield "search_context", {"limit": 2}
    yield "search_context", {"after": make.AT, "before": "2027-01-01T00:00:00Z"}
    for name in ("list_people", "list_knowledge"):
        yield from ((name, {"q": term}) for term in TERMS)
    for name in ("list_people", "list_knowledge", "list_assets", "list_x_mentions"):
        yield from ((name, {"page": page}) for page in (1, 2, 9))
    yield from (("list_knowledge", {"kind": kind}) for kind in ("source", "note"))
    yield "list_knowledge", {"archived": "true"}
    yield from (("read_person", {"key": key}) for key in PEOPLE)
    yield from (("read_knowledge", {"id": one}) for one in knowledge_ids())
    yield "read_knowledge", {"id": LONG, "offset": 10, "limit": 50000}
    yield from (("list_assets", {"folderId": one}) for one in asset_ids())
    yield from (("read_asset", {"id": one}) for one in asset_ids())
    for chat in (*CHATS, make.uuid("none")):
        yield "list_telegram_messages", {"chatId": chat, "before": 5, "limit": 2}
        yield "list_telegram_messages", {"chatId": chat}
        yield from (("list_telegram_messages", {"chatId": chat, "q": term}) for term in TERMS)


ERRORS = (
    ("GET", "/knowledge?page=0"), ("GET", "/people?querry=a"), ("GET", "/nothing"),
    ("GET", "/assets/1"), ("POST", "/context"), ("HEAD", "/context"),
)  # fmt: skip


def rest(client: FlaskClient, key: str, path: str, method: str = "GET") -> TestResponse:
    return client.open(path, method=method, headers={"Authorization": f"Bearer {key}"})


def everything(client: FlaskClient, key: str) -> Iterator[tuple[str, TestResponse]]:
    """All of REST, all tools, and errors; and the pages that answers name."""
    for path in reads():
        response = rest(client, key, path)
        yield path, response
        yield from _following(client, key, response)
    for method, path in ERRORS:
        yield path, rest(client, key, PREFIX + path, method)
    messages = [("tools/list", {}), ("initialize", {"protocolVersion": "2025-06-18"})]
    for name, arguments in reads().values():
        typed = {key: value == "true" if key == "archived" else value
                 for key, value in arguments.items()}  # fmt: skip
        messages.append(("tools/call", {"name": name, "arguments": typed}))
    for method, params in messages:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        yield json.dumps(params), client.post("/api/mcp", json=message, headers=headers)


def _following(
    client: FlaskClient, key: str, response: TestResponse
) -> Iterator[tuple[str, TestResponse]]:
    """What the hrefs of a search lead to."""
    items = response.json["data"] if response.status_code == 200 else {}
    for item in items.get("items", []) if isinstance(items, dict) else []:
        href = item["href"] or ""
        if href.startswith(PREFIX) and item["kind"] in ("message", "profile", "token"):
            yield href, rest(client, key, href)


def written(response: TestResponse) -> str:
    """All that a response says, save what it repeats of its request."""
    headers = str(response.headers)
    query = response.request.query_string.decode()
    echoed = [part for pair in query.split("&") for part in pair.split("=")[1:] if part]
    for part in echoed:
        headers = headers.replace(part, "")
    return headers + response.text


def bodies(client: FlaskClient, key: str, paths: Iterable[str]) -> list[tuple[int, str]]:
    """Status and body of each, the request id taken out."""
    answers = []
    for path in paths:
        response = rest(client, key, path)
        text = response.text
        answers.append((response.status_code, text.replace(response.headers["X-Request-Id"], "")))
    return answers
