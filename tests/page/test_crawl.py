"""The page shows what the key may see, all of it and no more."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Browser

from orgctx.resources.catalog import OPERATIONS
from tests.mcp.served import Served
from tests.page.browser import Visit
from tests.page.walk import walk
from tests.support.organizations import AMBER, BASALT, HIDDEN

pytestmark = pytest.mark.system

PREFIX = "/api/v1"
Records = set[tuple[str, str]]


def test_the_page_and_the_api_show_the_same(chromium: Browser, amber: Served) -> None:
    visit = Visit(chromium, f"http://127.0.0.1:{amber.port}")
    visit.open()
    visit.enter(amber.key)
    for _ in walk(visit):
        text = visit.page.inner_text("body")
        assert BASALT.marker not in text
        assert HIDDEN not in text
    asked = visit.answers()
    assert not visit.faults
    visit.close()
    shown = {one for path, body in asked.items() for one in records(path, body)}
    stored = {one for path, body in crawl(amber) for one in records(path, body)}
    assert len(stored) > 100
    assert {name for name, _ in shown} == {operation.name for operation in OPERATIONS}
    assert sorted(stored - shown) == []
    assert sorted(shown - stored) == []


def records(path: str, body: Any) -> Iterator[tuple[str, str]]:
    """(operation, one record as JSON) of an answer; of a search, each of its items."""
    parts = path.split("?")[0].removeprefix(PREFIX).strip("/").split("/")
    (operation,) = (one for one in OPERATIONS if _reads(one.path, parts))
    data = body["data"]
    found = data.get("items") or [data] if isinstance(data, dict) else data
    for one in found:
        yield operation.name, json.dumps(one, sort_keys=True)


def _reads(template: str, parts: list[str]) -> bool:
    wanted = template.strip("/").split("/")
    return len(wanted) == len(parts) and all(
        a.startswith("{") or a == b for a, b in zip(wanted, parts, strict=True)
    )


def crawl(served: Served) -> Iterator[tuple[str, Any]]:
    """Every answer of the API for this key; answers name the next requests."""
    waiting = [
        *(f"{PREFIX}{one.path}" for one in OPERATIONS if "{" not in one.path),
        f"{PREFIX}/knowledge?archived=true",
        f"{PREFIX}/search?limit=50",
    ]
    seen = set()
    while waiting:
        path = waiting.pop(0)
        if path in seen:
            continue
        seen.add(path)
        body = _get(served, path)
        # The page asks for as much of a search as there can be.
        if path != f"{PREFIX}/search":
            yield path, body
        waiting += _following(path, body)


def _following(path: str, body: Any) -> Iterator[str]:
    base, _, query = path.partition("?")
    pagination = body.get("pagination", {})
    if pagination.get("hasNextPage"):
        kept = "&".join(one for one in query.split("&") if one and not one.startswith("page="))
        yield f"{base}?{kept}{'&' if kept else ''}page={pagination['page'] + 1}"
    if pagination.get("hasMore"):
        yield f"{base}?before={pagination['nextBefore']}"
    data = body["data"]
    if isinstance(data, dict):
        offset = data.get("contentRange", {}).get("nextOffset")
        yield from [f"{base}?offset={offset}"] if offset else []
        return
    for one in data:
        if base.endswith("/chats"):
            yield f"{base}/{one['id']}/messages"
        elif base.endswith(("/people", "/knowledge", "/assets")):
            yield f"{base}/{quote(one.get('key') or one['id'], safe='')}"
        if one.get("kind") == "folder":
            yield f"{base}?folderId={one['id']}"


def _get(served: Served, path: str) -> Any:
    headers = {"Authorization": f"Bearer {served.key}"}
    with urlopen(Request(f"http://127.0.0.1:{served.port}{path}", headers=headers)) as response:
        return json.load(response)


def test_another_organization_is_not_shown(chromium: Browser, amber: Served) -> None:
    """Another organization's address shows a sentence, and no record."""
    visit = Visit(chromium, f"http://127.0.0.1:{amber.port}")
    visit.open(f"#/explore/knowledge/docs%3A{BASALT.only('only')}")
    visit.enter(amber.key)
    assert "Not found" in visit.page.inner_text("main")
    assert AMBER.marker not in visit.page.inner_text("main")
    visit.close()
