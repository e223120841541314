"""Section 2: the resources in answers. Its tables are the schemas of all answers."""

from collections.abc import Callable

import pytest

from orgctx.operations.source_kinds import SCOPES
from tests.contract import data, json_schemas, tables
from tests.contract.conftest import Api
from tests.operations import PAGINATED, PATHS, context, search
from tests.support import factories as make

CONNECTIONS = context.CONTEXT["properties"]["connections"]["properties"]

every_operation = pytest.mark.parametrize("name", PATHS)


def test_every_table_is_the_schema_of_a_resource() -> None:
    """Except the envelope's, which test_envelope checks."""
    described = {row.table for row in tables.rows()}
    assert json_schemas.USED | {"Envelope"} == described, (
        "docs/contract.md: its tables in section 2"
    )


@every_operation
def test_envelope(api: Api, name: str) -> None:
    """[2.0.1] [2.0.2] [2.0.3] [2.1.1]"""
    body = api.get(PATHS[name])
    is_paginated = name in PAGINATED
    assert set(body) == {"data", "meta"} | ({"pagination"} if is_paginated else set())
    assert body["meta"]["organizationId"] == make.ACME


@pytest.mark.parametrize("status", ["stale", "unavailable", "synthetic"])
def test_states_of_sources(own_api: Callable[..., Api], status: str) -> None:
    """[2.1.2] [4.2.3]"""
    api = own_api()
    source = make.source("x", status=status, updatedAt=None)
    api.deployment.load([make.organization(), *make.staff(), source])
    before = api.get("/x/mentions")
    assert (before["data"], before["meta"]["freshness"]["status"]) == ([], "unavailable")
    api.deployment.approve(make.ACME, make.OWNER)
    body = api.get("/x/mentions")
    assert body["data"] == []
    assert body["meta"]["freshness"]["status"] == status
    assert f'"Acme x" is {status}.' in body["meta"]["freshness"]["note"]
    assert [stored["status"] for stored in api.data("/sources")] == [status]


def test_numbered_pagination(api: Api) -> None:
    """[2.2.1]"""
    assert api.get("/x/mentions", page=3)["pagination"] == {
        "page": 3,
        "pageSize": 20,
        "total": 45,
        "totalPages": 3,
        "hasNextPage": False,
    }


def test_people_pagination(api: Api) -> None:
    """[2.2.2]"""
    assert api.get("/people", q="a")["pagination"]["searchLimited"] is False


def test_asset_pagination(api: Api) -> None:
    """[2.2.3]"""
    root = api.get("/assets")["pagination"]
    assert (root["folderId"], root["folderName"]) == (None, None)
    brand = api.get("/assets", folderId=make.uuid("Brand"))["pagination"]
    assert (brand["folderId"], brand["folderName"]) == (make.uuid("Brand"), "Brand")


def test_message_pagination(api: Api) -> None:
    """[2.2.4]"""
    body = api.get(f"/telegram/chats/{make.CHAT}/messages", limit=7)
    assert body["pagination"] == {
        "limit": 7,
        "hasMore": True,
        "nextBefore": body["data"][-1]["id"],
        "searchLimited": False,
    }


def test_scopes(api: Api) -> None:
    """[2.3.1]"""
    assert api.data("/context")["grantedScopes"] == list(SCOPES)
    assert set(SCOPES) == set(json_schemas.SCOPE["enum"])


def test_source_id_filters_search(api: Api) -> None:
    """[2.4.1]"""
    for source_id in data.SEARCHED:
        result = api.data("/search", source=source_id, limit=50)
        assert {item["sourceId"] for item in result["items"]} <= {source_id}
        assert [source["id"] for source in result["sources"]] == [source_id]


def test_identity_needs_the_profile_source(own_api: Callable[..., Api]) -> None:
    """[2.5.1]"""
    api = own_api()
    api.deployment.load(make.everything())
    assert api.data("/context")["organization"] == {"id": make.ACME}
    api.deployment.approve(make.ACME, make.OWNER, "profile:main")
    assert api.data("/context")["organization"] == {
        "id": make.ACME,
        "displayName": "Acme",
        "slug": "acme",
        "createdAt": make.AT,
        "updatedAt": make.AT,
    }


@pytest.mark.parametrize("name", CONNECTIONS)
def test_connection_needs_its_scope(api: Api, name: str) -> None:
    """[2.5.2]"""
    scopes = ("context:read", f"{name}:read")
    assert list(api.data("/context", scopes=scopes)["connections"]) == [name]


def test_connections_have_all_members(api: Api) -> None:
    """[2.5.3] [2.5.4] [2.5.5] [2.5.6] [2.5.7] [2.5.8] [2.0.3]"""
    updated = {"updatedAt": make.AT}
    current = {"connected": True, "status": "current"} | updated
    assert api.data("/context")["connections"] == {
        "knowledge": {"available": True, "docs": {"connected": True, "status": "stale"} | updated},
        "assets": {"available": True, "itemCount": 63} | updated,
        "telegram": current | {"chatCount": 2 + data.SILENT_CHAT_COUNT},
        "x": current | {"username": "acme"},
        "token": current | {"address": make.ADDRESS, "symbol": "ACME"},
    }


@pytest.mark.parametrize("status", ["available", "error"])
def test_connection_has_the_loaded_status(own_api: Callable[..., Api], status: str) -> None:
    """[3.1.3] [3.3.7]"""
    api = own_api()
    records = [make.organization(), *make.staff(), make.source("x", status=status)]
    api.deployment.load(records)
    api.deployment.approve(make.ACME, make.OWNER)
    assert api.data("/context")["connections"]["x"]["status"] == status
    assert api.data("/sources")[0]["status"] in ("current", "unavailable")


def test_search_items(api: Api) -> None:
    """[2.6.1] [2.6.2]"""
    kinds = {
        "document": ("Document 3", "docs:handbook"),
        "note": ("From note", "notes:team"),
        "message": ("Message 100", "telegram:main"),
        "post": ("Mention 1003", "x:main"),
        "person": ("Eve 3", "x:main"),
        "asset": ("apple.png", "assets:main"),
        "profile": ("Acme", "profile:main"),
        "token": ("Acme Token", "token:main"),
    }
    for kind, (q, source_id) in kinds.items():
        items = api.data("/search", q=q, source=source_id, limit=50)["items"]
        assert kind in {item["kind"] for item in items}
    assert set(kinds) <= set(search.ITEM_KINDS)


def test_search_has_more(api: Api) -> None:
    """[2.6.3]"""
    assert api.data("/search", q="Mention 10", limit=44, source="x:main")["hasMore"] is True
    assert api.data("/search", q="Mention 10", limit=45, source="x:main")["hasMore"] is False


def test_people_belong_to_one_platform(api: Api) -> None:
    """[2.7.1] [2.7.2] [2.7.3] [2.7.4]"""
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
    """[2.9.1] [2.9.2]"""
    for item in api.data("/knowledge", page=2):
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


def test_knowledge_counts_utf_16_units(api: Api) -> None:
    """[2.9.3]"""
    item = api.data(f"/knowledge/{data.LONG}", offset=5, limit=2)
    assert item["content"] == "🚢"
    assert item["contentRange"] == {
        "offset": 5,
        "length": 2,
        "total": 8 * 8_000,
        "nextOffset": 7,
    }


def test_assets_have_public_urls_only_if_public(api: Api) -> None:
    """[2.0.3] [2.10.1]"""
    for asset in api.data("/assets", folderId=make.uuid("Brand")):
        assert (asset["publicUrl"] is not None) == (asset["name"] == "apple.png")


def test_chats(api: Api) -> None:
    """[2.0.3] [2.11.1]"""
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


def test_messages(api: Api) -> None:
    """[2.0.3] [2.12.1]"""
    messages = api.data(f"/telegram/chats/{make.CHAT}/messages", limit=100)
    assert {message["kind"] for message in messages} == set(data.MESSAGE_KINDS)
    assert {message["file"]["sticker"] for message in messages if message["file"]} == {
        None,
        "static",
        "animated",
        "video",
    }


def test_mentions(api: Api) -> None:
    """[2.13.1] [2.13.2]"""
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
    """[2.0.3] [2.14.1]"""
    summary = api.data("/token")
    assert summary.pop("connected") is True
    assert summary == make.token()["data"]
