"""The page shows all records that the key can read, and no others."""

import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest

from orgctx.resources.catalog import OPERATIONS
from tests.page.browser import Open
from tests.page.walk import walk
from tests.support.organizations import AMBER, BASALT, HIDDEN
from tests.support.service import Running

pytestmark = pytest.mark.system

PREFIX = "/api/v1"
# What JavaScript shows for values that are missing.
NOT_A_VALUE = re.compile(r"\b(NaN|undefined)\b|\[object Object\]|Invalid Date")


def test_page_shows_all_records_of_the_api(explore: Open, amber: Running) -> None:
    seen = explore(amber)
    for _ in walk(seen):
        text = seen.page.inner_text("body")
        assert BASALT.marker not in text
        assert HIDDEN not in text
        assert not NOT_A_VALUE.search(text)
    answers = seen.answers()
    shown = {record for path, body in answers.items() for record in records(path, body)}
    stored = {record for path, body in crawl(amber) for record in records(path, body)}
    assert len(stored) > 100
    assert {name for name, _ in shown} == {operation.name for operation in OPERATIONS}
    assert sorted(stored - shown) == []
    assert sorted(shown - stored) == []


def records(path: str, body: Any) -> Iterator[tuple[str, str]]:
    """(operation, one record as JSON) of an answer; of a search, each of its items."""
    parts = path.split("?")[0].removeprefix(PREFIX).strip("/").split("/")
    (operation,) = (each for each in OPERATIONS if _reads(each.path, parts))
    data = body["data"]
    items = data.get("items") or [data] if isinstance(data, dict) else data
    for record in items:
        yield operation.name, json.dumps(record, sort_keys=True)


def _reads(template: str, parts: list[str]) -> bool:
    wanted = template.strip("/").split("/")
    return len(wanted) == len(parts) and all(
        a.startswith("{") or a == b for a, b in zip(wanted, parts, strict=True)
    )


def crawl(served: Running) -> Iterator[tuple[str, Any]]:
    """Every answer of the API for this key; answers name the next requests."""
    waiting = [
        *(f"{PREFIX}{operation.path}" for operation in OPERATIONS if "{" not in operation.path),
        f"{PREFIX}/knowledge?archived=true",
        f"{PREFIX}/search?limit=50",
    ]
    seen = set()
    while waiting:
        path = waiting.pop(0)
        if path in seen:
            continue
        seen.add(path)
        body = served.get(path, served.key).body
        # The page requests a search with the highest limit.
        if path != f"{PREFIX}/search":
            yield path, body
        waiting += _following(path, body)


def _following(path: str, body: Any) -> Iterator[str]:
    base, _, query = path.partition("?")
    pagination = body.get("pagination", {})
    if pagination.get("hasNextPage"):
        parameters = "&".join(
            text for text in query.split("&") if text and not text.startswith("page=")
        )
        yield f"{base}?{parameters}{'&' if parameters else ''}page={pagination['page'] + 1}"
    if pagination.get("hasMore"):
        yield f"{base}?before={pagination['nextBefore']}"
    data = body["data"]
    if isinstance(data, dict):
        # The page links results, including those in folders that no list leads to.
        items = [str(item["href"]) for item in data.get("items", [])]
        yield from (href for href in items if href.startswith(PREFIX))
        offset = data.get("contentRange", {}).get("nextOffset")
        yield from [f"{base}?offset={offset}"] if offset else []
        return
    parts = base.removeprefix(PREFIX).strip("/").split("/")
    # Where the id of a record of this list goes: /telegram/chats, {id}/messages.
    places = [operation.path.rpartition("/{") for operation in OPERATIONS]
    tails = [tail.partition("}")[2] for head, _, tail in places if head and _reads(head, parts)]
    for record in data:
        for tail in tails:
            yield f"{base}/{quote(str(record.get('key') or record['id']), safe='')}{tail}"
        if record.get("kind") == "folder":
            yield f"{base}?folderId={record['id']}"


def test_page_shows_no_other_organization(explore: Open, amber: Running) -> None:
    """Another organization's address shows a sentence, and no record."""
    seen = explore(amber, f"#/explore/knowledge/docs%3A{BASALT.only('only')}")
    assert "Not found" in seen.page.inner_text("main")
    assert AMBER.marker not in seen.page.inner_text("main")
