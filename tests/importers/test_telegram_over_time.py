"""Several exports of one chat, made at different times, by different versions and accounts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from orgctx.importers import ImportRefused
from tests.importers.conftest import unchanged
from tests.importers.exports import account, chat, message
from tests.importers.test_telegram import convert
from tests.support.deployment import Deployment, Result

Run = Callable[..., Result]
Read = Callable[[str], Any]
Write = Callable[..., Path]
SOURCE = "telegram:main"
LACKING = "stored message that the export lacks: --prune deletes it"


@pytest.fixture
def texts(acme: Deployment) -> Callable[[], dict[int, str]]:
    """`texts()` returns the stored texts by message."""
    return lambda: dict(acme.execute("SELECT id, text FROM telegram_messages ORDER BY id"))


@pytest.fixture
def load(run: Run, write: Write) -> Callable[..., dict[str, Any]]:
    """`load(message(1), ..., name="Title")`: imports a chat, options apart; returns the report."""

    def load_chat(*messages: Any, options: tuple[str, ...] = (), **head: Any) -> dict[str, Any]:
        path = write("result.json", chat(*messages, **head))
        report: dict[str, Any] = run("telegram", path, source=SOURCE, options=options).json()
        return report

    return load_chat


Load = Callable[..., dict[str, Any]]
Texts = Callable[[], dict[int, str]]
BOB = {"from": "Bob", "from_id": "user8"}


def test_a_message_that_is_gone_is_deleted_with_prune(load: Load, texts: Texts) -> None:
    load(*(message(n) for n in range(1, 6)))
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


def test_an_earlier_export_deletes_nothing(load: Load, texts: Texts) -> None:
    load(message(1), message(2), message(3), message(9))
    skipped = load(message(1), message(3), options=("--prune",))["skipped"]
    assert {reason: one["count"] for reason, one in skipped.items()} == {
        "message that is stored from a later collection": 2
    }
    assert texts().keys() == {1, 2, 3, 9}


@pytest.mark.parametrize(
    ("messages", "reason"),
    [
        ([message(1), message(4), {"id": "x"}], "something was refused"),
        ([message(1), message(4), message(5)], "holds one person's messages"),
        (
            [message(n, date_unixtime=str(1_770_000_123 + n * 61)) for n in (1, 2, 4)],
            "another account made it",
        ),
    ],
    ids=["refused", "one person", "another account"],
)
def test_what_an_export_cannot_tell_is_not_deleted(
    run: Run, write: Write, load: Load, texts: Texts, messages: list[Any], reason: str
) -> None:
    load(message(1), message(2, **BOB), message(3, **BOB), message(4))
    path = write("result.json", chat(*messages))
    stdout = run("telegram", path, source=SOURCE, options=("--prune",)).stdout
    assert f"deletions held back: {reason}" in stdout or reason in stdout
    assert {2, 3} <= texts().keys()


def test_an_earlier_export_reverts_nothing(load: Load, texts: Texts, read: Read) -> None:
    new = message(1, text="new", edited_unixtime="1769850000")
    load(new, message(2, **{"from": "Ada L."}), message(9), name="New title")
    old = message(1, text="old", edited_unixtime="1769846500")
    report = load(message(1, text="first"), name="Old title")
    assert report["skipped"]["message that is stored with a later edit"]["count"] == 1
    load(old, message(2), message(3), name="Old title")
    assert texts() == {1: "new", 2: "Message 2", 3: "Message 3", 9: "Message 9"}
    (stored,) = read("/telegram/chats")
    assert stored["title"] == "New title"
    messages = read(f"/telegram/chats/{stored['id']}/messages")
    assert [m["sender"]["name"] for m in messages if m["id"] == 2] == ["Ada L."]
    assert read("/sources")[0]["updatedAt"] == "2026-01-31T09:00:00Z"


def test_a_later_edit_in_an_earlier_export_is_kept(load: Load, texts: Texts) -> None:
    load(message(1), message(90))
    load(message(1, text="edited", edited_unixtime="1769846410"))
    assert texts()[1] == "edited"


def old(number: int, **members: Any) -> dict[str, Any]:
    """An export as it was before 2021, made by a person in Berlin."""
    seconds = number % 60
    defaults = {"date": f"2026-01-31T09:00:{seconds:02}", "edited": "1970-01-01T01:00:00"}
    one = message(number, from_id=2**32 + 7, **defaults) | members
    return {
        name: value for name, value in one.items() if name not in ("date_unixtime", "text_entities")
    }


def test_exports_of_before_and_after_2021_are_one(load: Load, read: Read) -> None:
    report = load(old(1), old(2), id=2**33 + 4242, options=("--timezone", "Europe/Berlin"))
    assert report["repaired"] == {"time without a zone, read as Europe/Berlin (--timezone)": 2}
    (before,) = read("/telegram/chats")
    assert unchanged(load(message(1), message(2)))
    load(message(1), message(2), message(3))
    (after,) = read("/telegram/chats")
    assert (after["id"], after["trackedMessageCount"]) == (before["id"], 3)
    messages = read(f"/telegram/chats/{after['id']}/messages")
    assert {m["sender"]["id"] for m in messages} == {"user7"}
    assert len(read("/people")) == 1


def test_the_report_names_the_zone_of_times_without_one(load: Load, run: Run, write: Write) -> None:
    assert list(load(old(1))["repaired"]) == ["time without a zone, read as UTC (--timezone)"]
    wrong = run("telegram", write("r.json", chat()), source="x", options=("--timezone", "Mars"))
    assert wrong.exit_code == 2
    assert "'Mars' is no time zone; name one such as Europe/Berlin" in wrong.stderr


def test_a_number_of_today_is_not_taken_for_an_old_one(write: Write) -> None:
    today = convert(write("a.json", chat(message(1), id=2**33 + 4242)))[1]["data"]["id"]
    assert today != convert(write("b.json", chat(message(1), id=4242)))[1]["data"]["id"]
    assert today != convert(write("c.json", chat(old(1), id=2**33 + 4242)))[1]["data"]["id"]


def test_what_was_said_before_the_migration_is_a_chat(load: Load, read: Read) -> None:
    shift = -1_000_000_000
    messages = (message(shift + 1), message(shift + 2, reply_to_message_id=shift + 1), message(1))
    report = load(*messages)
    assert report["types"]["telegram.message"]["created"] == 3
    assert unchanged(load(*messages))
    chats = {c["title"]: c for c in read("/telegram/chats")}
    assert chats.keys() == {"Acme chat", "Acme chat (before migration)"}
    before = chats["Acme chat (before migration)"]
    assert before["type"] == "group"
    stored = read(f"/telegram/chats/{before['id']}/messages")
    assert [(m["id"], m["replyToMessageId"]) for m in stored] == [(2, 1), (1, None)]
    assert {s["id"] for s in read("/sources")} == {SOURCE, f"{SOURCE}:before-migration"}


def test_a_source_ages_from_the_collection_on(
    load: Load, read: Read, run: Run, write: Write
) -> None:
    load(message(1, date_unixtime="1612137600"), message(2, date_unixtime="1612224000"))
    (source,) = read("/sources")
    assert (source["updatedAt"], source["status"]) == ("2021-02-02T00:00:00Z", "stale")
    load(message(3, date_unixtime="4070908800"), options=("--stale-after", "60"))
    (source,) = read("/sources")
    # A time in the future is not believed.
    assert source["updatedAt"] < "2099"


def test_an_account_states_when_it_was_exported(run: Run, read: Read, write: Write) -> None:
    whole = account([chat(message(1))], [])
    sessions = {"sessions": {"list": [{"last_active_unixtime": "1769999999"}]}}
    run("telegram", write("result.json", sessions | whole), source="telegram").json()
    assert read("/sources")[0]["updatedAt"] == "2026-02-02T02:39:59Z"


def test_stale_after_can_be_changed(acme: Deployment, load: Load) -> None:
    def stored() -> Any:
        return acme.execute("SELECT stale_after_seconds FROM sources")[0][0]

    load(message(1))
    assert stored() == 7 * 86_400
    load(message(1), options=("--stale-after", "3600"))
    load(message(1))
    assert stored() == 3600


def test_a_second_chat_needs_a_second_source(run: Run, load: Load, write: Write) -> None:
    load(message(1))
    other = write("other.json", chat(message(1), id=5, name="Other"))
    refused = run("telegram", other, source=SOURCE)
    assert (
        "holds the chat 'Acme chat' already, and a source holds one: give 'Other'" in refused.stderr
    )
    same = run("telegram", write("same.json", chat(message(1))), source="telegram:b")
    assert "is stored in telegram:main already: import it there, with --source" in same.stderr
    # In the export of an account, the chat goes to the source that has it.
    both = write("both.json", account([chat(message(1)), chat(message(1), id=5)], []))
    assert run("telegram", both, source="telegram").json()["created"] == 3


def test_a_folder_is_an_export(run: Run, write: Write, tmp_path: Path) -> None:
    write("ChatExport/result.json", chat(message(1)))
    assert run("telegram", tmp_path / "ChatExport", source=SOURCE).json()["created"] == 3
    write("ChatExport2/messages.html", "<html>")
    refused = run("telegram", tmp_path / "ChatExport2", source=SOURCE).stderr
    assert "ChatExport2: is an export as HTML: export again in Telegram Desktop and" in refused
    write("other/a.txt", "a")
    assert "holds no result.json" in run("telegram", tmp_path / "other", source=SOURCE).stderr


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"PK\x03\x04...", "is a zip archive, not JSON: unpack it and import the JSON file inside"),
        ('{"a": 1}'.encode("utf-16"), "is text in UTF-16, not JSON: save it as UTF-8: iconv"),
        ('{"a": 1}'.encode("utf-16-le"), "is text in UTF-16"),
        (b"\n<!DOCTYPE html>", "is HTML or XML, not JSON: export again in Telegram Desktop"),
        (b"7z\xbc\xaf\x27\x1c", "is a 7z archive"),
    ],
)
def test_a_file_of_another_form_is_named(write: Write, content: bytes, what: str) -> None:
    with pytest.raises(ImportRefused) as refused:
        convert(write("result.json", content))
    assert what in str(refused.value)


def test_long_names_are_cut_and_reported(run: Run, read: Read, write: Write) -> None:
    long = "n" * 9_000
    one = message(1, **{"from": long}, file="f/" + long, file_name=long, mime_type=long)
    topic = message(2, type="service", action="topic_created", title=long, actor=long)
    report = run(
        "telegram", write("result.json", chat(one, topic, name=long)), source=SOURCE
    ).json()
    assert report["repaired"] == {
        "name of a chat cut to 512 characters": 1,
        "name of a sender cut to 512 characters": 2,
        "name of a file cut to 512 characters": 1,
        "type of a file cut to 512 characters": 1,
    }
    assert len(read("/telegram/chats")[0]["title"]) == 512


def test_a_chat_without_messages_is_reported(load: Load) -> None:
    assert load()["skipped"]["chat without messages"]["examples"] == ["Acme chat"]
