"""Data that a load stores, counts and derives, read through the API and the command."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from orgctx.bundle import BundleError
from orgctx.bundle.loader import _Load
from orgctx.stores.db import sql
from tests.support import citus
from tests.support import factories as make
from tests.support.deployment import Deployment

LATER = "2026-02-01T08:00:00Z"


@pytest.fixture
def loaded(own_acme: Deployment) -> Deployment:
    return own_acme


@pytest.fixture
def client(loaded: Deployment) -> Iterator[FlaskClient]:
    with loaded.app() as app:
        yield app.test_client()


@pytest.fixture
def get(loaded: Deployment, client: FlaskClient) -> Any:
    """The JSON of a 200 to a GET with a key for every scope."""
    headers = {"Authorization": f"Bearer {loaded.issue_key(make.ACME, make.OWNER)}"}

    def get(path: str) -> Any:
        response = client.get(f"/api/v1{path}", headers=headers)
        assert response.status_code == 200, response.text
        return response.json

    return get


def messages(get: Any, query: str = "") -> list[int]:
    return [m["id"] for m in get(f"/telegram/chats/{make.CHAT}/messages{query}")["data"]]


def test_what_is_loaded_is_what_is_read(loaded: Deployment, get: Any) -> None:
    record = make.message(
        9,
        text="Grüße 🚢",
        sender={"id": "user9", "name": "Zoë", "username": None},
        kind="document",
        file=make.file(fileName="Plan.PDF", fileSize=3, mimeType="application/pdf"),
        replyToMessageId=1,
    )
    loaded.load([record])
    data = get(f"/telegram/chats/{make.CHAT}/messages?limit=1")["data"]
    assert data == [{name: value for name, value in record["data"].items() if name != "chatId"}]


def test_offsets_are_read_in_utc(loaded: Deployment, get: Any) -> None:
    loaded.load([make.message(9, sentAt="2026-02-01T10:00:00.250+02:00")])
    read = get(f"/telegram/chats/{make.CHAT}/messages?limit=1")["data"][0]
    assert read["sentAt"] == "2026-02-01T08:00:00.250000Z"


def test_loading_twice_changes_nothing(loaded: Deployment) -> None:
    summary = loaded.load(make.everything())
    for name, counts in summary.items():
        assert counts["created"] == counts["updated"] == counts["deleted"] == 0, name
        assert counts["unchanged"] == counts["read"], name


def test_a_record_replaces_the_one_with_its_identity(loaded: Deployment, get: Any) -> None:
    summary = loaded.load([make.message(1, text="edited"), make.message(2)])
    assert summary["telegram.message"] == {
        "read": 2,
        "created": 1,
        "updated": 1,
        "unchanged": 0,
        "deleted": 0,
    }
    assert get(f"/telegram/chats/{make.CHAT}/messages")["data"][1]["text"] == "edited"


def test_of_equal_identities_in_one_stream_the_last_counts(loaded: Deployment, get: Any) -> None:
    loaded.load(
        [
            make.message(5, text="first"),
            make.delete("telegram.message", 5, chatId=make.CHAT),
            make.message(5, text="last"),
            make.message(6),
            make.delete("telegram.message", 6, chatId=make.CHAT),
        ]
    )
    assert messages(get) == [5, 1]
    assert get(f"/telegram/chats/{make.CHAT}/messages")["data"][0]["text"] == "last"


def test_approval_is_never_loaded(loaded: Deployment, get: Any) -> None:
    loaded.load([make.source("docs", label="Renamed"), make.source("docs", "docs:new")])
    labels = {source["id"]: source["label"] for source in get("/sources")["data"]}
    assert labels["docs:handbook"] == "Renamed"
    assert "docs:new" not in labels


def test_a_deleted_source_comes_back_unapproved(loaded: Deployment, get: Any) -> None:
    summary = loaded.load([make.delete("source", "docs:handbook")])
    assert summary["source"]["deleted"] == 1
    loaded.load([make.source("docs"), make.knowledge()])
    assert "docs:handbook" not in {source["id"] for source in get("/sources")["data"]}


def test_suppression_outlives_deletion(loaded: Deployment, get: Any) -> None:
    item = make.knowledge_id()
    who = ("--organization", make.ACME, "--by", make.OWNER)
    assert loaded.cli("knowledge", "suppress", *who, item).exit_code == 0
    loaded.load([make.delete("knowledge", item), make.knowledge()])
    assert item not in {found["id"] for found in get("/knowledge")["data"]}


def test_deleting_what_is_absent_is_fine(loaded: Deployment) -> None:
    gone = [
        make.delete("telegram.message", 77, chatId=make.CHAT),
        make.delete("telegram.message", 77, chatId=make.uuid("no chat")),
        make.delete("knowledge", make.knowledge_id("none")),
        make.delete("x.mention", "none"),
        make.delete("asset", make.uuid("none")),
        make.delete("telegram.chat", make.uuid("none")),
        make.delete("token", "none"),
        make.delete("member", make.uuid("none")),
        make.delete("source", "none"),
        make.delete("organization", make.uuid("none"), organization_id=make.uuid("none")),
    ]
    assert all(counts["deleted"] == 0 for counts in loaded.load(gone).values())


@pytest.mark.parametrize(
    ("type_", "id_", "path"),
    [
        ("telegram.chat", make.CHAT, "/telegram/chats"),
        ("asset", make.uuid("Brand"), "/assets"),
        ("knowledge", make.knowledge_id(), "/knowledge?kind=source&q=document"),
        ("x.mention", "1", "/x/mentions"),
    ],
)
def test_what_a_provider_deleted_goes(
    loaded: Deployment, get: Any, type_: str, id_: str, path: str
) -> None:
    before = get(path)["pagination"]["total"]
    # The folder counts together with the file in it.
    with_it = 2 if type_ == "asset" else 1
    assert loaded.load([make.delete(type_, id_)])[type_]["deleted"] == with_it
    assert get(path)["pagination"]["total"] == before - 1


def test_what_goes_with_a_record_is_counted(loaded: Deployment) -> None:
    """The summary counts by type, and nothing of another organization."""
    other = make.uuid("other")
    more = [
        {**record, "organizationId": other, "data": {**record["data"], "slug": "other"}}
        if record["type"] == "organization"
        else {**record, "organizationId": other}
        for record in make.everything()
    ]
    loaded.load([*more, *(make.message(number) for number in range(2, 5))])
    stored = Counter(record["type"] for record in make.everything())
    stored["telegram.message"] += 3

    def deleted(type_: str, id_: str) -> dict[str, int]:
        summary = loaded.load([make.delete(type_, id_)])
        return {name: counts["deleted"] for name, counts in summary.items()}

    assert deleted("telegram.chat", make.CHAT) == {"telegram.chat": 1, "telegram.message": 4}
    del stored["telegram.chat"], stored["telegram.message"]
    assert deleted("source", "docs:handbook") == {"source": 1, "knowledge": 1}
    assert deleted("source", "docs:handbook") == {"source": 0}
    stored.subtract({"source": 1, "knowledge": 1})
    assert deleted("organization", make.ACME) == stored


@citus.impossible("nothing is explained in the middle of a load")
def test_many_new_people_are_looked_up_one_by_one(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The planner may believe that the table is empty; a scan would then read a square of rows."""
    plans = []

    def explained(load: Any, name: str) -> None:
        if name == "load/derive_newer_sources":
            explain = f"EXPLAIN {sql(name)}"
            plans.append(str(load._connection.execute(explain, load._organizations).fetchall()))
        derive(load, name)

    derive = _Load._derive
    monkeypatch.setattr(_Load, "_derive", explained)
    chat = [make.organization(), make.source("telegram"), make.chat()]
    people = ({"id": f"user{n}", "name": f"Ada {n}", "username": None} for n in range(1, 1_501))
    deployment.load([*chat, *(make.message(n, sender=one) for n, one in enumerate(people, 1))])
    (plan,) = plans
    assert plan.count("Index Scan using people_by_person") == 2
    assert "people_by_time" not in plan


def test_a_folder_takes_its_content_along(loaded: Deployment, get: Any) -> None:
    loaded.load([make.delete("asset", make.uuid("Brand"))])
    assert get("/search?q=logo.png")["data"]["items"] == []
    (assets,) = [s for s in get("/sources")["data"] if s["kind"] == "assets"]
    assert assets["count"] == 0


def test_a_deleted_member_loses_authority(loaded: Deployment, client: FlaskClient) -> None:
    key = loaded.issue_key(make.ACME, make.ADMIN)
    headers = {"Authorization": f"Bearer {key}"}
    assert client.get("/api/v1/context", headers=headers).status_code == 200
    loaded.load([make.delete("member", make.ADMIN)])
    assert client.get("/api/v1/context", headers=headers).status_code == 401


def test_deleting_an_organization_deletes_everything(loaded: Deployment) -> None:
    loaded.load([make.delete("organization", make.ACME)])
    for (table,) in loaded.execute(
        "SELECT table_name FROM information_schema.columns"
        " WHERE column_name = 'organization_id' AND table_schema = 'public'"
        # The audit remembers what was done.
        " AND table_name <> 'audit'"
    ):
        count = f"SELECT count(*) FROM {table} WHERE organization_id = %s"
        assert loaded.execute(count, [make.ACME]) == [(0,)], table


def test_people_follow_from_records(loaded: Deployment, get: Any) -> None:
    ada = {"id": "user1", "name": "Ada", "username": "ada"}
    renamed = ada | {"name": "Countess"}
    loaded.load(
        [
            make.message(2, sender=renamed, sentAt=LATER),
            make.message(3, sender={"id": None, "name": "Channel", "username": None}),
        ]
    )
    person = get("/people/telegram:user1")["data"]
    assert (person["displayName"], person["activityCount"]) == ("Countess", 2)
    assert (person["firstActiveAt"], person["lastActiveAt"]) == (make.AT, LATER)
    loaded.load([make.delete("telegram.message", 2, chatId=make.CHAT)])
    person = get("/people/telegram:user1")["data"]
    assert (person["displayName"], person["activityCount"]) == ("Ada", 1)
    loaded.load([make.message(1, sender={"id": "user2", "name": "Bea", "username": None})])
    keys = {person["key"] for person in get("/people")["data"]}
    assert keys == {"telegram:user2", "x:7"}


def test_chat_counters_follow_from_messages(loaded: Deployment, get: Any) -> None:
    loaded.load([make.message(2, sentAt=LATER), make.message(3, sentAt=LATER)])
    (chat,) = get("/telegram/chats")["data"]
    assert (chat["trackedMessageCount"], chat["lastMessageAt"]) == (3, LATER)
    gone = [make.delete("telegram.message", number, chatId=make.CHAT) for number in (2, 3)]
    loaded.load(gone)
    (chat,) = get("/telegram/chats")["data"]
    assert (chat["trackedMessageCount"], chat["lastMessageAt"]) == (1, make.AT)


def test_a_chat_that_comes_back_counts_from_zero(loaded: Deployment, get: Any) -> None:
    loaded.load(
        [
            make.message(2),
            make.delete("telegram.chat", make.CHAT),
            make.chat(),
            make.message(8),
        ]
    )
    assert get("/telegram/chats")["data"][0]["trackedMessageCount"] == 1
    assert messages(get) == [8]
    assert get("/people/telegram:user1")["data"]["activityCount"] == 1


def test_a_chat_may_move_to_another_source(loaded: Deployment, get: Any) -> None:
    moved = {"source_id": "telegram:moved"}
    loaded.load([make.source("telegram", "telegram:moved"), make.chat(**moved)])
    assert get("/telegram/chats")["data"] == []
    assert get("/people")["data"][0]["platform"] == "x"
    loaded.approve(make.ACME, make.OWNER, "telegram:moved")
    person = get("/people/telegram:user1")["data"]
    assert [s["sourceId"] for s in person["sources"]] == ["telegram:moved"]
    counts = {s["id"]: s["count"] for s in get("/sources")["data"] if s["kind"] == "telegram"}
    assert counts == {"telegram:main": 0, "telegram:moved": 1}


def test_a_message_search_examines_the_newest_10000(loaded: Deployment, get: Any) -> None:
    loaded.load([make.message(number, text=f"needle {number}.") for number in range(1, 10_003)])
    path = f"/telegram/chats/{make.CHAT}/messages"
    assert get(f"{path}?q=needle 2.")["data"] == []
    assert get(f"{path}?q=needle 3.")["pagination"]["searchLimited"] is True
    assert [m["id"] for m in get(f"{path}?q=needle 3.")["data"]] == [3]
    loaded.load([make.delete("telegram.message", 10_002, chatId=make.CHAT)])
    assert [m["id"] for m in get(f"{path}?q=needle 2.")["data"]] == [2]
    assert get("/search?q=needle 9.")["data"]["hasMore"] is True


def test_organizations_with_equal_ids_do_not_meet(loaded: Deployment, client: FlaskClient) -> None:
    other = make.uuid("other")
    loaded.load(make.everything(other))
    loaded.load([make.message(1, text="theirs", organization_id=other)])
    loaded.approve(other, make.OWNER)
    texts = {}
    for organization_id in (make.ACME, other):
        headers = {"Authorization": f"Bearer {loaded.issue_key(organization_id, make.OWNER)}"}
        answer = client.get(f"/api/v1/telegram/chats/{make.CHAT}/messages", headers=headers).json
        texts[organization_id] = [message["text"] for message in answer["data"]]
    assert texts == {make.ACME: ["Message 1"], other: ["theirs"]}


def test_a_dry_run_counts_and_stores_nothing(loaded: Deployment, get: Any) -> None:
    lines = "\n".join(map(json.dumps, [make.message(2), make.message(3)]))
    result = loaded.cli("load", "-", "--dry-run", "--json", stdin=lines)
    assert result.json()["telegram.message"]["created"] == 2
    assert messages(get) == [1]


def test_several_files_are_one_stream(deployment: Deployment, tmp_path: Any) -> None:
    records = make.everything()
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    first.write_text("\n".join(map(json.dumps, records[:5])), "utf-8")
    second.write_bytes(b"\xef\xbb\xbf" + "\r\n\r\n".join(map(json.dumps, records[5:])).encode())
    summary = deployment.cli("load", first, second, "--json").json()
    assert sum(counts["created"] for counts in summary.values()) == len(records)
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"type": "member"\n', "utf-8")
    result = deployment.cli("load", first, broken)
    assert result.exit_code == 1
    assert f"{broken}:1: is not a JSON object in UTF-8" in result.stderr


def test_a_bad_line_stops_the_whole_stream(loaded: Deployment, get: Any) -> None:
    with pytest.raises(BundleError) as caught:
        loaded.load([make.message(2), make.message(0), make.delete("source", "docs:handbook")])
    assert caught.value.faults == ["record:2: data.id must be an integer from 1 to 2147483647"]
    assert messages(get) == [1]


def test_concurrent_loads_of_one_organization_both_arrive(loaded: Deployment) -> None:
    from concurrent.futures import ThreadPoolExecutor

    halves = [[make.message(n) for n in range(start, 2000, 2)] for start in (2, 3)]
    with ThreadPoolExecutor() as pool:
        list(pool.map(loaded.load, halves))
    assert loaded.execute("SELECT tracked_message_count FROM telegram_chats") == [(1999,)]
    assert loaded.execute("SELECT activity_count FROM people WHERE platform = 'telegram'") == [
        (1999,)
    ]
