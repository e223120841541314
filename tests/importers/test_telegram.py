"""Every fact of Telegram Desktop's format, through the command and back through the API."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from orgctx.importers import ImportRejected, Report
from orgctx.importers.telegram import importer as telegram
from orgctx.importers.telegram import stream
from orgctx.importers.telegram.repair import repair
from tests.importers.conftest import Read, Run, Write, convert, imported, unchanged
from tests.importers.exports import ABSENT, account, chat, message
from tests.support import factories as make
from tests.support.deployment import Deployment

SOURCE = "telegram:main"
HREF = "https://example.com/a"
LINK = {"type": "text_link", "href": HREF}
ADA = {"id": "user7", "name": "Ada", "username": None}


def converted(write: Write, *messages: Any) -> tuple[list[dict[str, Any]], Report]:
    """The data of the messages of one chat, and the report."""
    return imported(telegram, write("result.json", chat(*messages)))


def test_telegram_export_becomes_records(write: Write) -> None:
    service = message(3, type="service", date_unixtime="1769846490")
    export = chat(message(1), service, type="private_group")
    source, group, first = convert(telegram, write("result.json", export), source_id=SOURCE)
    assert source["data"] == {
        "kind": "telegram",
        "label": "Acme chat",
        "description": "Imported from a Telegram export.",
        "href": None,
        "status": "current",
        "updatedAt": "2026-01-31T08:01:30Z",
        "staleAfterSeconds": 604_800,
        "account": None,
    }
    assert group["data"] == {
        "id": first["data"]["chatId"],
        "type": "group",
        "title": "Acme chat",
        "username": None,
        "memberCount": 1,
        "linkedAt": "2026-01-31T08:00:01Z",
        "updatedAt": "2026-01-31T08:01:30Z",
    }
    assert first["data"] == {
        "chatId": group["data"]["id"],
        "id": 1,
        "sender": ADA,
        "kind": "text",
        "text": "Message 1",
        "detail": None,
        "file": None,
        "replyToMessageId": None,
        "sentAt": "2026-01-31T08:00:01Z",
        "editedAt": None,
    }
    assert {record["sourceId"] for record in (source, group, first)} == {SOURCE}


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"text": ["a ", {"type": "bold", "text": "b"}, " c"]}, {"text": "a b c"}),
        ({"text": ""}, {"text": None}),
        ({"text": ["see ", LINK | {"text": "the docs\n"}, "x"]},
         {"text": f"see the docs ({HREF})\nx"}),
        ({"text": [LINK | {"text": "\u200b"}], "photo": ABSENT}, {"text": f"\u200b ({HREF})"}),
        ({"text": [LINK | {"text": "the "}, LINK | {"text": "docs"}]},
         {"text": f"the docs ({HREF})"}),
        ({"text": [LINK | {"text": f"{HREF}?a=1"}]}, {"text": f"{HREF}?a=1"}),
        ({"text": [LINK | {"text": "a", "href": None}]}, {"text": "a"}),
        ({"text": [{"type": "mention_name", "text": "Eve", "user_id": 9}, "!"]},
         {"text": "Eve (user9)!"}),
        ({"text": [{"type": "mention_name", "text": "Eve", "user_id": 0}]}, {"text": "Eve"}),
        ({"forwarded_from": "Eve", "forwarded_from_id": "user9"},
         {"detail": "Forwarded from Eve (user9)"}),
        ({"forwarded_from": None}, {"detail": "Forwarded from Deleted account"}),
        ({"author": "Bob\nB.", "via_bot": "@gif"}, {"detail": "Signed by Bob B.\nVia @gif"}),
        ({"author": "Bob", "file": ABSENT, "media_type": "sticker", "sticker_emoji": "🔥"},
         {"detail": "🔥\nSigned by Bob"}),
        ({"text": "a\0b"}, {"text": "ab"}),
        ({"from": None}, {"sender": ADA | {"name": "Deleted account"}}),
        ({"from_id": 99}, {"sender": ADA | {"id": "user99"}}),
        ({"from_id": None}, {"sender": ADA | {"id": None}}),
        ({"from_id": "channel4242"}, {"sender": ADA | {"id": "channel4242"}}),
        ({"from_id": 2**32 + 7}, {"sender": ADA}),
        ({"from_id": 2**33 + 7}, {"sender": ADA | {"id": "channel7"}}),
        ({"date_unixtime": "0"}, {"sentAt": "1970-01-01T00:00:00Z"}),
        ({"date_unixtime": None}, {"sentAt": "2026-01-31T09:00:00Z"}),
        ({"edited_unixtime": "1769850000"}, {"editedAt": "2026-01-31T09:00:00Z"}),
        ({"edited": "1970-01-01T02:00:00"}, {"editedAt": None}),
        ({"reply_to_message_id": 5}, {"replyToMessageId": 5}),
        ({"reply_to_message_id": 5, "reply_to_peer_id": "channel1"},
         {"replyToMessageId": None, "detail": "Reply to message 5 of channel1"}),
        ({"reply_to_message_id": -999_999_990}, {"replyToMessageId": None}),
        (
            {"photo": "photos/a.jpg", "photo_file_size": 9, "width": 2, "height": 3},
            {"kind": "photo", "file": make.file(fileName="a.jpg", fileSize=9, width=2, height=3)},
        ),
        ({"photo": ABSENT, "width": -1, "height": 10**30}, {"kind": "photo", "file": make.file()}),
        ({"file": ABSENT, "media_type": "video_file"}, {"kind": "video", "file": make.file()}),
        ({"file": ABSENT, "media_type": "video_message"}, {"kind": "video"}),
        ({"file": ABSENT, "media_type": "voice_message", "duration_seconds": 4},
         {"kind": "voice", "file": make.file(duration=4)}),
        ({"file": ABSENT, "media_type": "animation"}, {"kind": "animation"}),
        ({"file": ABSENT, "media_type": "audio_file", "performer": "P", "title": "T"},
         {"kind": "audio", "detail": "P – T"}),
        (
            {"file": ABSENT, "file_name": "a.pdf", "file_size": 3, "mime_type": "application/pdf"},
            {"kind": "document", "file": make.file(
                fileName="a.pdf", fileSize=3, mimeType="application/pdf")},
        ),
        (
            {"file": "stickers/s.tgs", "media_type": "sticker", "sticker_emoji": "🔥"},
            {"kind": "sticker", "detail": "🔥",
             "file": make.file(fileName="s.tgs", sticker="animated")},
        ),
        (
            {"file": ABSENT, "file_name": "s.webm", "media_type": "sticker", "width": 512},
            {"kind": "sticker", "file": make.file(fileName="s.webm", sticker="video", width=512)},
        ),
        (
            {"poll": {"question": ["Which", {"type": "bold", "text": "?"}],
                      "answers": [{"text": "a"}, {"text": ["b", {"text": "c"}]}]}},
            {"kind": "poll", "text": "Message 1\n\nWhich?\n- a\n- bc", "detail": None,
             "file": None},
        ),
        (
            {"text": "", "poll": {"question": "Which?", "total_voters": 3, "answers": [
                {"text": "a", "voters": 1}, {"text": "b", "voters": 2}, {"text": "c"}]}},
            {"kind": "poll", "text": "Which?\n- a (1 vote)\n- b (2 votes)\n- c"},
        ),
        ({"text": "", "photo": ABSENT, "poll": {"question": "Which?", "answers": []}},
         {"kind": "photo", "text": "Which?"}),
        ({"contact_information": {"first_name": "Eve", "last_name": "Q", "phone_number": "+1"}},
         {"kind": "other", "detail": "Eve Q"}),
        ({"location_information": {"latitude": 1.5, "longitude": 2}},
         {"kind": "other", "detail": "1.5, 2"}),
        ({"location_information": {"latitude": 1}, "place_name": "Pier", "address": "Quay 1"},
         {"kind": "other", "detail": "Pier, Quay 1"}),
        ({"location_information": None}, {"kind": "other", "detail": None, "text": "Message 1"}),
        ({"giveaway_information": {"quantity": 1}}, {"kind": "other", "detail": None}),
        (
            {"todo_list": {"title": "Trip", "others_can_append": False, "answers": [
                {"text": "tickets", "id": 1}, {"text": [{"type": "bold", "text": "food"}]}]}},
            {"kind": "other", "text": "Message 1\n\nTrip\n- tickets\n- food", "detail": None},
        ),
        ({"invoice_information": '{\n "title": "Mug",\n "amount": 500,\n "currency": "EUR"\n}'},
         {"kind": "other", "detail": "Mug"}),
        ({"invoice_information": "Mug"}, {"kind": "other", "detail": "Mug"}),
        (
            {"type": "service", "action": "topic_created", "title": "Plans", "actor": "Bob",
             "actor_id": "user8", "text": ""},
            {"kind": "other", "text": "Plans", "detail": "Topic",
             "sender": {"id": "user8", "name": "Bob", "username": None}},
        ),
        ({"type": "service", "action": "topic_edit", "new_title": "Old plans", "text": ""},
         {"kind": "other", "text": "Old plans", "detail": "Topic renamed"}),
    ],
)  # fmt: skip
def test_telegram_message_maps(
    write: Write, members: dict[str, Any], expected: dict[str, Any]
) -> None:
    ((data,), _) = converted(write, message(**members))
    assert {name: data[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("exported", "reason"),
    [
        (message(id=2**31), "id must be an integer from 1"),
        (message(id="7"), "id must be an integer from 1"),
        (message(id=-1_000_000_000), "id must be an integer from 1"),
        (message(date_unixtime="soon"), "date_unixtime must be"),
        (message(date_unixtime="999999999999"), "in the years"),
        (message(date_unixtime=None, date=None), "date_unixtime or date is required"),
        (message(text=5), "text must be"),
        (message(text=[{"type": "bold"}]), "text must contain"),
        (message(from_id="a/b"), "from_id must be"),
        (message(poll=[]), "poll must be"),
        (message(text="x" * 4_000_000), "text must have at most 64 KiB"),
        (message(poll={"question": "x" * 70_000}), "poll.question must have at most 64 KiB"),
        ([1], "a message must be an object"),
        ("text", "a message must be an object"),
    ],
)
def test_telegram_message_error_names_the_place(write: Write, exported: Any, reason: str) -> None:
    messages, report = converted(write, message(1), exported, message(3))
    assert [data["id"] for data in messages] == [1, 3]
    (refused,) = report.refused
    assert refused.startswith("result.json: byte ")
    assert reason in refused


def test_telegram_report_counts_what_is_no_message(write: Write) -> None:
    messages, report = converted(
        write,
        message(1),
        message(2, type="service", action="pin_message"),
        message(3, type="service", action="topic_edit", new_icon_emoji_id=5),
        message(4, type="unsupported"),
        message(5),
    )
    assert [data["id"] for data in messages] == [1, 5]
    assert {reason: skip.count for reason, skip in report.skipped.items()} == {
        "service message": 2,
        "unsupported message": 1,
    }


def test_telegram_report_counts_parts_that_no_field_stores(write: Write) -> None:
    emoji = {"type": "custom_emoji", "text": "🔥", "document_id": "1"}
    messages, report = converted(
        write,
        message(1, reactions=[{"type": "emoji", "count": 3, "emoji": "🔥"}], text=[emoji, emoji]),
        message(2, reactions=[{"type": "paid", "count": 1}], member_of_2030={"a": 1}),
        message(3, contact_information={"first_name": "Eve", "phone_number": "+1"}),
        message(4, forwarded_from="Eve", saved_from="Eve", inline_bot_buttons=[]),
        message(5, reply_to_message_id=1, reply_to_peer_id="x"),
    )
    assert len(messages) == 5
    assert {reason: skip.count for reason, skip in report.skipped.items()} == {
        "reactions of a message": 2,
        "custom emoji, stored as a plain one": 2,
        "member_of_2030 of a message": 1,
        "telephone number of a contact": 1,
        "reply to a message of an unknown chat": 1,
    }


def test_telegram_addresses_and_polls_are_found(run: Run, read: Read, write: Write) -> None:
    poll = {"question": "Which colour?", "answers": [{"text": "mauve" * 200}, {"text": "teal"}]}
    path = write(
        "result.json",
        chat(message(1, text=[LINK | {"text": "here"}]), message(2, text="", poll=poll)),
    )
    run("telegram", path, source=SOURCE).json()
    assert unchanged(run("telegram", path, source=SOURCE).json())
    (stored,) = read("/telegram/chats")
    for term, number in (("example.com/a", 1), ("teal", 2)):
        found = read(f"/telegram/chats/{stored['id']}/messages?q={term}")
        assert [data["id"] for data in found] == [number]


def test_telegram_text_keeps_its_bound(write: Write) -> None:
    """Addresses may exceed it, and an origin is cut."""
    links = [LINK | {"text": str(n), "href": f"{HREF}{n}{'a' * 2_000}"} for n in range(40)]
    messages, report = converted(
        write,
        message(1, text=links),
        message(2, forwarded_from="n" * 900),
        message(3, text="\x01" * 20_000),
    )
    assert messages[0]["text"] == "".join(map(str, range(40)))
    assert len(messages[1]["detail"]) == 512
    assert report.repaired == {
        "addresses of links left out, because the text would exceed 64 KiB": 1,
        "detail cut to 512 characters": 1,
    }
    # The limit counts bytes as JSON, as the load format does.
    assert "message 3: text must have at most 64 KiB" in report.refused[0]


@pytest.mark.parametrize("distance", [0, 12_000])
def test_telegram_message_keeps_its_newest_edit(write: Write, distance: int) -> None:
    """It may occur several times in an export, however far apart."""
    new = message(1, text="new", edited_unixtime="1769850000")
    old = message(1, text="old", edited_unixtime="1769849000")
    others = [message(number) for number in range(2, distance)]
    messages, _ = converted(write, old, new, *others, old)
    # The last record with an id is stored.
    assert [data["text"] for data in messages if data["id"] == 1][-1] == "new"


@pytest.mark.parametrize("chunk_bytes", [1, 2, 3, 7, 64, 100_000])
def test_telegram_invalid_json_is_repaired(
    write: Write, monkeypatch: pytest.MonkeyPatch, chunk_bytes: int
) -> None:
    """Exporters write invalid escapes and unquoted ids; each may cross a boundary of a read."""
    monkeypatch.setattr(stream, "CHUNK", chunk_bytes)
    export = chat(message(1, text="1=2@3\\x20"), message(2, text="EMOJI"), name="A@B")
    text = json.dumps(export, indent=1).replace("@", "\\x01").replace("1=2", "1=\\x00\\x1F2")
    emoji = '[{"type": "custom_emoji", "text": "🔥",\n "document_id": stickers/a (2).webm\n},\n"x"]'
    report = Report()
    path = write("result.json", text.replace('"EMOJI"', emoji))
    _, group, *messages = [record["data"] for record in convert(telegram, path, report)]
    assert group["title"] == "A\x01B"
    assert [data["text"] for data in messages] == ["1=\x1f2\x013\\x20", "🔥x"]
    assert report.repaired["message with invalid escapes or an unquoted document_id"] == 2
    assert not report.refused


def test_telegram_account_becomes_sources(run: Run, read: Read, write: Write) -> None:
    chats = [
        chat(message(1), id=1, name="One"),
        chat(message(1), id=2, type="personal_chat"),
        chat(message(1), id=3, type="bot_chat"),
        {"type": "saved_messages", "id": 4, "messages": [message(1)]},
        chat(id=5, name="Empty"),
        chat(message(1), message(2), id=6, name=None, type="private_group"),
    ]
    # The channel has the same number as the group and is another chat.
    left_chats = [chat(message(9), id=6, type="public_channel")]
    path = write("result.json", account(chats, left_chats))
    report = run("telegram", path, source="telegram").json()
    assert report["skipped"].keys() == {
        "personal chat", "chat with a bot", "saved messages", "chat without messages",
    }  # fmt: skip
    assert report["read"] == 4
    assert unchanged(run("telegram", path, source="telegram").json())
    stored = read("/telegram/chats")
    assert {(data["title"], data["type"], data["trackedMessageCount"]) for data in stored} == {
        ("One", "supergroup", 1),
        ("Empty", "supergroup", 0),
        ("Chat 6", "group", 2),
        ("Acme chat", "channel", 1),
    }
    assert {source["id"] for source in read("/sources")} == {
        "telegram:channel1",
        "telegram:channel5",
        "telegram:chat6",
        "telegram:channel6",
    }


def test_telegram_source_and_chat_keep_what_exports_lack(
    acme: Deployment, run: Run, read: Read, write: Write
) -> None:
    path = write("result.json", chat(message(1), message(2)))
    chat_id = convert(telegram, path)[1]["data"]["id"]
    source = make.source(
        "telegram", label="Ours", staleAfterSeconds=60, updatedAt="2030-01-01T00:00:00Z"
    )
    linked: dict[str, Any] = {
        "linkedAt": "2020-01-01T00:00:00Z",
        "username": "ours",
        "memberCount": 3,
    }
    acme.load([source, make.chat(chat_id, **linked)])
    run("telegram", path, source=SOURCE).json()
    (source,) = read("/sources")
    assert (source["label"], source["updatedAt"]) == ("Ours", "2030-01-01T00:00:00Z")
    (stored,) = read("/telegram/chats")
    assert stored.items() >= {**linked, "title": "Acme chat"}.items()


HEAD = '{"type": "private_group", "id": 1, "messages": ['


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "byte 0: an export begins with {"),
        ("[]", "an export begins with {"),
        ("<html>", "byte 0: is HTML or XML, not JSON: export again in Telegram Desktop and choose"),
        ("\n<!DOCTYPE html>", "is HTML or XML, not JSON"),
        (b"PK\x03\x04...", "is a zip archive, not JSON: unpack it and import the JSON file inside"),
        (b"7z\xbc\xaf\x27\x1c", "is a 7z archive"),
        ('{"a": 1}'.encode("utf-16"), "is UTF-16, not JSON: save it as UTF-8: iconv"),
        ('{"a": 1}'.encode("utf-16-le"), "is UTF-16"),
        (b"\xff\xfe{", "byte 0"),
        ("{}", "not an export of Telegram Desktop"),
        ('{"name": "x"', "the file is truncated here"),
        (f'{HEAD}{{"id": 1', "does not end: the file is truncated"),
        (f'{HEAD}{{"id": 1}} {{', "expected"),
        ('{"type": "personal_chat", "id": 1, "messages": []}', "is never imported"),
        ('{"a": ' + "[" * 5_000, "does not end"),
        (f"{HEAD}]}} x", "unexpected content after the end of the export"),
    ],
)
def test_telegram_file_error_names_the_place(
    write: Write, content: str | bytes, reason: str
) -> None:
    with pytest.raises(ImportRejected, match=r"^result\.json: byte \d+: ") as refused:
        convert(telegram, write("result.json", content))
    assert reason in str(refused.value)


def test_telegram_broken_message_costs_only_itself(write: Write) -> None:
    text = json.dumps(chat(message(1), "BAD", message(2), "DEEP", message(3)))
    text = text.replace('"BAD"', '{"id": 5, "text": "say "hi" to"}')
    text = text.replace('"DEEP"', '{"id": 6, "text": ' + "[" * 3_000 + "]" * 3_000 + "}")
    messages, report = imported(telegram, write("result.json", text))
    assert [data["id"] for data in messages] == [1, 2, 3]
    assert report.refused_count == 2
    assert all("is not JSON in UTF-8" in line for line in report.refused)
    offset = int(report.refused[0].split("byte ")[1].split(":")[0])
    assert text[offset:].startswith('{"id": 5')


def test_telegram_message_has_a_maximum_length(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "LONGEST_VALUE", 2_000)
    monkeypatch.setattr(stream, "CHUNK", 100)
    long = message(2, text_entities=[{"text": "x" * 50}] * 100)
    messages, report = converted(write, message(1), long, message(3))
    assert [data["id"] for data in messages] == [1, 3]
    assert "a message exceeds" in report.refused[0]


def test_telegram_dry_run_stores_nothing(acme: Deployment, run: Run, write: Write) -> None:
    path = write("result.json", chat(message(1)))
    assert run("telegram", path, source=SOURCE, options=("--dry-run",)).json()["created"] == 3
    printed = run("telegram", path, source=SOURCE, options=("--as-bundle",))
    assert acme.execute("SELECT count(*) FROM sources") == [(0,)]
    bundle = write("bundle.jsonl", printed.stdout)
    assert acme.cli("load", bundle, "--json").json()["telegram.message"]["created"] == 1
    assert unchanged(run("telegram", path, source=SOURCE).json())


def test_telegram_report_names_what_is_left_out(acme: Deployment, write: Write) -> None:
    """The command fails if some input was refused, and imports the rest."""
    path = write("result.json", chat(message(1), message(2, type="service"), message(id="7")))
    target = ("--organization", "acme", "--source", SOURCE)
    result = acme.cli("import", "telegram", path, *target)
    assert result.exit_code == 1
    assert "telegram.message  1     1        0        0          0" in result.stdout
    assert "Skipped 1: service message\n  result.json: byte " in result.stdout
    assert "1 refused, the rest was imported; check:\n  result.json: byte " in result.stderr


def test_telegram_source_of_another_kind_is_refused(
    acme: Deployment, run: Run, write: Write
) -> None:
    acme.load([make.source("docs")])
    result = run("telegram", write("result.json", chat(message(1))), source="docs:handbook")
    assert result.exit_code == 1
    assert "docs:handbook: is a source of kind docs" in result.stderr


def test_telegram_interrupted_import_stores_nothing(acme: Deployment, tmp_path: Path) -> None:
    """The export comes through a pipe that stays open, so the import waits in its middle."""
    pipe = tmp_path / "result.json"
    os.mkfifo(pipe)
    target = ("--organization", "acme", "--source", SOURCE)
    process = acme.process("import", "telegram", pipe, *target)
    text = json.dumps(chat(*(message(number) for number in range(1, 12_000))))
    with pipe.open("w") as file:
        file.write(text[:-100])
        file.flush()
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=30)
    assert process.returncode == 1
    assert stderr.split() == ["Aborted!"]
    assert acme.execute("SELECT count(*) FROM sources") == [(0,)]


@pytest.mark.parametrize(
    "raw",
    [b'"document_id": x' * 250_000, b"\\x0" * 1_300_000, b'{"a":' * 800_000],
    ids=["ids", "escapes", "braces"],
)
def test_telegram_repair_is_linear(write: Write, raw: bytes) -> None:
    """Quadratic work on 4 MB would take minutes, which the timeout of a test does not allow."""
    head = b'{"name": "A", "type": "private_group", "id": 1, "messages": [{"id": 1, "text": "'
    path = write("result.json", head + raw.replace(b'"', b"'") + b'", "a": ' + raw)
    with pytest.raises(ImportRejected, match=r"^result\.json: byte"):
        convert(telegram, path)
    repair(raw)
