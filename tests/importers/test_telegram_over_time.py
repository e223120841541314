"""Several exports of one chat, made at different times, by different versions and accounts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from orgctx.importers.telegram import importer as telegram
from tests.importers.conftest import Read, Run, Write, convert, unchanged
from tests.importers.exports import account, chat, message
from tests.support.deployment import Deployment

Load = Callable[..., dict[str, Any]]
Texts = Callable[[], dict[int, str]]
SOURCE = "telegram:main"
LACKING = "stored message that the export lacks; pass --prune to delete it"
BOB = {"from": "Bob", "from_id": "user8"}


@pytest.fixture
def texts(acme: Deployment) -> Texts:
    """`texts()` returns the stored texts by message."""
    return lambda: dict(acme.execute("SELECT id, text FROM telegram_messages ORDER BY id"))


@pytest.fixture
def load(run: Run, write: Write) -> Load:
    """`load(message(1), ..., name="Title")` imports a chat and returns the report."""

    def load_chat(*messages: Any, options: tuple[str, ...] = (), **head: Any) -> dict[str, Any]:
        path = write("result.json", chat(*messages, **head))
        report: dict[str, Any] = run("telegram", path, source=SOURCE, options=options).json()
        return report

    return load_chat


def test_prune_deletes_a_message_that_is_gone(load: Load, texts: Texts) -> None:
    load(*(message(number) for number in range(1, 6)))
    later = (message(2), message(4, type="service"), message(5), message(6))
    report = load(*later)
    assert report["skipped"][LACKING]["count"] == 1
    assert report["skipped"][LACKING]["examples"] == ["telegram:main, message 3"]
    assert report["deleted"] == 0
    report = load(*later, options=("--prune",))
    assert report["types"]["telegram.message"]["deleted"] == 1
    # The export says nothing about messages before its first one; message 4 is of another kind.
    assert texts().keys() == {1, 2, 4, 5, 6}
    assert unchanged(load(*later, options=("--prune",)))


def test_prune_ignores_an_earlier_export(load: Load, texts: Texts) -> None:
    load(message(1), message(2), message(3), message(9))
    skipped = load(message(1), message(3), options=("--prune",))["skipped"]
    assert {reason: entry["count"] for reason, entry in skipped.items()} == {
        "message stored from a later collection": 2
    }
    assert texts().keys() == {1, 2, 3, 9}


@pytest.mark.parametrize(
    ("messages", "reason"),
    [
        ([message(1), message(4), {"id": "x"}], "some input was refused"),
        ([message(1), message(4), message(5)], "contains the messages of one person"),
        (
            [
                message(number, date_unixtime=str(1_770_000_123 + number * 61))
                for number in (1, 2, 4)
            ],
            "another account exported the chat",
        ),
    ],
    ids=["refused", "one person", "another account"],
)
def test_prune_keeps_what_an_unreliable_export_lacks(
    run: Run, write: Write, load: Load, texts: Texts, messages: list[Any], reason: str
) -> None:
    load(message(1), message(2, **BOB), message(3, **BOB), message(4))
    path = write("result.json", chat(*messages))
    assert reason in run("telegram", path, source=SOURCE, options=("--prune",)).stdout
    assert {2, 3} <= texts().keys()


def test_earlier_export_brings_only_later_edits(load: Load, texts: Texts, read: Read) -> None:
    new = message(1, text="new", edited_unixtime="1769850000")
    load(new, message(2, **{"from": "Ada L."}), message(9), name="New title")
    report = load(message(1, text="first"), name="Old title")
    assert report["skipped"]["message stored with a later edit"]["count"] == 1
    older = message(1, text="old", edited_unixtime="1769846500")
    edited = message(9, text="edited", edited_unixtime="1769846520")
    load(older, message(2), message(3), edited, name="Old title")
    assert texts() == {1: "new", 2: "Message 2", 3: "Message 3", 9: "edited"}
    (stored,) = read("/telegram/chats")
    assert stored["title"] == "New title"
    messages = read(f"/telegram/chats/{stored['id']}/messages")
    assert [data["sender"]["name"] for data in messages if data["id"] == 2] == ["Ada L."]
    assert read("/sources")[0]["updatedAt"] == "2026-01-31T09:00:00Z"


def old(number: int, **members: Any) -> dict[str, Any]:
    """A message as it was exported before 2021, by a person in Berlin."""
    defaults = {"date": f"2026-01-31T09:00:{number % 60:02}", "edited": "1970-01-01T01:00:00"}
    exported = message(number, from_id=2**32 + 7, **defaults) | members
    return {
        name: value
        for name, value in exported.items()
        if name not in ("date_unixtime", "text_entities")
    }


def test_exports_before_and_since_2021_are_one_chat(load: Load, read: Read) -> None:
    report = load(old(1), old(2), id=2**33 + 4242, options=("--timezone", "Europe/Berlin"))
    assert report["repaired"] == {"time without a zone, read as Europe/Berlin (--timezone)": 2}
    (before,) = read("/telegram/chats")
    assert unchanged(load(message(1), message(2)))
    load(message(1), message(2), message(3))
    (after,) = read("/telegram/chats")
    assert (after["id"], after["trackedMessageCount"]) == (before["id"], 3)
    messages = read(f"/telegram/chats/{after['id']}/messages")
    assert {data["sender"]["id"] for data in messages} == {"user7"}
    assert len(read("/people")) == 1


@pytest.mark.parametrize("kind", ["private_group", "private_supergroup", "public_channel"])
def test_chat_id_before_2021_is_brought_to_that_of_today(write: Write, kind: str) -> None:
    def chat_id(exported: Any, number: int) -> str:
        path = write("result.json", chat(exported, id=number, type=kind))
        return str(convert(telegram, path)[1]["data"]["id"])

    assert chat_id(old(1), 2**33 + 4242) == chat_id(message(1), 4242)
    # A large number of today is not taken for one of before 2021.
    assert chat_id(message(1), 2**33 + 4242) not in {
        chat_id(message(1), 4242),
        chat_id(old(1), 2**33 + 4242),
    }


def test_report_names_the_assumed_time_zone(load: Load, run: Run, write: Write) -> None:
    assert list(load(old(1))["repaired"]) == ["time without a zone, read as UTC (--timezone)"]
    wrong = run("telegram", write("r.json", chat()), source="x", options=("--timezone", "Mars"))
    assert wrong.exit_code == 2
    assert "'Mars'. Use a name such as Europe/Berlin" in wrong.stderr


def test_messages_before_the_migration_are_another_chat(load: Load, read: Read) -> None:
    shift = -1_000_000_000
    migration = {"type": "service", "text": ""}
    messages = (
        message(shift + 1),
        message(shift + 2, reply_to_message_id=shift + 1),
        message(shift + 3, action="migrate_to_supergroup", **migration),
        message(1, action="migrate_from_group", **migration),
        message(2, reply_to_message_id=shift + 2),
    )
    report = load(*messages)
    assert report["types"]["telegram.message"]["created"] == 3
    assert report["skipped"]["service message"]["count"] == 2
    assert unchanged(load(*messages))
    chats = {data["title"]: data for data in read("/telegram/chats")}
    kinds = {title: data["type"] for title, data in chats.items()}
    assert kinds == {"Acme chat": "supergroup", "Acme chat (before migration)": "group"}
    replies = {
        title: [
            (data["id"], data["replyToMessageId"])
            for data in read(f"/telegram/chats/{chats[title]['id']}/messages")
        ]
        for title in chats
    }
    assert replies == {
        "Acme chat": [(2, None)],
        "Acme chat (before migration)": [(2, 1), (1, None)],
    }
    assert {source["id"] for source in read("/sources")} == {SOURCE, f"{SOURCE}:before-migration"}


def test_source_ages_from_the_newest_message_on(load: Load, read: Read) -> None:
    load(message(1, date_unixtime="1612137600"), message(2, date_unixtime="1612224000"))
    (source,) = read("/sources")
    assert (source["updatedAt"], source["status"]) == ("2021-02-02T00:00:00Z", "stale")
    load(message(3, date_unixtime="4070908800"), options=("--stale-after", "60"))
    (source,) = read("/sources")
    # A time in the future is not believed.
    assert source["updatedAt"] < "2099"


def test_account_states_when_it_was_exported(write: Write) -> None:
    """Nothing else of what it says about its owner becomes a record."""
    session = {"last_active_unixtime": "1769999999", "last_ip": "192.0.2.1"}
    private = {"sessions": {"list": [session]}, "personal_information": {"phone_number": "+49 0"}}
    path = write("result.json", private | account([chat(message(1))], []))
    records = convert(telegram, path)
    assert records[0]["data"]["updatedAt"] == "2026-02-02T02:39:59Z"
    text = json.dumps(records)
    assert "192.0" not in text
    assert "+49" not in text


def test_stale_after_stays_until_it_is_changed(acme: Deployment, load: Load) -> None:
    for options, seconds in (((), 7 * 86_400), (("--stale-after", "3600"), 3600), ((), 3600)):
        load(message(1), options=options)
        assert acme.execute("SELECT stale_after_seconds FROM sources") == [(seconds,)]


def test_second_chat_needs_a_second_source(run: Run, load: Load, write: Write) -> None:
    load(message(1))
    other = write("other.json", chat(message(1), id=5, name="Other"))
    refused = run("telegram", other, source=SOURCE)
    assert "already contains the chat 'Acme chat'" in refused.stderr
    same = run("telegram", write("same.json", chat(message(1))), source="telegram:b")
    assert "is already stored in telegram:main; import it there with --source" in same.stderr
    # In the export of an account, the chat goes to the source that has it.
    both = write("both.json", account([chat(message(1)), chat(message(1), id=5)], []))
    assert run("telegram", both, source="telegram").json()["created"] == 3


def test_export_may_be_a_folder(run: Run, write: Write, tmp_path: Path) -> None:
    write("ChatExport/result.json", chat(message(1)))
    assert run("telegram", tmp_path / "ChatExport", source=SOURCE).json()["created"] == 3
    write("ChatExport2/messages.html", "<html>")
    refused = run("telegram", tmp_path / "ChatExport2", source=SOURCE).stderr
    assert "ChatExport2: is an HTML export; export again in Telegram Desktop and" in refused
    write("other/a.txt", "a")
    assert "contains no result.json" in run("telegram", tmp_path / "other", source=SOURCE).stderr


def test_long_names_are_cut_and_reported(load: Load, read: Read) -> None:
    long = "n" * 9_000
    document = message(1, **{"from": long}, file="f/" + long, file_name=long, mime_type=long)
    topic = message(2, type="service", action="topic_created", title=long, actor=long)
    assert load(document, topic, name=long)["repaired"] == {
        "name of a chat cut to 512 characters": 1,
        "name of a sender cut to 512 characters": 2,
        "name of a file cut to 512 characters": 1,
        "type of a file cut to 512 characters": 1,
    }
    assert len(read("/telegram/chats")[0]["title"]) == 512


def test_member_count_is_the_number_of_people_who_wrote(
    acme: Deployment, load: Load, read: Read
) -> None:
    def member_count() -> int:
        return int(read("/telegram/chats")[0]["memberCount"])

    nobody = {"from": None, "from_id": None}
    load(message(1, **nobody))
    assert member_count() == 1
    load(message(1, **nobody), message(2), message(3, **BOB), message(4))
    assert member_count() == 2
    # People of all exports count, and no import lowers the number.
    eve = message(9, **{"from": "Eve", "from_id": "user9"})
    load(eve)
    assert member_count() == 3
    assert unchanged(load(eve))
    acme.execute("UPDATE telegram_chats SET member_count = 120")
    load(message(10, **{"from": "Dan", "from_id": "user10"}))
    assert member_count() == 120


def test_label_belongs_to_one_chat(run: Run, load: Load, write: Write, read: Read) -> None:
    load(message(1), options=("--label", "Community", "--description", "Our chat"))
    (source,) = read("/sources")
    assert (source["label"], source["description"]) == ("Community", "Our chat")
    both = write("both.json", account([chat(message(1)), chat(message(1), id=5)], []))
    refused = run("telegram", both, source="telegram", options=("--label", "Community"))
    assert "--label: names one source, and each chat here gets its own" in refused.stderr
