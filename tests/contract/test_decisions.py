"""Promises of docs/contract.md on order, parsing, exposure and freshness."""

import json
from collections.abc import Callable
from itertools import chain

import pytest

from tests.contract import data
from tests.contract.conftest import Api
from tests.contract.test_section_7_errors import NOWHERE
from tests.operations import PATHS
from tests.support import factories as make


def test_freshness_covers_the_sources_of_the_answer(api: Api) -> None:
    """[3.3.8]"""
    stale = make.knowledge_id("stale")
    expected = {
        "/knowledge": "synthetic",
        f"/knowledge/{make.knowledge_id(1)}": "current",
        f"/knowledge/{stale}": "stale",
        "/search": "synthetic",
        "/search?source=docs:stale": "stale",
        "/search?source=docs:handbook": "current",
        "/assets": "stale",
        f"/assets?folderId={make.uuid('Brand')}": "current",
        f"/assets/{make.uuid('Brand')}": "current",
        "/telegram/chats": "current",
        PATHS["list_telegram_messages"]: "current",
        "/people/telegram:user1": "current",
    }
    for path, status in expected.items():
        assert api.get(path)["meta"]["freshness"]["status"] == status, path
    note = api.get("/knowledge")["meta"]["freshness"]["note"]
    assert note == '"Acme docs" is stale. "Acme notes" is synthetic. "Acme assets" is unavailable.'
    assert "note" not in api.get("/telegram/chats")["meta"]["freshness"]


COMBINATIONS = {
    ("current",): "current",
    ("current", "current"): "current",
    ("current", "stale"): "stale",
    ("current", "unavailable"): "stale",
    ("current", "not_connected"): "stale",
    ("unavailable", "not_connected"): "unavailable",
    ("not_connected",): "unavailable",
    ("unavailable", "synthetic"): "synthetic",
    ("current", "synthetic", "stale"): "synthetic",
    ("error",): "unavailable",
    ("error", "available"): "stale",
    ("available",): "current",
}


def test_aggregate_status(own_api: Callable[..., Api]) -> None:
    """[3.3.3] [3.3.6] [3.3.7]"""
    sources = {
        statuses: [
            make.source(
                "docs", f"docs:{number}-{n}", status=one, updatedAt=f"2026-01-0{n + 1}T00:00:00Z"
            )
            for n, one in enumerate(statuses)
        ]
        for number, statuses in enumerate(COMBINATIONS)
    }
    api = own_api(*chain(*sources.values()))
    api.key()
    for statuses, status in COMBINATIONS.items():
        ids = [one["sourceId"] for one in sources[statuses]]
        api.deployment.execute("UPDATE api_keys SET source_ids = %s", [ids])
        freshness = api.get("/knowledge")["meta"]["freshness"]
        last = f"2026-01-0{len(statuses)}T00:00:00Z"
        assert (freshness["status"], freshness["updatedAt"]) == (status, last), statuses
        connection = api.data("/context")["connections"]["knowledge"]["docs"]
        assert connection["connected"] == (set(statuses) != {"not_connected"})
        is_kept = statuses in (("error",), ("available",))
        assert connection["status"] == (statuses[0] if is_kept else status)


def test_hrefs_lead_to_the_record(api: Api) -> None:
    """[4.0.5]"""
    for source in api.data("/sources"):
        if source["id"] not in data.SEARCHED:
            continue
        if source["id"] == "notes:synthetic":
            assert source["href"] == "https://acme.example/n"
        else:
            api.get(source["href"].removeprefix("/api/v1"))
    seen = set()
    for q in ("Mention 1003", "document 3", "note", "Message 100", "eve 3", "apple", "acme t", "u"):
        for item in api.data("/search", q=q, limit=50)["items"]:
            seen.add(item["kind"])
            if item["kind"] == "post":
                assert item["href"] == f"https://x.com/bob/status/{item['id']}"
                continue
            text = api.request(item["href"].removeprefix("/api/v1")).text
            name = item["id"].rpartition(":")[2] if item["kind"] == "message" else item["id"]
            assert json.dumps(name) in text or f'"id":{name},' in text
    assert len(seen) >= 7


def test_search_items_have_titles_and_ids(api: Api) -> None:
    """[2.4.1] [2.6.2] [4.3.12]"""
    note = make.knowledge_id(prefix="note")
    expected = {
        "docs:handbook": ("Document 3", "document", make.knowledge_id(3), "Document 3"),
        "notes:team": ("From note", "note", note, "From note"),
        "telegram:main": ("Message 100", "message", f"{make.CHAT}:100", "User 40 in Acme main"),
        "x:main": ("Mention 1003", "post", "1003", "@user3"),
        "assets:main": ("apple.png", "asset", make.uuid("apple.png"), "apple.png"),
        "profile:main": ("acme", "profile", make.ACME, "Acme"),
        "token:main": ("ACME", "token", make.ADDRESS, "Acme Token (ACME)"),
    }
    for source_id, (q, *item) in expected.items():
        result = api.data("/search", q=q, source=source_id, limit=50)
        shown = [[one["kind"], one["id"], one["title"]] for one in result["items"]]
        assert item in shown, source_id
        assert {one["sourceId"] for one in result["items"]} == {source_id}
        assert [source["id"] for source in result["sources"]] == [source_id]
    (person,) = api.data("/search", q="eve 3")["items"]
    assert (person["kind"], person["preview"]) == ("person", "Eve 3")
    assert (person["id"], person["title"]) == ("x:3", "Eve 3")


def test_person_totals(api: Api) -> None:
    """[2.7.3]"""
    ada = api.data("/people/telegram:user1")
    first, last = "2026-01-30T00:00:00Z", "2026-01-31T08:01:00Z"
    assert (ada["id"], ada["displayName"], ada["activityCount"]) == ("user1", "User 1", 4)
    assert (ada["firstActiveAt"], ada["lastActiveAt"]) == (first, last)
    assert {ada[name] for name in ("username", "profileUrl", "verified")} == {None}
    assert [[*source.values()] for source in ada["sources"]] == [
        ["telegram:main", "Acme telegram", 2, last], ["telegram:second", "Second chat", 2, first],
    ]  # fmt: skip
    eve = api.data("/people/x:3")
    assert (eve["verified"], eve["profileUrl"]) == (True, "https://x.com/user3")
    assert not [person for person in api.data("/people") if person["id"] == "None"]


def test_recent_activity(small_api: Callable[..., Api]) -> None:
    api = small_api()
    messages = [
        make.message(n, sentAt=f"2026-01-{n:02}T00:00:00Z", text=f"  Said\n{n} ")
        for n in range(1, 26)
    ]
    api.deployment.load(messages)
    person = api.data("/people/telegram:user1")
    assert person["activityCount"] == 25
    activity = person["recentActivity"]
    assert [one["id"] for one in activity] == [f"{make.CHAT}:{n}" for n in range(25, 5, -1)]
    assert activity[0] == {
        "kind": "message",
        "id": f"{make.CHAT}:25",
        "sourceId": "telegram:main",
        "preview": "Said 25",
        "at": "2026-01-25T00:00:00Z",
        "href": activity[0]["href"],
    }
    (message,) = api.data(activity[0]["href"].removeprefix("/api/v1"))
    assert message["id"] == 25
    (post,) = api.data("/people/x:7")["recentActivity"]
    assert (post["kind"], post["href"]) == ("post", "https://x.com/bob/status/1")


PREVIEWS = {
    "short": "short",
    " a\n\n b\tc\u00a0d ": "a b c d",
    "": "",
    "x" * 240: "x" * 240,
    "x" * 241: "x" * 239 + "…",
    "🚢 " * 200: ("🚢 " * 120)[:239] + "…",
}


def test_previews_of_knowledge(own_api: Callable[..., Api]) -> None:
    """[2.9.8] [4.3.13]"""
    items = [make.knowledge(n, content=content) for n, content in enumerate(PREVIEWS)]
    api = own_api(make.source("docs"), *items)
    expected = {make.knowledge_id(n): preview for n, preview in enumerate(PREVIEWS.values())}
    for found in (api.data("/knowledge"), api.data("/search")["items"]):
        assert {one["id"]: one["preview"] for one in found} == expected


def test_date_times_are_utc(api: Api) -> None:
    """[1.15]"""
    item = api.data(f"/knowledge/{data.LONG}", limit=1)
    assert item["updatedAt"] == "2026-02-01T00:00:00.250000Z"
    assert item["createdAt"] == "2026-01-31T08:00:00Z"


def test_healthz_and_readyz(api: Api) -> None:
    """[9.1]"""
    for path in ("/healthz", "/readyz"):
        response = api.client.get(path)
        assert (response.status_code, response.headers["Cache-Control"]) == (200, "no-store")
        assert "RateLimit-Limit" not in response.headers
        assert api.client.post(path).status_code == 405
    ready = {"status": "ready", "checks": {"database": "ok", "redis": "ok"}}
    assert api.client.get("/readyz").json.items() >= ready.items()


@pytest.mark.parametrize("failed", NOWHERE)
def test_readyz_names_the_failed_check(acme_api: Callable[..., Api], failed: str) -> None:
    """[9.2] [1.17]"""
    client = acme_api(**{f"{failed}_url": NOWHERE[failed]}).client
    response = client.get("/readyz")
    assert response.status_code == 503
    expected = {"database": "ok", "redis": "ok"} | {failed: "connection refused"}
    assert response.json["checks"] == expected
    assert client.get("/healthz").status_code == 200


@pytest.mark.thorough
def test_people_search_is_bounded(own_api: Callable[..., Api]) -> None:
    """[4.3.15]"""
    authors = (make.author(n, name=f"No. {n};") for n in range(10_000))
    mentions = (
        make.mention(n, author=author, text="", createdAt=f"2026-01-01T{n // 3600:02}:00:00Z")
        for n, author in enumerate(authors)
    )
    api = own_api(make.source("x"), *mentions)

    def search(number: int) -> tuple[int, bool, int, bool]:
        body = api.get("/people", q=f"no. {number};")
        whole = api.data("/search", q=f"no. {number};")
        people = sum(item["kind"] == "person" for item in whole["items"])
        limited = body["pagination"]["searchLimited"]
        return len(body["data"]), limited, people, whole["hasMore"]

    assert search(0) == (1, False, 1, False)
    newest = make.author(10_000, name="No. 10000;")
    api.deployment.load([make.mention(10_000, author=newest, text="", createdAt=make.AT)])
    assert search(10_000) == (1, True, 1, True)
    # Several people share the earliest time; the last of them by key is left out.
    assert search(max(range(3_600), key=str)) == (0, True, 0, True)
    assert search(min(range(3_600), key=str)) == (1, True, 1, True)
    pagination = api.get("/people", page=201)["pagination"]
    assert (pagination["total"], pagination["searchLimited"]) == (10_001, False)
    assert len(api.data("/people", page=201)) == 1


def test_folder_joins_several_assets_sources(own_api: Callable[..., Api]) -> None:
    """[3.2.9]"""
    api = own_api()
    shelf = make.folder("shelf")
    inside = [
        make.asset("mine", parentId=make.uuid("shelf")),
        make.asset("theirs", parentId=make.uuid("shelf"), source_id="assets:other"),
    ]
    sources = [make.source("assets"), make.source("assets", "assets:other")]
    api.deployment.load([make.organization(), *make.staff(), *sources, shelf, *inside])
    api.deployment.approve(make.ACME, make.OWNER, "assets:main")
    for names, approved in ((["mine"], ()), (["mine", "theirs"], ("assets:other",))):
        if approved:
            api.deployment.approve(make.ACME, make.OWNER, *approved)
        listed = api.data("/assets", folderId=make.uuid("shelf"))
        assert [asset["name"] for asset in listed] == names
    api.deployment.cli("sources", "withdraw", *make.WHO, "assets:main").done()
    api.get("/assets", folderId=make.uuid("shelf"), status=404)
    assert api.data(f"/assets/{make.uuid('theirs')}")["name"] == "theirs"
    assert api.data("/assets") == []
