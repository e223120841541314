"""Section 4, endpoint by endpoint: parameters, page sizes, what is returned."""

import re
from collections.abc import Callable
from itertools import chain
from operator import itemgetter
from typing import Any

import pytest

from orgctx.resources.catalog import OPERATIONS
from tests.contract import data
from tests.contract.conftest import Api
from tests.mcp.endpoint import Endpoint
from tests.operations import PATHS
from tests.support import factories as make

MESSAGES = PATHS["list_telegram_messages"]
ADA = {"id": "ada9", "name": "Ada Nine", "username": None}


def ids(api: Api, path: str, **query: Any) -> list[Any]:
    """The ids of a list."""
    return [item["id"] for item in api.data(path, **query)]


def test_get_context(api: Api) -> None:
    """[2.5.1] [4.0.7]"""
    context = api.data("/context", scopes=("context:read",))
    assert context["organization"] == {"id": make.ACME, **make.organization()["data"]}
    assert context["grantedScopes"] == ["context:read"]
    assert [source["id"] for source in context["sources"]] == ["profile:main"]
    assert context["connections"] == {}
    assert api.message("/context", 400, q="x") == ("q is not a parameter; this operation has none")


def test_list_sources(api: Api) -> None:
    """[4.2.5]"""
    sources = api.data("/sources")
    assert {source["id"] for source in sources} == set(data.SOURCES)
    assert all(source["included"] is source["external"] is True for source in sources)
    expected = {
        "docs:handbook": 47,
        "docs:stale": 1,
        "notes:synthetic": 1,
        "notes:team": 1,
        "assets:main": 63,
        "assets:unavailable": 0,
        "profile:main": None,
        "token:main": None,
        "x:main": 45,
        "telegram:main": 120,
        "telegram:second": 2,
        "telegram:silent-0": 0,
    }
    counts = [(source["id"], source.get("count")) for source in sources if source["id"] in expected]
    assert counts == [*expected.items()]
    narrow = api.data("/sources", scopes=("context:read", "x:read"))
    assert [source["id"] for source in narrow] == ["profile:main", "x:main"]


def test_sources_are_in_order(own_api: Callable[..., Api]) -> None:
    labels = {"notes:1": "a", "docs:1": "b", "docs:3": "A", "docs:2": "a", "docs:4": "C"}
    sources = [make.source(id_.partition(":")[0], id_, label=labels[id_]) for id_ in labels]
    api = own_api(*sources)
    assert ids(api, "/sources") == ["docs:2", "docs:3", "docs:1", "docs:4", "notes:1"]


def test_list_people(api: Api) -> None:
    body = api.get("/people")
    assert (len(body["data"]), body["pagination"]["pageSize"]) == (50, 50)
    assert body["pagination"]["total"] == 57 + 7
    found = api.get("/people", q="EVE 3")
    assert [person["key"] for person in found["data"]] == ["x:3"]
    assert found["pagination"]["searchLimited"] is False


@pytest.mark.parametrize("key", ["telegram:nobody", "x:99", "x", "x:", ":1", "fax:1", "é" * 250])
def test_invisible_people_are_404(api: Api, key: str) -> None:
    api.get(f"/people/{key}", status=404)


def test_knowledge_filters(api: Api) -> None:
    def total(**query: Any) -> int:
        count: int = api.get("/knowledge", **query)["pagination"]["total"]
        return count

    assert total() == total(kind="all", visibility="all", archived="false", page=1) == 53
    assert total(scopes=("knowledge:read",)) == 53
    assert (total(kind="source"), total(kind="note")) == (51, 2)
    assert (total(visibility="public"), total(visibility="team")) == (31, 22)
    assert total(archived="true") == 1
    for item in api.data("/knowledge", kind="note"):
        assert (item["kind"], item["id"][:5]) == ("note", "note:")


@pytest.mark.parametrize("value", ["True", "1", "yes", "", "null"])
def test_booleans_are_strict(api: Api, value: str) -> None:
    message = api.message("/knowledge", 400, archived=value)
    assert message.startswith("archived must be true or false")


def test_knowledge_pages(api: Api) -> None:
    pages = [api.data("/knowledge", page=page) for page in (1, 2, 3, 4)]
    assert [*map(len, pages)] == [20, 20, 13, 0]
    items = sorted(chain(*pages), key=itemgetter("id"))
    assert [*chain(*pages)] == sorted(items, key=itemgetter("updatedAt"), reverse=True)


@pytest.mark.parametrize("prefix", make.KNOWLEDGE)
def test_read_knowledge(api: Api, prefix: str) -> None:
    """[4.7.2] [4.7.3] [7.20]"""
    id_ = make.knowledge_id(prefix=prefix)
    encoded = id_.replace(":", "%3A")
    assert api.data(f"/knowledge/{encoded}", scopes=("knowledge:read",))["id"] == id_
    if prefix != "chain":
        kind, _, uuid = id_.partition(":")
        assert api.data(f"/knowledge/{kind}:{uuid.upper()}")["id"] == id_


def test_list_assets(api: Api) -> None:
    """[7.20]"""
    brand = api.get("/assets", folderId=make.uuid("Brand").upper())
    assert [asset["name"] for asset in brand["data"]] == ["Inner", "apple.png", "Zebra.png"]
    for asset in brand["data"]:
        assert api.data(f"/assets/{asset['id']}") == asset
    place = {"folderId": make.uuid("Brand"), "folderName": "Brand"}
    assert brand["pagination"].items() >= place.items()
    root = api.get("/assets")
    assert [asset["name"] for asset in root["data"]][:3] == ["archive", "Brand", "file-00.bin"]
    assert root["pagination"].items() >= dict.fromkeys(place).items()
    assert api.data("/assets", folderId=make.uuid("Inner")) == []


def test_assets_pages(api: Api) -> None:
    pages = [api.data("/assets", page=page) for page in (1, 2, 3)]
    assert [len(page) for page in pages] == [50, 10, 0]
    order = [(asset["kind"] == "file", asset["name"].lower()) for page in pages for asset in page]
    assert order == sorted(order)


def test_folder_must_be_a_folder(api: Api) -> None:
    for folder_id in (make.uuid("apple.png"), make.uuid("nothing")):
        api.get("/assets", folderId=folder_id, status=404)
    api.get("/assets", folderId="", status=400)


def test_list_telegram_chats(api: Api) -> None:
    titles = [[chat["title"] for chat in api.data("/telegram/chats", page=page)] for page in (1, 2)]
    assert [len(page) for page in titles] == [50, 3]
    silent = [f"Silent {number:02}" for number in range(data.SILENT_CHAT_COUNT)]
    assert titles[0] + titles[1] == ["Acme main", "Acme 2nd", *silent]


def test_chats_by_title_and_username(api: Api) -> None:

    def titles(q: str) -> list[str]:
        return [chat["title"] for chat in api.data("/telegram/chats", q=q)]

    assert titles("ACME ") == ["Acme main", "Acme 2nd"]
    assert titles("silent 07") == ["Silent 07"]
    assert titles("nothing") == []
    (chat,) = api.data("/telegram/chats", q="acme main")
    assert titles(chat["username"].upper())[0] == "Acme main"
    assert len(titles("")) == 50
    api.get("/telegram/chats", status=400, q="x" * 201)


def test_list_telegram_messages(api: Api) -> None:
    """[2.12.1] [4.0.7]"""
    newest = api.data(MESSAGES, limit=100)
    assert {message["kind"] for message in newest} == set(data.MESSAGE_KINDS)
    stickers = {message["file"]["sticker"] for message in newest if message["file"]}
    assert stickers == {None, "static", "animated", "video"}
    assert ids(api, MESSAGES) == list(range(120, 70, -1))
    assert ids(api, MESSAGES, before=3) == [2, 1]
    assert ids(api, MESSAGES, before=1) == []
    assert ids(api, MESSAGES, before=2_147_483_647, limit=1) == [120]
    for query in ({"before": 0}, {"before": 2_147_483_648}, {"limit": 0}, {"limit": 101}):
        api.get(MESSAGES, status=400, **query)
    api.get(f"/telegram/chats/{make.uuid('nothing')}/messages", status=404)


@pytest.mark.parametrize("q", [None, "message", "plan"])
def test_messages_paginate(api: Api, q: str | None) -> None:
    query: dict[str, Any] = {"limit": 5} | ({"q": q} if q else {})
    collected: list[int] = []
    while True:
        body = api.get(MESSAGES, **query)
        collected += [message["id"] for message in body["data"]]
        if not body["pagination"]["hasMore"]:
            assert body["pagination"]["nextBefore"] is None
            break
        query["before"] = body["pagination"]["nextBefore"]
    step, first = {None: (1, 1), "message": (10, 10), "plan": (10, 5)}[q]
    assert collected == list(range(first, 121, step))[::-1]


def test_message_q(api: Api) -> None:
    assert ids(api, MESSAGES, q="MESSAGE 110") == [110]
    assert ids(api, MESSAGES, q="plan 115.PDF") == [115]
    assert ids(api, MESSAGES, q="poll") == []
    assert ids(api, MESSAGES, q="User 1") == []


@pytest.mark.parametrize(
    ("around", "limit", "newest", "oldest", "next_before"),
    [
        (60, 10, 65, 56, 56),
        (60, 1, 60, 60, 60),
        (60, 5, 62, 58, 58),
        (1, 10, 10, 1, None),
        (118, 10, 120, 111, 111),
        (2_147_483_647, 3, 120, 118, 118),
        (60, 100, 110, 11, 11),
    ],
)
def test_messages_around_an_id(
    api: Api, around: int, limit: int, newest: int, oldest: int, next_before: int | None
) -> None:
    body = api.get(MESSAGES, around=around, limit=limit, q="")
    assert [message["id"] for message in body["data"]] == list(range(newest, oldest - 1, -1))
    assert body["pagination"] == {
        "limit": limit,
        "hasMore": next_before is not None,
        "nextBefore": next_before,
        "searchLimited": False,
    }


@pytest.mark.parametrize(
    "query",
    [
        {"around": 0},
        {"around": 2_147_483_648},
        {"around": 5, "before": 9},
        {"around": 5, "q": "plan"},
        {"around": 5, "sender": "telegram:user1"},
        {"sender": ""},
        {"sender": "x:1"},
        {"sender": "telegram:"},
        {"sender": "telegram:a/b"},
    ],
)
def test_message_filters_are_strict(api: Api, query: dict[str, Any]) -> None:
    """[4.11.12]"""
    api.get(MESSAGES, status=400, **query)


def test_messages_of_a_name(small_api: Callable[..., Api]) -> None:
    """[4.11.12] [7.29] Names are those of senders of the chat, without regard to case and form."""
    api = small_api()
    other = make.uuid("other")
    people = [
        ("a", "Grace H", "grace"),
        ("b", "Twin", None),
        ("c", "Twin", None),
        ("d", "Twin 2", "Bo"),
        ("e", "Bo", None),
        ("f", "x: Corp", None),
        ("g", "René O’Neil–Ray", None),
    ]
    api.deployment.load(
        [
            make.source("telegram", "telegram:other"),
            make.chat(other, source_id="telegram:other"),
            *(
                make.message(50 + i, sender={"id": id_, "name": name, "username": username})
                for i, (id_, name, username) in enumerate(people)
            ),
            make.message(1, chatId=other, source_id="telegram:other")
            | {"sourceId": "telegram:other"},
        ]
    )

    def found(sender: str) -> list[int]:
        return ids(api, MESSAGES, sender=sender)

    for name in ("grace", "@GRACE", "grace h", "telegram:a"):
        assert found(name) == [50]
    assert found("@BO") == found("twin 2") == [53]
    assert found("x: corp") == [55]
    assert found("Rene\u0301 O'Neil-Ray") == [56]
    for name in ("grac", "@", "Grace  Hopper", "zelda"):
        assert found(name) == []
    assert ids(api, MESSAGES, sender="grace", q="message 50") == [50]
    error = api.get(MESSAGES, status=400, sender="TWIN")["error"]
    assert "telegram:b, telegram:c;" in error["message"]
    api.get(f"/telegram/chats/{make.uuid('nothing')}/messages", status=404, sender="grace")


def test_messages_of_a_span(small_api: Callable[..., Api]) -> None:
    """A span is of the time at which messages were sent, whatever their ids are."""
    api = small_api()
    days = {50: 3, 51: 1, 52: 2, 53: 4}
    api.deployment.load(
        make.message(id_, sentAt=f"2025-03-0{day}T12:00:00Z", text=f"day {day}", sender=ADA)
        for id_, day in days.items()
    )

    def found(**query: Any) -> list[int]:
        return ids(api, MESSAGES, until="2025-03-05T00:00:00Z", **query)

    assert found() == [53, 52, 51, 50]
    assert found(since="2025-03-02T13:00:00+01:00") == [53, 52, 50]
    assert ids(api, MESSAGES, since="2025-03-02T12:00:00Z", until="2025-03-03T12:00:00Z") == [52]
    assert found(since="2025-03-02T00:00:00Z", before=53) == [52, 50]
    assert found(q="DAY 2") == [52]
    assert found(sender="telegram:ada9") == [53, 52, 51, 50]
    assert found(sender="ada nine", q="day 4", since="2025-03-01T00:00:00Z") == [53]
    assert found(sender="telegram:user1") == found(sender="nobody") == found(q="else") == []
    page = api.get(MESSAGES, until="2025-03-05T00:00:00Z", limit=3)
    assert page["pagination"]["nextBefore"] == 51
    for query in (
        {"since": "2025-03-02T00:00:00Z", "until": "2025-03-02T00:00:00Z"},
        {"since": "2025-03-02"},
        {"until": ""},
        {"around": 5, "since": "2025-03-02T00:00:00Z"},
    ):
        api.get(MESSAGES, status=400, **query)


@pytest.mark.thorough
def test_message_searches_are_bounded(own_api: Callable[..., Api]) -> None:
    """[4.3.15] [4.11.9] [2.6.3]"""
    messages = [make.message(number, text=f"No. {number};") for number in range(1, 10_001)]
    api = own_api(make.source("telegram"), make.chat(), *messages)

    def search(number: int) -> tuple[list[int], bool, bool, bool]:
        body = api.get(MESSAGES, q=f"no. {number};")
        whole = api.data("/search", q=f"no. {number};")
        messages = [item for item in whole["items"] if item["kind"] == "message"]
        found_ids = [message["id"] for message in body["data"]]
        assert [f"{make.CHAT}:{id_}" for id_ in found_ids] == [item["id"] for item in messages]
        limited = body["pagination"]["searchLimited"]
        return found_ids, limited, body["pagination"]["hasMore"], whole["hasMore"]

    assert search(1) == ([1], False, False, False)
    api.deployment.load([make.message(10_001, text="No. 10001;")])
    assert search(1) == ([], True, False, True)
    assert search(2) == ([2], True, False, True)
    assert api.get(MESSAGES)["pagination"]["searchLimited"] is False
    api.deployment.load([make.delete("telegram.message", 5, chatId=make.CHAT)])
    assert search(1) == ([1], False, False, False)


def test_list_x_mentions(api: Api) -> None:
    pages = [api.data("/x/mentions", page=page) for page in (1, 2, 3)]
    pagination = api.get("/x/mentions", page=3)["pagination"]
    assert [pagination[name] for name in ("page", "pageSize", "total")] == [3, 20, 45]
    assert [len(page) for page in pages] == [20, 20, 5]
    order = [(mention["createdAt"], mention["id"]) for page in pages for mention in page]
    by_id = sorted(order, key=lambda pair: pair[1])
    assert order == sorted(by_id, key=lambda pair: pair[0], reverse=True)


def test_mention_filters(small_api: Callable[..., Api]) -> None:
    """[4.12.8]"""
    api = small_api()
    views = {1: 100, 2: 7, 3: 900, 4: 100}
    api.deployment.load(
        make.mention(
            number,
            text=f"Post {number} about the Café",
            createdAt=f"2026-01-0{number}T00:00:00Z",
            metrics={"likes": 3, "reposts": 1, "replies": 0, "quotes": 0, "views": count},
        )
        for number, count in views.items()
    )

    def found(**query: Any) -> list[str]:
        body = api.get("/x/mentions", **query)
        assert body["pagination"]["total"] == len(body["data"])
        return [mention["id"] for mention in body["data"]]

    assert found() == found(sort="newest") == found(q="") == ["4", "3", "2", "1"]
    assert found(sort="views") == ["3", "4", "1", "2"]
    assert found(q="CAFÉ") == ["4", "3", "2", "1"]
    assert found(q="post 2 ABOUT") == ["2"]
    assert found(q="nothing like this") == []
    assert found(after="2026-01-02T01:00:00+01:00", before="2026-01-04T00:00:00Z") == ["3", "2"]
    assert found(after="2026-01-02T00:00:00Z", q="about", sort="views") == ["3", "4", "2"]
    assert found(author="BOB") == found(author="@bob", q="post") == ["4", "3", "2", "1"]
    assert found(author="nobody") == found(author="bo") == []
    first = api.get("/x/mentions", limit=3)
    assert [mention["id"] for mention in first["data"]] == ["4", "3", "2"]
    assert (first["pagination"]["pageSize"], first["pagination"]["totalPages"]) == (3, 2)
    assert len(api.data("/x/mentions", limit=1, author="bob", sort="views", page=3)) == 1
    page = api.get("/x/mentions", sort="views", page=2)
    assert (page["data"], page["pagination"]["total"]) == ([], 4)
    for query in (
        {"sort": "likes"},
        {"sort": ""},
        {"after": "2026-01-02"},
        {"after": "2026-01-02T00:00:00Z", "before": "2026-01-02T00:00:00Z"},
        {"q": "x" * 201},
        {"limit": 0},
        {"limit": 101},
        {"author": "@"},
        {"author": "a b"},
    ):
        api.get("/x/mentions", status=400, **query)
    api.deployment.load([make.mention(9, author=make.author(8))])
    error = api.get("/x/mentions", status=400, author="bob")["error"]
    assert "x:7, x:8;" in error["message"]


@pytest.mark.parametrize("name", [operation.name for operation in OPERATIONS if operation.watches])
def test_watch_marks(own_api: Callable[..., Api], name: str) -> None:
    """[6.2] [6.3]"""
    api, path = own_api(), PATHS[name]
    api.deployment.load(make.everything())
    redis = api.redis()
    mark = f"orgctx:watched:{{{make.ACME}}}"
    api.request(path)
    assert not redis.exists(mark)
    api.deployment.approve(make.ACME, make.OWNER)
    endpoint = Endpoint(api.client, api.key())
    for other in ("/context", "/search", "/people", "/telegram/chats"):
        api.get(other)
    endpoint.tool("get_context")
    api.get(path, status=400, x=1)
    api.get(path, status=403, scopes=("context:read",))
    assert not redis.exists(mark)
    etag = api.request(path).headers["ETag"]
    requests: list[dict[str, Any]] = [
        {}, {"method": "HEAD"}, {"headers": {"If-None-Match": etag}},
    ]  # fmt: skip
    for options in requests:
        redis.delete(mark)
        before = redis.time()[0]
        api.request(path, **options)
        marked = int(redis.get(mark))
        assert before - 1 <= marked <= redis.time()[0] + 1
        assert 90 <= redis.expiretime(mark) - marked < 120
    redis.delete(mark)
    endpoint.tool(name)
    assert redis.exists(mark)


def test_token_without_snapshot(own_api: Callable[..., Api]) -> None:
    """[3.4.3]"""
    api = own_api(make.source("token", account=None))
    unavailable = {"updatedAt": None, "status": "unavailable"}
    assert api.data("/token") == {
        "connected": False,
        "token": None,
        "index": None,
        "holders": None,
        "latestFees": None,
        "latestTradeAt": None,
        "sources": {"transfers": unavailable, "fees": unavailable},
    }
    assert api.data("/sources")[0]["status"] == "not_connected"
    state = api.data("/context")["connections"]["token"]
    assert (state["connected"], state["status"]) == (False, "unavailable")


def test_reading_starts_before_the_next_match(own_api: Callable[..., Api]) -> None:
    # Matches at the start, at the end, across chunks, after wide characters, and with white space.
    content = "Red kite" + "🚢" * 5_000 + " red\n\n kite" + "x" * 3_175 + "RED KITE" + "y" * 8_192
    content += "red\tkite" + "z" * 50 + "red kite"
    path = f"/knowledge/{make.knowledge_id()}"
    api = own_api(make.source(), make.knowledge(content=content))
    units = content.encode("utf-16-le")
    places = [
        len(content[: match.start()].encode("utf-16-le")) // 2
        for match in re.finditer(r"red\s+kite", content, re.IGNORECASE)
    ]
    assert len(places) == 5
    offset = 0
    for place in places:
        for limit in (1, 2, 300):
            item = api.data(path, q="rEd kite", offset=offset, limit=limit)
            start = item["contentRange"]["offset"]
            end = start + item["contentRange"]["length"]
            assert max(0, place - 201) <= start <= place < end
            assert item["content"] == units[2 * start : 2 * end].decode("utf-16-le")
            assert limit < 300 or "red" in item["content"].lower()
        offset = place + 1
    long = api.data(path, q="kite", limit=5_000)["contentRange"]
    assert (long["offset"], long["length"], long["nextOffset"]) == (0, 4_000, 4_000)
    for arguments in ({"q": "red kite", "offset": offset}, {"q": "nowhere"}):
        item = api.data(path, **arguments)
        assert item["content"] == ""
        assert (item["contentRange"]["length"], item["contentRange"]["nextOffset"]) == (0, None)
    assert api.data(path, q="")["contentRange"]["offset"] == 0
    assert api.get(f"/knowledge/{make.knowledge_id('none')}", status=404, q="red")
