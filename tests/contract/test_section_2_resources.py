"""Section 2: what answers are made of, beside its tables (see test_section_2_tables)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.contract import data, shapes
from tests.contract.checks import validate
from tests.contract.conftest import Api
from tests.support import factories as make

every_operation = pytest.mark.parametrize("name", data.PATHS)


def members(value: Any) -> Iterator[tuple[str, Any]]:
    """Every member of every object within."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name, inner
            yield from members(inner)
    elif isinstance(value, list):
        for item in value:
            yield from members(item)


@every_operation
def test_times_and_ids(api: Api, name: str) -> None:
    """2 "All timestamps are ISO 8601 date-time strings."
    2 "All `id`/`organizationId` values marked uuid are UUID strings."
    """
    times = shapes.nullable(shapes.DATE_TIME)
    for member, value in members(api.get(data.PATHS[name])):
        if re.fullmatch(r"\w+At|at", member):
            validate(times, value)
        if member in ("organizationId", "folderId", "parentId") and value is not None:
            validate(shapes.UUID, value)


@every_operation
def test_the_envelope(api: Api, name: str) -> None:
    """2.1 "Every successful JSON response is an object with these members:"
    2.1 "Freshness object (no extra members):"
    """
    body = api.get(data.PATHS[name])
    is_paginated = name in shapes.PAGINATED
    assert set(body) == {"data", "meta"} | ({"pagination"} if is_paginated else set())
    assert body["meta"]["organizationId"] == make.ACME
    validate(shapes.FRESHNESS, body["meta"]["freshness"])


@pytest.mark.parametrize("status", ["stale", "unavailable", "synthetic"])
def test_states_are_real(own_api: Callable[..., Api], status: str) -> None:
    """2.1 "Stale, unavailable and synthetic data are real states, not empty success; a list may be
    empty with status unavailable."
    4.2 "Sources can be stale, unavailable or synthetic."
    """
    api = own_api()
    source = make.source("x", status=status, updatedAt=None)
    api.deployment.load([make.organization(), *make.staff(), source])
    before = api.get("/x/mentions")
    assert (before["data"], before["meta"]["freshness"]["status"]) == ([], "unavailable")
    api.deployment.approve(make.ACME, make.OWNER)
    body = api.get("/x/mentions")
    assert body["data"] == []
    assert body["meta"]["freshness"]["status"] == status
    assert f"Acme x is {status}." in body["meta"]["freshness"]["note"]
    assert [source["status"] for source in api.data("/sources")] == [status]


def test_numbered_pagination(api: Api) -> None:
    """2.2 "NumberedPagination: page (integer >=1), pageSize (integer >=1), total (integer >=0),
    totalPages (integer >=0), hasNextPage (boolean)."
    """
    for path in ("/knowledge", "/telegram/chats", "/x/mentions"):
        validate(shapes.NUMBERED_PAGINATION, api.get(path)["pagination"])
    assert api.get("/x/mentions", page=3)["pagination"] == {
        "page": 3,
        "pageSize": 20,
        "total": 45,
        "totalPages": 3,
        "hasNextPage": False,
    }


def test_people_pagination(api: Api) -> None:
    """2.2 "PeoplePagination: the numbered fields above plus searchLimited (boolean; true when the
    people search pool was capped, so pages need not cover all stored activity)."
    """
    pagination = api.get("/people", q="a")["pagination"]
    validate(shapes.PEOPLE_PAGINATION, pagination)
    assert pagination["searchLimited"] is False


def test_asset_pagination(api: Api) -> None:
    """2.2 "AssetPagination: the numbered fields plus folderId (uuid or null) and folderName (string
    or null), identifying the current folder."
    """
    root = api.get("/assets")["pagination"]
    assert (root["folderId"], root["folderName"]) == (None, None)
    brand = api.get("/assets", folderId=make.uuid("Brand"))["pagination"]
    assert (brand["folderId"], brand["folderName"]) == (make.uuid("Brand"), "Brand")


def test_message_pagination(api: Api) -> None:
    """2.2 "MessagePagination (no extra members): limit (integer 1..100), hasMore (boolean),
    nextBefore (integer or null), searchLimited (boolean)."
    """
    body = api.get(f"/telegram/chats/{make.CHAT}/messages", limit=7)
    assert body["pagination"] == {
        "limit": 7,
        "hasMore": True,
        "nextBefore": body["data"][-1]["id"],
        "searchLimited": False,
    }


def test_scopes(api: Api) -> None:
    """2.3 "context:read, knowledge:read, assets:read, telegram:read, x:read, token:read." """
    assert api.data("/context")["grantedScopes"] == shapes.SCOPE["enum"]


def test_source_ids_filter_searches(api: Api) -> None:
    """2.4 "id | string | yes | Stable source ID, usable as the `source` filter of search" """
    for source in api.data("/sources")[:12]:
        found = api.data("/search", source=source["id"], limit=50)
        assert {item["sourceId"] for item in found["items"]} <= {source["id"]}
        assert [one["id"] for one in found["sources"]] == [source["id"]]


def test_identity_follows_its_source(own_api: Callable[..., Api]) -> None:
    """2.5 "organization | object | yes | id (uuid, required); optional displayName (string), slug
    (string), createdAt (date-time), updatedAt (date-time). Identity fields may be absent when their
    sources are filtered"
    D3 "`organization.displayName`, `slug`, `createdAt`, `updatedAt` appear in /context only while
    the profile source is exposed."
    """
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


CONNECTION_SCOPES = {
    "knowledge": "knowledge:read",
    "assets": "assets:read",
    "telegram": "telegram:read",
    "x": "x:read",
    "token": "token:read",
}


@pytest.mark.parametrize(("block", "scope"), CONNECTION_SCOPES.items())
def test_connections_follow_scopes(api: Api, block: str, scope: str) -> None:
    """2.5 "connections | object | yes | Only explicitly approved sources matching the credential's
    scopes are present; each block below is optional"
    """
    assert list(api.data("/context", scopes=("context:read", scope))["connections"]) == [block]


def test_connection_blocks(api: Api) -> None:
    """2.5 "knowledge: available (boolean), docs (ConnectionState or null). Both required."
    2.5 "assets: available (boolean), itemCount (integer >=0), updatedAt (date-time or null). All
    required."
    2.5 "telegram: ConnectionState plus chatCount (integer >=0)."
    2.5 "x: ConnectionState plus username (string or null)."
    2.5 "token: ConnectionState plus address (string or null) and symbol (string or null)."
    2.5 "ConnectionState: connected (boolean), status (available, current, stale, unavailable,
    synthetic, error), updatedAt (date-time or null). All required."
    2.5 "No extra members allowed."
    """
    at = {"updatedAt": make.AT}
    current = {"connected": True, "status": "current"} | at
    assert api.data("/context")["connections"] == {
        "knowledge": {"available": True, "docs": {"connected": True, "status": "stale"} | at},
        "assets": {"available": True, "itemCount": 64} | at,
        "telegram": current | {"chatCount": 2 + data.SILENT_CHAT_COUNT},
        "x": current | {"username": "acme"},
        "token": current | {"address": make.ADDRESS, "symbol": "ACME"},
    }


@pytest.mark.parametrize(("stored", "status"), [("available", "available"), ("error", "error")])
def test_connection_states_of_collectors(
    own_api: Callable[..., Api], stored: str, status: str
) -> None:
    """3 "ConnectionState.status | available, current, stale, unavailable, synthetic, error"
    D11 "`ConnectionState.status` `available` and `error` are accepted when stored for a source by a
    collector as such; aggregation never produces them."
    """
    api = own_api()
    records = [make.organization(), *make.staff(), make.source("x", status=stored)]
    api.deployment.load(records)
    api.deployment.approve(make.ACME, make.OWNER)
    assert api.data("/context")["connections"]["x"]["status"] == status
    assert api.data("/sources")[0]["status"] in ("current", "unavailable")


def test_search_items(api: Api) -> None:
    """2.6 "items | array | Bounded previews, each with the members below"
    2.6 "Item members (all required): id (string); kind (document, note, message, post, person,
    asset, profile, token); title (string); preview (string); sourceLabel (string); sourceId
    (string); href (string or null); updatedAt (date-time or null)."
    """
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
        found = [item for item in items if item["kind"] == kind]
        assert found, kind
        validate(shapes.SEARCH_ITEM, found[0])


def test_search_says_that_there_is_more(api: Api) -> None:
    """2.6 "hasMore | boolean | More matching records within indexed coverage exist, or a bounded
    source pool was hit; it does not mean the provider history is complete"
    """
    assert api.data("/search", q="Mention 10", limit=44, source="x:main")["hasMore"] is True
    assert api.data("/search", q="Mention 10", limit=45, source="x:main")["hasMore"] is False


def test_people_are_of_one_platform(api: Api) -> None:
    """2.7 "People are platform-specific identities (chat or social-post source) with stored,
    approved activity only."
    2.7 "They never include account profiles of the organization's users, private person notes,
    merged cross-platform identities, or live avatars."
    2.7 "Each person has a `key` (string, max 250 chars as a path parameter) returned by the list."
    2.7 "The list items and the detail are objects with additional properties allowed."
    """
    people = api.data("/people") + api.data("/people", page=2)
    keys = [person["key"] for person in people]
    assert {key.partition(":")[0] for key in keys} == {"telegram", "x"}
    assert "x:99" not in keys
    assert not {make.OWNER, make.ADMIN, make.MEMBER} & {person["id"] for person in people}
    for person in people[:5]:
        detail = api.data(f"/people/{person['key']}")
        assert detail.pop("recentActivity")
        assert detail == person


def test_knowledge_summaries(api: Api) -> None:
    """2.8 "All fields are required." """
    for item in api.data("/knowledge"):
        validate(shapes.KNOWLEDGE_SUMMARY, item)


def test_knowledge_items(api: Api) -> None:
    """2.9 "All KnowledgeSummary fields plus (no other members allowed):"
    2.9 "content (string)"
    2.9 "contentFormat (markdown or plain_text)"
    2.9 "contentRange (object, no extra members): offset (integer >=0), length (integer >=0), total
    (integer >=0), nextOffset (integer >=0 or null; null when the end is reached)."
    """
    for item in api.data("/knowledge", page=2):
        whole = api.data(f"/knowledge/{item['id']}")
        content, _, content_range = (
            whole.pop(name) for name in ("content", "contentFormat", "contentRange")
        )
        assert whole == item
        assert content_range == {
            "offset": 0,
            "length": len(content),
            "total": len(content),
            "nextOffset": None,
        }


def test_knowledge_units(api: Api) -> None:
    """2.9 "Offsets and lengths count UTF-16 code units." """
    item = api.data(f"/knowledge/{data.LONG}", offset=5, limit=2)
    assert item["content"] == "🚢"
    assert item["contentRange"] == {
        "offset": 5,
        "length": 2,
        "total": 8 * 8_000,
        "nextOffset": 7,
    }


def test_assets_hold_nothing_private(api: Api) -> None:
    """2.10 "No extra members."
    2.10 "All required."
    2.10 "Private object keys, signed URLs and file contents are never returned."
    """
    for asset in api.data("/assets", folderId=make.uuid("Brand")):
        validate(shapes.ASSET, asset)
        assert (asset["publicUrl"] is not None) == (asset["name"] == "apple.png")


def test_chats(api: Api) -> None:
    """2.11 "No extra members."
    2.11 "All required: id (uuid), type (group, supergroup, channel), title (string), username
    (string or null), memberCount (integer >=0), trackedMessageCount (integer >=0), lastMessageAt
    (date-time or null), linkedAt (date-time), updatedAt (date-time)."
    """
    chats = {chat["id"]: chat for chat in api.data("/telegram/chats")}
    assert chats[make.CHAT]["trackedMessageCount"] == 120
    assert chats[data.SECOND_CHAT] == {
        "id": data.SECOND_CHAT,
        "type": "supergroup",
        "title": "Acme second",
        "username": None,
        "memberCount": 12,
        "trackedMessageCount": 2,
        "lastMessageAt": "2026-01-30T00:00:00Z",
        "linkedAt": make.AT,
        "updatedAt": make.AT,
    }


def test_messages(api: Api) -> None:
    """2.12 "No extra members."
    2.12 "All required."
    2.12 "Provider file IDs are omitted."
    """
    messages = api.data(f"/telegram/chats/{make.CHAT}/messages", limit=100)
    assert {message["kind"] for message in messages} == set(data.KINDS)
    assert {message["file"]["sticker"] for message in messages if message["file"]} == {
        None,
        "static",
        "animated",
        "video",
    }
    for message in messages:
        validate(shapes.TELEGRAM_MESSAGE, message)


def test_mentions(api: Api) -> None:
    """2.13 "XMention (no extra members, all required): id (string), url (string, URI), text
    (string), createdAt (date-time), metrics (object: likes, reposts, replies, quotes, views, all
    integers), isReply (boolean), isRepost (boolean), author (XAuthor), media (array of objects with
    type = photo, video or gif; url string; previewUrl string), quoted (null or object with author
    XAuthor, text string, url string URI)."
    2.13 "XAuthor (all required): id (string), username (string), name (string), verified
    (boolean)."
    """
    mentions = [mention for page in (1, 2, 3) for mention in api.data("/x/mentions", page=page)]
    stored = {
        record["data"]["id"]: record["data"]
        for record in data.mentions()
        if record["data"]["account"] == "acme"
    }
    assert len(mentions) == len(stored)
    for mention in mentions:
        validate(shapes.X_MENTION, mention)
        assert {"account": "acme", **mention} == stored[mention["id"]]


def test_token(api: Api) -> None:
    """2.14 "No extra members."
    2.14 "All required at top level."
    2.14 "The summary comes from stored data only; no chain-node or market-provider request is
    made."
    """
    summary = api.data("/token")
    assert summary.pop("connected") is True
    assert summary == make.token()["data"]
