"""The format of Telegram Desktop's exports, through the command and back through the API."""

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from orgctx.importers.report import ImportRejected, Report
from orgctx.importers.telegram import importer as telegram
from orgctx.importers.telegram import stream
from tests.importers.conftest import Run, Write, convert, imported, rows, unchanged
from tests.importers.exports import account, chat, message
from tests.support import factories as make
from tests.support.deployment import Deployment

SOURCE = "telegram:main"


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


@pytest.mark.parametrize("chunk_bytes", [1, 2, 3, 7, 64, 100_000])
def test_invalid_json_is_repaired(
    write: Write, monkeypatch: pytest.MonkeyPatch, chunk_bytes: int
) -> None:
    """Exporters write invalid escapes; each may cross a boundary of a read."""
    monkeypatch.setattr(stream, "CHUNK", chunk_bytes)
    emoji = {"type": "custom_emoji", "text": "1=2@3\\x20"}
    export = chat(message(1, text=[emoji, ""]), name="A@B")
    text = json.dumps(export, indent=1).replace("@", "\\x01").replace("1=2", "1=\\x00\\x1F2")
    report = Report()
    records = convert(telegram, write("result.json", text), report)
    group, data = (record["data"] for record in records[1:3])
    assert (group["title"], data["text"]) == ("A\x01B", "1=\x1f2\x013\\x20")
    assert not report.refused


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        *rows("telegram", "file_error_names_the_position"),
        ('{"a": 1}'.encode("utf-16"), "is not JSON in UTF-8"),
        ('{"a": 1}'.encode("utf-16-le"), "expected the name of a member"),
        (b"\xff\xfe{", "byte 0"),
    ],
)
def test_file_error_names_the_position(write: Write, content: str | bytes, reason: str) -> None:
    with pytest.raises(ImportRejected, match=r"^result\.json: byte \d+: ") as refused:
        convert(telegram, write("result.json", content))
    assert reason in str(refused.value)


def test_broken_message_costs_only_itself(write: Write) -> None:
    nested = message(7, rich_message="NESTED")
    text = json.dumps(chat(message(1), "BAD", message(2), "DEEP", nested, message(3)))
    text = text.replace('"BAD"', '{"id": 5, "text": "say "hi" to"}')
    text = text.replace('"DEEP"', '{"id": 6, "text": ' + "[" * 3_000 + "]" * 3_000 + "}")
    text = text.replace('"NESTED"', '{"blocks": [' * 450 + "]}" * 450)
    messages, report = imported(telegram, write("result.json", text))
    assert [data["id"] for data in messages] == [1, 2, 3]
    *broken, deep = report.refused
    assert len(broken) == 2
    assert all("is not JSON in UTF-8" in line for line in broken)
    assert "text is nested too deeply" in deep
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


@pytest.mark.parametrize("kind", ["personal_chat", "new"])
def test_private_chat_never_becomes_a_record(write: Write, kind: str) -> None:
    report = Report()
    private = chat(message(1, text="kept back"), type=kind, name="kept back")
    path = write("result.json", account([private, chat(message(1), id=2)], []))
    assert "kept back" not in json.dumps(convert(telegram, path, report))
    assert sum(skip.count for skip in report.skipped.values()) + report.refused_count == 1
