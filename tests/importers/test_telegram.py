"""The format of Telegram Desktop's exports, through the command and back through the API."""

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from orgctx.importers import ImportRejected, Report
from orgctx.importers.telegram import importer as telegram
from orgctx.importers.telegram import stream
from tests.importers.conftest import Run, Write, convert, imported, rows, unchanged
from tests.importers.exports import account, chat, message
from tests.support import factories as make
from tests.support.deployment import Deployment

SOURCE = "telegram:main"
HREF = "https://example.com/a"
LINK = {"type": "text_link", "href": HREF}


def converted(write: Write, *messages: Any) -> tuple[list[dict[str, Any]], Report]:
    """The data of the messages of one chat, and the report."""
    return imported(telegram, write("result.json", chat(*messages)))


def test_export_becomes_records(write: Write) -> None:
    service = message(3, type="service", date_unixtime="1769846490")
    export = chat(message(1), service, type="private_group")
    records = convert(telegram, write("result.json", export), source_id=SOURCE)
    first, *others = records
    ids = {
        record["data"].pop("chatId" if "chatId" in record["data"] else "id") for record in others
    }
    assert len(ids) == 1
    expected = rows("telegram", "export_becomes_records")
    # The number of people and the first time are known after the messages.
    assert [record["data"] for record in (first, records[3], records[2])] == expected
    assert {record["sourceId"] for record in records} == {SOURCE}


@pytest.mark.parametrize(("members", "expected"), rows("telegram", "message_maps"))
def test_message_maps(write: Write, members: dict[str, Any], expected: dict[str, Any]) -> None:
    ((data,), _) = converted(write, message(**members))
    if expected.get("file") is not None:
        expected = expected | {"file": make.file(**expected["file"])}
    assert {name: data[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("exported", "reason"), rows("telegram", "message_error_names_the_position")
)
def test_message_error_names_the_position(write: Write, exported: Any, reason: str) -> None:
    if isinstance(exported, dict):
        exported = message(**exported)
    messages, report = converted(write, message(1), exported, message(3))
    assert [data["id"] for data in messages] == [1, 3]
    (refused,) = report.refused
    assert refused.startswith("result.json: byte ")
    assert reason in refused


def test_text_stays_within_its_limit(write: Write) -> None:
    """Addresses of links beyond it are left out, and a long origin is cut."""
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
        "addresses of links left out: text must have at most 64 KiB": 1,
        "detail cut to 512 characters": 1,
    }
    # The limit counts bytes as JSON, as the load format does.
    assert "message 3: text must have at most 64 KiB" in report.refused[0]


@pytest.mark.parametrize("chunk_bytes", [1, 2, 3, 7, 64, 100_000])
def test_invalid_json_is_repaired(
    write: Write, monkeypatch: pytest.MonkeyPatch, chunk_bytes: int
) -> None:
    """Exporters write invalid escapes; each may cross a boundary of a read."""
    monkeypatch.setattr(stream, "CHUNK", chunk_bytes)
    export = chat(message(1, text="1=2@3\\x20"), name="A@B")
    text = json.dumps(export, indent=1).replace("@", "\\x01").replace("1=2", "1=\\x00\\x1F2")
    report = Report()
    records = convert(telegram, write("result.json", text), report)
    group, data = (record["data"] for record in records[1:3])
    assert (group["title"], data["text"]) == ("A\x01B", "1=\x1f2\x013\\x20")
    assert report.repaired["message with invalid escapes"] == 1
    assert not report.refused


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        *rows("telegram", "file_error_names_the_position"),
        (b"7z\xbc\xaf\x27\x1c", "is a 7z archive"),
        ('{"a": 1}'.encode("utf-16"), "is UTF-16, not JSON: save it as UTF-8: iconv"),
        ('{"a": 1}'.encode("utf-16-le"), "is UTF-16"),
        (b"\xff\xfe{", "byte 0"),
    ],
)
def test_file_error_names_the_position(write: Write, content: str | bytes, reason: str) -> None:
    with pytest.raises(ImportRejected, match=r"^result\.json: byte \d+: ") as refused:
        convert(telegram, write("result.json", content))
    assert reason in str(refused.value)


def test_broken_message_costs_only_itself(write: Write) -> None:
    text = json.dumps(chat(message(1), "BAD", message(2), "DEEP", message(3)))
    text = text.replace('"BAD"', '{"id": 5, "text": "say "hi" to"}')
    text = text.replace('"DEEP"', '{"id": 6, "text": ' + "[" * 3_000 + "]" * 3_000 + "}")
    messages, report = imported(telegram, write("result.json", text))
    assert [data["id"] for data in messages] == [1, 2, 3]
    assert report.refused_count == 2
    assert all("is not JSON in UTF-8" in line for line in report.refused)
    offset = int(report.refused[0].split("byte ")[1].split(":")[0])
    assert text[offset:].startswith('{"id": 5')


def test_message_has_a_maximum_length(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "LONGEST_VALUE", 2_000)
    monkeypatch.setattr(stream, "CHUNK", 100)
    long = message(2, text_entities=[{"text": "x" * 50}] * 100)
    messages, report = converted(write, message(1), long, message(3))
    assert [data["id"] for data in messages] == [1, 3]
    assert "a message exceeds" in report.refused[0]


def test_dry_run_stores_nothing(acme: Deployment, run: Run, write: Write) -> None:
    path = write("result.json", chat(message(1)))
    assert run("telegram", path, source=SOURCE, options=("--dry-run",)).json()["created"] == 3
    printed = run("telegram", path, source=SOURCE, options=("--as-bundle",))
    assert acme.execute("SELECT count(*) FROM sources") == [(0,)]
    bundle = write("bundle.jsonl", printed.stdout)
    assert acme.cli("load", bundle, "--json").json()["telegram.message"]["created"] == 1
    assert unchanged(run("telegram", path, source=SOURCE).json())


@pytest.mark.thorough
def test_interrupted_import_stores_nothing(acme: Deployment, tmp_path: Path) -> None:
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
    assert stderr == "Error: Interrupted. Nothing was stored.\n"
    assert acme.execute("SELECT count(*) FROM sources") == [(0,)]


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


@pytest.mark.parametrize(
    "kind", ["personal_chat", "bot_chat", "saved_messages", "replies", "verification_codes", "new"]
)
def test_private_chat_never_becomes_a_record(write: Write, kind: str) -> None:
    report = Report()
    private = chat(message(1, text="kept back"), type=kind, name="kept back")
    path = write("result.json", account([private, chat(message(1), id=2)], []))
    assert "kept back" not in json.dumps(convert(telegram, path, report))
    assert sum(skip.count for skip in report.skipped.values()) + report.refused_count == 1


def text(words: Any) -> dict[str, Any]:
    return {"type": "plain", "text": words}


LIST = {"type": "list", "kind": "ordered", "items": [{"text": text("a")}, {"blocks": [text("b")]}]}
BOLD = {"type": "concat", "text": [text("The "), {"type": "bold", "text": text("end")}]}


@pytest.mark.parametrize(
    ("block", "words"),
    [
        ({"type": "heading", "level": 2, "text": text("Budget")}, "## Budget"),
        ({"type": "paragraph", "text": BOLD}, "The end"),
        ({"type": "paragraph", "text": {"type": "url", "url": HREF, "text": text("a")}}, "a"),
        (LIST, "1. a\n2. b"),
        ({"type": "list", "items": [{"task_state": "checked", "text": text("a")}]}, "- [x] a"),
        ({"type": "list", "items": [{"blocks": [text("a"), LIST]}]}, "- a\n  1. a\n  2. b"),
        (
            {"type": "table", "title": text("Stock"), "rows": [
                {"cells": [{"text": text("Lamps")}, {"text": text("12")}]},
                {"cells": [{}, {"text": text("3")}]},
            ]},
            "Stock\n\nLamps | 12\n | 3",
        ),
        ({"type": "blockquote", "blocks": [text("a\nb")]}, "> a\n> b"),
        ({"type": "details", "title": text("More"), "blocks": [text("a")]}, "More\n\na"),
        ({"type": "photo", "caption": {"text": text("Pier"), "credit": text("Ann")}}, "Pier Ann"),
        ({"type": "from_2030", "parts": [{"kind": {"text": ["kept", {"odd": 1}]}}]}, "kept"),
    ],
)  # fmt: skip
def test_rich_message_becomes_text(write: Write, block: Any, words: str) -> None:
    ((data,), report) = converted(write, message(text="", rich_message={"blocks": [block, 5]}))
    assert (data["kind"], data["text"]) == ("text", words)
    assert not report.skipped


def test_deep_rich_message_is_refused(write: Write) -> None:
    block: dict[str, Any] = {"text": "a"}
    for _ in range(200):
        block = {"blocks": [block]}
    _, report = converted(write, message(rich_message=block))
    assert "rich_message is nested too deeply" in report.refused[0]
