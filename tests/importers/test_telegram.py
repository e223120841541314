"""Every fact of Telegram Desktop's format, through the command and back through the API."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from orgctx.importers import Existing, ImportRefused, Report
from orgctx.importers.telegram import importer as telegram
from orgctx.importers.telegram import stream
from orgctx.importers.telegram.repair import repair
from tests.importers.conftest import unchanged
from tests.importers.exports import ABSENT, account, chat, message
from tests.support import factories as f
from tests.support.deployment import Deployment, Result

Run = Callable[..., Result]
Read = Callable[[str], Any]
Write = Callable[..., Path]
SOURCE = "telegram:main"


def convert(path: Path, report: Report | None = None, **options: Any) -> list[dict[str, Any]]:
    return list(
        telegram.records(
            path,
            organization_id=f.ACME,
            source_id=SOURCE,
            report=report or Report(),
            existing=options.pop("existing", Existing()),
        )
    )


def converted(write: Write, *messages: Any, report: Report | None = None) -> list[dict[str, Any]]:
    """The data of the messages of one chat."""
    records = convert(write("result.json", chat(*messages)), report)
    return [r["data"] for r in records if r["type"] == "telegram.message"]


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({}, {"kind": "text", "detail": None, "file": None}),
        ({"text": ["a ", {"type": "bold", "text": "b"}, " c"]}, {"text": "a b c"}),
        ({"text": ""}, {"text": None}),
        ({"text": "a\0b"}, {"text": "ab"}),
        ({"from": None}, {"sender": {"id": "user7", "name": "Deleted account", "username": None}}),
        ({"from_id": 99}, {"sender": {"id": "user99", "name": "Ada", "username": None}}),
        ({"from_id": None}, {"sender": {"id": None, "name": "Ada", "username": None}}),
        ({"date_unixtime": "0"}, {"sentAt": "1970-01-01T00:00:00Z"}),
        ({"date_unixtime": None}, {"sentAt": "2026-01-31T09:00:00Z"}),
        ({"edited_unixtime": "1769850000"}, {"editedAt": "2026-01-31T09:00:00Z"}),
        ({"edited": "1970-01-01T02:00:00"}, {"editedAt": None}),
        ({"reply_to_message_id": 5}, {"replyToMessageId": 5}),
        ({"reply_to_message_id": 5, "reply_to_peer_id": "channel1"}, {"replyToMessageId": None}),
        (
            {"photo": "photos/a.jpg", "photo_file_size": 9, "width": 2, "height": 3},
            {"kind": "photo", "file": f.file(fileName="a.jpg", fileSize=9, width=2, height=3)},
        ),
        ({"photo": ABSENT, "width": -1, "height": 10**30}, {"kind": "photo", "file": f.file()}),
        ({"file": ABSENT, "media_type": "video_file"}, {"kind": "video", "file": f.file()}),
        ({"file": ABSENT, "media_type": "video_message"}, {"kind": "video"}),
        ({"file": ABSENT, "media_type": "voice_message", "duration_seconds": 4},
         {"kind": "voice", "file": f.file(duration=4)}),
        ({"file": ABSENT, "media_type": "animation"}, {"kind": "animation"}),
        (
            {"file": ABSENT, "media_type": "audio_file", "performer": "P", "title": "T"},
            {"kind": "audio", "detail": "P – T"},
        ),
        (
            {"file": ABSENT, "file_name": "a.pdf", "file_size": 3, "mime_type": "application/pdf"},
            {"kind": "document", "file": f.file(
                fileName="a.pdf", fileSize=3, mimeType="application/pdf")},
        ),
        (
            {"file": "stickers/s.tgs", "media_type": "sticker", "sticker_emoji": "🔥"},
            {"kind": "sticker", "detail": "🔥", "file": f.file(fileName="s.tgs",
                                                               sticker="animated")},
        ),
        (
            {"poll": {"question": ["Which", {"type": "bold", "text": "?"}],
                      "answers": [{"text": "a"}, {"text": ["b", {"text": "c"}]}]}},
            {"kind": "poll", "detail": "Which?\n- a\n- bc", "file": None},
        ),
        (
            {"contact_information": {"first_name": "Eve", "phone_number": "+1"}},
            {"kind": "other", "detail": "Eve"},
        ),
        (
            {"location_information": {"latitude": 1.5, "longitude": 2}},
            {"kind": "other", "detail": "1.5, 2"},
        ),
        ({"location_information": None}, {"kind": "other", "detail": None, "text": "Message 1"}),
        (
            {"todo_list": {"title": "Trip", "others_can_append": False, "answers": [
                {"text": "tickets", "id": 1}, {"text": [{"type": "bold", "text": "food"}]}]}},
            {"kind": "other", "detail": "Trip\n- tickets\n- food"},
        ),
        (
            {"invoice_information": '{\n "title": "Mug",\n "amount": 500,\n "currency": "EUR"\n}'},
            {"kind": "other", "detail": "Mug"},
        ),
        ({"invoice_information": "Mug"}, {"kind": "other", "detail": "Mug"}),
        ({"from_id": 2**32 + 7}, {"sender": {"id": "user7", "name": "Ada", "username": None}}),
        ({"from_id": 2**33 + 7}, {"sender": {"id": "channel7", "name": "Ada", "username": None}}),
        ({"reply_to_message_id": -999_999_990}, {"replyToMessageId": None}),
        (
            {"type": "service", "action": "topic_created", "title": "Plans", "actor": "Bob",
             "actor_id": "user8", "text": ""},
            {"kind": "other", "text": "Plans", "detail": "Topic",
             "sender": {"id": "user8", "name": "Bob", "username": None}},
        ),
        (
            {"type": "service", "action": "topic_edit", "new_title": "Old plans", "text": ""},
            {"kind": "other", "text": "Old plans", "detail": "Topic renamed"},
        ),
    ],
)  # fmt: skip
def test_a_message_maps(write: Write, members: dict[str, Any], expected: dict[str, Any]) -> None:
    (data,) = converted(write, message(**members))
    assert {name: data[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("exported", "reason"),
    [
        (message(id=2**31), "id must be an integer from 1"),
        (message(id="7"), "id must be an integer from 1"),
        (message(date_unixtime="soon"), "date_unixtime must be"),
        (message(date_unixtime="999999999999"), "within the years"),
        (message(date_unixtime=None, date=None), "date_unixtime is missing"),
        (message(text=5), "text must be"),
        (message(text=[{"type": "bold"}]), "text must hold"),
        (message(from_id="a/b"), "from_id must be"),
        (message(poll=[]), "poll must be"),
        (message(text="x" * 4_000_000), "text must be of at most 64 KiB"),
        (message(poll={"question": "x" * 70_000}), "poll must be of at most 64 KiB"),
        (message(id=-1_000_000_000), "id must be an integer from 1"),
        ([1], "a message must be an object"),
        ("text", "a message must be an object"),
    ],
)
def test_a_wrong_message_is_refused_with_its_place(
    write: Write, exported: Any, reason: str
) -> None:
    report = Report()
    kept = converted(write, message(1), exported, message(3), report=report)
    assert [data["id"] for data in kept] == [1, 3]
    (refused,) = report.refused
    assert refused.startswith("result.json: byte ")
    assert reason in refused


def test_the_rest_is_imported_and_the_exit_status_says_so(run: Run, write: Write) -> None:
    path = write("result.json", chat(message(1), message(id="7"), message(3)))
    result = run("telegram", path, source=SOURCE)
    assert result.exit_code == 1
    assert "1 refused, the rest was imported; look at:\n  result.json: byte " in result.stderr
    assert json.loads(result.stdout)["refused"]["count"] == 1
    assert json.loads(result.stdout)["types"]["telegram.message"]["created"] == 2


def test_what_is_not_a_message_is_counted(write: Write) -> None:
    report = Report()
    ids = [
        data["id"]
        for data in converted(
            write,
            message(1),
            message(2, type="service", action="pin_message"),
            message(3, type="unsupported"),
            message(4),
            report=report,
        )
    ]
    assert ids == [1, 4]
    assert {reason: skipped.count for reason, skipped in report.skipped.items()} == {
        "service message": 1,
        "unsupported message": 1,
    }


def test_the_newest_edit_of_copies_stays(run: Run, read: Read, write: Write) -> None:
    new = message(1, text="new", edited_unixtime="1769850000")
    old = message(1, text="old", edited_unixtime="1769849000")
    run("telegram", write("result.json", chat(old, new, old, message(2))), source=SOURCE)
    chat_id = read("/telegram/chats")[0]["id"]
    texts = [m["text"] for m in read(f"/telegram/chats/{chat_id}/messages")]
    assert texts == ["Message 2", "new"]


def test_the_newest_edit_stays_however_far_away_its_copy_is(write: Write) -> None:
    new = message(1, text="new", edited_unixtime="1769850000")
    between = (message(n) for n in range(2, 12_000))
    found = converted(write, new, *between, message(1, text="old"))
    assert [data["text"] for data in found if data["id"] == 1] == ["new"]


def test_the_title_of_a_chat_is_repaired(write: Write) -> None:
    text = json.dumps(chat(message(1), name="A@B")).replace("@", "\\x07")
    report = Report()
    assert convert(write("result.json", text), report)[1]["data"]["title"] == "A\x07B"
    assert not report.refused


@pytest.fixture(params=[1, 2, 3, 7, 64, 100_000])
def chunk(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """How many bytes are read at once; small numbers let every value cross a boundary."""
    monkeypatch.setattr(stream, "CHUNK", request.param)
    return request.param


def test_the_exporters_faults_are_repaired(write: Write, chunk: int) -> None:
    text = json.dumps(chat(message(1, text="1=2@3\\x20"), message(2, text="EMOJI")), indent=1)
    text = text.replace("@", "\\x01").replace("1=2", "1=\\x00\\x1F2")
    emoji = '[{"type": "custom_emoji", "text": "🔥",\n "document_id": stickers/a (2).webm\n},\n"x"]'
    text = text.replace('"EMOJI"', emoji)
    report = Report()
    records = convert(write("result.json", text), report)
    assert [r["data"]["text"] for r in records[2:]] == ["1=\x1f2\x013\\x20", "🔥x"]
    assert sum(report.repaired.values()) == 2
    assert not report.refused


def test_an_account_gives_a_source_for_each_group(run: Run, read: Read, write: Write) -> None:
    chats = [
        chat(message(1), id=1, name="One"),
        chat(message(1), id=2, type="personal_chat"),
        chat(message(1), id=3, type="bot_chat"),
        {"type": "saved_messages", "id": 4, "messages": [message(1)]},
        chat(message(1), message(2), id=6, name=None, type="private_group"),
    ]
    # The channel has the same number as the group and is another chat.
    path = write("result.json", account(chats, [chat(message(9), id=6, type="public_channel")]))
    report = run("telegram", path, source="telegram").json()
    assert report["skipped"].keys() == {"personal chat", "chat with a bot", "saved messages"}
    assert report["read"] == 4
    assert unchanged(run("telegram", path, source="telegram").json())
    assert {(c["title"], c["type"], c["trackedMessageCount"]) for c in read("/telegram/chats")} == {
        ("One", "supergroup", 1),
        ("Chat 6", "group", 2),
        ("Acme chat", "channel", 1),
    }
    assert {s["id"] for s in read("/sources")} == {
        "telegram:channel1",
        "telegram:chat6",
        "telegram:channel6",
    }


def test_a_stored_source_and_chat_keep_what_exports_do_not_know(
    acme: Deployment, run: Run, read: Read, write: Write
) -> None:
    path = write("result.json", chat(message(1), message(2)))
    chat_id = convert(path)[1]["data"]["id"]
    acme.load(
        [
            f.source(
                "telegram", label="Ours", staleAfterSeconds=60, updatedAt="2030-01-01T00:00:00Z"
            ),
            f.chat(chat_id, linkedAt="2020-01-01T00:00:00Z", username="ours", memberCount=3),
        ]
    )
    run("telegram", path, source=SOURCE).json()
    (source,) = read("/sources")
    assert (source["label"], source["updatedAt"]) == ("Ours", "2030-01-01T00:00:00Z")
    (stored,) = read("/telegram/chats")
    assert stored["linkedAt"] == "2020-01-01T00:00:00Z"
    assert (stored["username"], stored["memberCount"], stored["title"]) == ("ours", 3, "Acme chat")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "byte 0: an export begins with {"),
        ("<html>", "byte 0: is HTML or XML, not JSON: export again in Telegram Desktop and choose"),
        ("[]", "an export begins with {"),
        ("{}", "no export of Telegram Desktop"),
        ('{"name": "x"', "the file ends here: it is cut off"),
        (
            '{"type": "private_group", "id": 1, "messages": [{"id": 1',
            "has no end: the file is cut off",
        ),
        ('{"type": "private_group", "id": 1, "messages": [{"id": 1} {', "must stand here"),
        ('{"type": "personal_chat", "id": 1, "messages": []}', "is never imported"),
        ('{"a": ' + "[" * 5_000, "has no end"),
        ('{"type": "private_group", "id": 1, "messages": []} x', "the export ended before this"),
    ],
)
def test_a_broken_file_is_refused_with_its_place(write: Write, content: str, reason: str) -> None:
    with pytest.raises(ImportRefused, match=r"^result\.json: byte \d+: ") as refused:
        convert(write("result.json", content))
    assert reason in str(refused.value)


def test_a_broken_message_costs_only_itself(write: Write) -> None:
    text = json.dumps(chat(message(1), "BAD", message(2), "DEEP", message(3)))
    text = text.replace('"BAD"', '{"id": 5, "text": "say "hi" to"}')
    text = text.replace('"DEEP"', '{"id": 6, "text": ' + "[" * 3_000 + "]" * 3_000 + "}")
    report = Report()
    records = convert(write("result.json", text), report)
    assert [r["data"]["id"] for r in records[2:]] == [1, 2, 3]
    assert report.refused_count == 2
    assert all("is not JSON in UTF-8" in line for line in report.refused)
    offset = int(report.refused[0].split("byte ")[1].split(":")[0])
    assert text[offset:].startswith('{"id": 5')


def test_a_message_too_long_to_hold_is_refused(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "LONGEST_VALUE", 2_000)
    monkeypatch.setattr(stream, "CHUNK", 100)
    report = Report()
    long = message(2, text_entities=[{"text": "x" * 50}] * 100)
    assert [d["id"] for d in converted(write, message(1), long, message(3), report=report)] == [
        1,
        3,
    ]
    assert "a message is longer than" in report.refused[0]


def test_dry_runs_and_bundles_store_nothing(
    acme: Deployment, run: Run, write: Write, tmp_path: Path
) -> None:
    path = write("result.json", chat(message(1)))
    assert run("telegram", path, source=SOURCE, options=("--dry-run",)).json()["created"] == 3
    printed = run("telegram", path, source=SOURCE, options=("--as-bundle",))
    assert acme.execute("SELECT count(*) FROM sources") == [(0,)]
    bundle = write("bundle.jsonl", printed.stdout)
    assert acme.cli("load", bundle, "--json").json()["telegram.message"]["created"] == 1
    assert unchanged(run("telegram", path, source=SOURCE).json())


def test_the_report_reads_well(acme: Deployment, write: Write) -> None:
    path = write("result.json", chat(message(1), message(2, type="service")))
    where = ("--organization", "acme", "--source", SOURCE)
    result = acme.cli("import", "telegram", path, *where)
    assert result.exit_code == 0, result.stderr
    assert "telegram.message  1     1        0        0          0" in result.stdout
    assert "Skipped 1: service message\n  result.json: byte " in result.stdout


def test_a_source_of_another_kind_is_named(acme: Deployment, run: Run, write: Write) -> None:
    acme.load([f.source("docs")])
    result = run("telegram", write("result.json", chat(message(1))), source="docs:handbook")
    assert result.exit_code == 1
    assert "docs:handbook: is a source of kind docs" in result.stderr


def test_a_broken_off_run_stores_nothing(acme: Deployment, run: Run, write: Write) -> None:
    text = json.dumps(chat(*(message(n) for n in range(1, 12_000))))
    result = run("telegram", write("result.json", text[:-100]), source=SOURCE)
    assert result.exit_code == 1
    assert acme.execute("SELECT count(*) FROM telegram_messages") == [(0,)]


def test_an_interrupted_run_stores_nothing(acme: Deployment, tmp_path: Path) -> None:
    """The export comes through a pipe that stays open, so that the run waits in its middle."""
    pipe = tmp_path / "result.json"
    os.mkfifo(pipe)
    where = ("--organization", "acme", "--source", SOURCE)
    process = acme.process("import", "telegram", pipe, *where)
    text = json.dumps(chat(*(message(n) for n in range(1, 12_000))))
    with pipe.open("w") as file:
        file.write(text[:-100])
        file.flush()
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=30)
    assert process.returncode == 1
    assert stderr.split() == ["Aborted!"]
    assert acme.execute("SELECT count(*) FROM sources") == [(0,)]


def test_an_unreadable_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "result.json").write_bytes(b"\xff\xfe{")
    with pytest.raises(ImportRefused, match="byte 0"):
        convert(tmp_path / "result.json")


@pytest.mark.parametrize(
    "raw",
    [
        b'"document_id": x' * 250_000,
        b"\\x0" * 1_300_000,
        b'{"a":' * 800_000,
    ],
    ids=["ids", "escapes", "braces"],
)
def test_four_megabytes_of_one_message_take_seconds(write: Write, raw: bytes) -> None:
    """Quadratic work would take minutes, which the limit of a test does not allow."""
    head = b'{"name": "A", "type": "private_group", "id": 1, "messages": [{"id": 1, "text": "'
    report = Report()
    path = write("result.json", head + raw.replace(b'"', b"'") + b'", "a": ' + raw)
    with pytest.raises(ImportRefused, match=r"^result\.json: byte"):
        convert(path, report)
    repair(raw)
