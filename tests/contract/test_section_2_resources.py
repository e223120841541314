"""Sections 2 and 3: the resources in answers, and their states."""

from collections.abc import Callable
from datetime import UTC, datetime
from time import monotonic, sleep
from typing import Any

import pytest

from orgctx.operations.source_kinds import SCOPES
from tests.contract import data
from tests.contract.conftest import Api
from tests.operations import PAGINATED, PATHS, ROWS
from tests.support import factories as make

every_operation = pytest.mark.parametrize("name", PATHS)


@every_operation
def test_envelope(api: Api, name: str) -> None:
    """[2.0.3] [3.3.2]"""
    body = api.get(PATHS[name])
    is_paginated = name in PAGINATED
    assert set(body) == {"data", "meta"} | ({"pagination"} if is_paginated else set())
    assert body["meta"]["organizationId"] == make.ACME
    assert body["meta"]["freshness"]["source"] == ROWS[name].origin


def test_connections_have_all_members(api: Api) -> None:
    """[2.3.1] [2.0.3]"""
    updated = {"updatedAt": make.AT}
    current = {"connected": True, "status": "current"} | updated
    context = api.data("/context")
    assert context["grantedScopes"] == list(SCOPES)
    assert context["connections"] == {
        "knowledge": {"available": True, "docs": {"connected": True, "status": "stale"} | updated},
        "assets": {"available": True, "itemCount": 63} | updated,
        "telegram": current | {"chatCount": 2 + data.SILENT_CHAT_COUNT},
        "x": current | {"username": "acme"},
        "token": current | {"address": make.ADDRESS, "symbol": "ACME"},
    }


def test_people_belong_to_one_platform(api: Api) -> None:
    """[2.7.1] [2.7.2] [2.7.3]"""
    people = api.data("/people") + api.data("/people", page=2)
    keys = [person["key"] for person in people]
    assert {key.partition(":")[0] for key in keys} == {"telegram", "x"}
    assert "x:99" not in keys
    assert not {make.OWNER, make.ADMIN, make.MEMBER} & {person["id"] for person in people}
    for person in people[:5]:
        detail = api.data(f"/people/{person['key']}")
        assert detail.pop("recentActivity")
        assert detail == person


def test_knowledge_items(api: Api) -> None:
    items = api.data("/knowledge", page=2)
    statuses = {"current", "draft", "removed", "unavailable", "reference"}
    assert {item["sourceStatus"] for item in items} == statuses
    for item in items:
        document = api.data(f"/knowledge/{item['id']}")
        content = document.pop("content")
        assert document.pop("contentFormat")
        assert document.pop("contentRange") == {
            "offset": 0,
            "length": len(content),
            "total": len(content),
            "nextOffset": None,
        }
        assert document == item


def test_assets_have_public_urls_only_if_public(api: Api) -> None:
    """[2.0.3] [2.10.1]"""
    for asset in api.data("/assets", folderId=make.uuid("Brand")):
        assert (asset["publicUrl"] is not None) == (asset["name"] == "apple.png")


def test_chats(api: Api) -> None:
    """[2.0.3]"""
    chats = {chat["id"]: chat for chat in api.data("/telegram/chats")}
    assert chats[make.CHAT]["trackedMessageCount"] == 120
    assert chats[data.SECOND_CHAT] == {
        "id": data.SECOND_CHAT,
        "type": "supergroup",
        "title": "Acme 2nd",
        "username": None,
        "memberCount": 12,
        "trackedMessageCount": 2,
        "lastMessageAt": "2026-01-30T00:00:00Z",
        "linkedAt": make.AT,
        "updatedAt": make.AT,
    }


def test_mentions(api: Api) -> None:
    mentions = [mention for page in (1, 2, 3) for mention in api.data("/x/mentions", page=page)]
    stored = {
        record["data"]["id"]: record["data"]
        for record in data.mentions()
        if record["data"]["account"] == "acme"
    }
    assert len(mentions) == len(stored)
    for mention in mentions:
        assert {"account": "acme", **mention} == stored[mention["id"]]


def test_token(api: Api) -> None:
    """[2.0.3]"""
    summary = api.data("/token")
    assert summary.pop("connected") is True
    assert summary == make.token()["data"]


def test_statuses(own_api: Callable[..., Api]) -> None:
    """[2.1.2] [3.3.1]"""
    statuses = ("current", "stale", "unavailable", "synthetic", "not_connected")
    sources = [
        make.source("docs", f"docs:{status}", status=status, label=status) for status in statuses
    ]
    times = {"overdue": data.OLD, "unknown": None, "future": "9999-12-31T23:59:59Z"}
    for label, at in times.items():
        stale: dict[str, Any] = {"label": label, "updatedAt": at, "staleAfterSeconds": 0}
        sources.append(make.source("docs", f"docs:{label}", **stale))
    api = own_api(*sources)
    read = {source["label"]: source["status"] for source in api.data("/sources")}
    assert read == {status: status for status in statuses} | dict.fromkeys(times, "stale")
    assert api.get("/context")["meta"]["freshness"]["updatedAt"] <= datetime.now(UTC).isoformat()
    for label, status in (read | {"not_connected": "unavailable"}).items():
        freshness = api.get("/search", source=f"docs:{label}")["meta"]["freshness"]
        assert freshness["status"] == status, label


def test_source_becomes_stale_between_two_requests_of_a_key(own_api: Callable[..., Api]) -> None:
    """[3.3.1]"""
    api = own_api(make.source("docs"))

    def status() -> str:
        return str(api.data("/sources")[0]["status"])

    statement = "UPDATE sources SET stale_after_seconds = %s, updated_at = now()"
    for seconds in (1, 2, 4, 8, 16):  # the first that is enough for a request on this machine
        api.deployment.execute(statement, [seconds])
        if status() == "current":
            break
    deadline = monotonic() + 2 * seconds
    while status() == "current":
        assert monotonic() < deadline
        sleep(0.1)
    assert status() == "stale"
