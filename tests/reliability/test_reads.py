"""The record of reads has every answer, and an answer that it cannot have is not sent."""

import json
import os
import resource
import subprocess
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from shutil import which
from typing import Any

import pytest
from flask.testing import FlaskClient

from orgctx.errors import ServiceUnavailable
from orgctx.http.reads import ReadLog
from tests.docs.pages import ROOT, blocks
from tests.mcp.endpoint import Endpoint, call
from tests.support import crawl
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.processes import limited

CHAT = f"/api/v1/telegram/chats/{make.CHAT}/messages"
# Search terms of the crawl.
TERM = "quokkaquery"
Lines = list[dict[str, Any]]


@pytest.fixture(scope="module")
def stored(acme: Deployment) -> Deployment:
    acme.load([make.message(number) for number in range(100, 220)])
    return acme


@pytest.fixture(scope="module")
def recording(
    stored: Deployment, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[FlaskClient, Path]]:
    """A client, and the file in which its reads are recorded."""
    path = tmp_path_factory.mktemp("recorded") / "reads.jsonl"
    with stored.app(audit_reads=str(path), log_level="CRITICAL") as app:
        yield app.test_client(), path


@pytest.fixture
def client(recording: tuple[FlaskClient, Path]) -> FlaskClient:
    return recording[0]


@pytest.fixture
def path(recording: tuple[FlaskClient, Path]) -> Path:
    """The file of `client`, which does not exist when the test begins."""
    recording[1].unlink(missing_ok=True)
    return recording[1]


def new_lines(path: Path) -> Lines:
    """Return the lines that were written since the last call."""
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    path.write_bytes(b"")
    return lines


def check(lines: Lines, name: str, data: Any) -> None:
    """Check that the lines have the operation and every item of the data, once."""
    assert {line["operation"] for line in lines} == {name}
    # A source is not repeated as a record.
    sources = lines[0]["sources"]
    items = data if isinstance(data, list) else data.get("items", [data])
    records = [record for line in lines for record in line["records"]]
    recorded = [record.get("id", record.get("key")) for record in records]
    for item in items:
        if "id" in item and item["id"] not in sources:
            assert recorded.count(item["id"]) == 1


@pytest.mark.one_in(9)
@pytest.mark.parametrize("request_path", crawl.reads())
def test_record_has_the_reads_of_every_operation(
    client: FlaskClient, key: str, path: Path, request_path: str
) -> None:
    name, arguments = crawl.reads()[request_path]
    response = crawl.rest(client, key, request_path)
    lines = new_lines(path) if path.exists() else []
    assert bool(lines) == (response.status_code == 200)
    if lines:
        check(lines, name, response.json["data"])
        assert {line["etag"] for line in lines} == {response.get_etag()[0]}
        assert {line["requestId"] for line in lines} == {response.headers["X-Request-Id"]}
        assert {line["interface"] for line in lines} == {"rest"}
        assert {line["organizationId"] for line in lines} == {make.ACME}
    result = Endpoint(client, key).post(call(name, arguments)).json["result"]
    lines = new_lines(path) if path.exists() else []
    assert bool(lines) == (not result["isError"])
    if lines:
        check(lines, name, result["structuredContent"]["data"])
        text = result["content"][0]["text"].encode()
        assert {line["etag"] for line in lines} == {sha256(text).hexdigest()[:32]}
        assert {line["interface"] for line in lines} == {"mcp"}


def test_record_names_key_source_and_path_but_no_search_term(
    stored: Deployment, client: FlaskClient, key: str, path: Path
) -> None:
    crawl.rest(client, key, f"{CHAT}?limit=2&q={TERM}")
    (empty,) = new_lines(path)
    assert (empty["records"], TERM in json.dumps(empty)) == ([], False)
    crawl.rest(client, key, f"{CHAT}?limit=2")
    (line,) = new_lines(path)
    assert (line["records"], line["path"]) == ([{"id": 219}, {"id": 218}], {"id": make.CHAT})
    assert line["sources"] == [make.KIND_SOURCES["telegram"]]
    Endpoint(client, key).post(call("list_telegram_messages", {"chatId": make.CHAT, "limit": 2}))
    (called,) = new_lines(path)
    assert called["path"] == line["path"]
    listed = stored.cli("keys", "list", "--organization", make.ACME, "--json").json()
    assert line["keyId"] in [row["id"] for row in listed]
    crawl.rest(client, key, "/api/v1/search?limit=3")
    (line,) = new_lines(path)
    assert {record["sourceId"] for record in line["records"]} <= {*line["sources"]}


def test_record_on_a_full_disk_keeps_the_lines_of_other_workers_whole(tmp_path: Path) -> None:
    """Another worker appends its line where the part of a line was."""
    path = tmp_path / "reads.jsonl"
    path.write_bytes(b"{}\n" * 10)
    logs = ReadLog(str(path)), ReadLog(str(path))
    # Exceeding the limit is EFBIG after a partial write, because Python ignores SIGXFSZ.
    with limited(resource.RLIMIT_FSIZE, 35), pytest.raises(ServiceUnavailable):
        logs[0].write([b'{"first": "long"}\n'])
    for log in reversed(logs):
        log.write([b'{"next": 1}\n'])
        log.close()
    assert [json.loads(line) for line in path.read_bytes().splitlines()[10:]] == [{"next": 1}] * 2


def test_record_has_a_304_and_each_message_of_a_batch(
    client: FlaskClient, key: str, path: Path
) -> None:
    etag = crawl.rest(client, key, CHAT).headers["ETag"]
    headers = {"Authorization": f"Bearer {key}", "If-None-Match": etag}
    assert client.get(CHAT, headers=headers).status_code == 304
    first, second = new_lines(path)
    assert first["records"] == second["records"]
    assert (first["status"], second["status"]) == (200, 304)
    batch = [call("list_sources", {}), call("read_asset", {"id": "x"}, 2), call("get_token", {}, 3)]
    assert Endpoint(client, key).post(batch).status_code == 200
    assert [line["operation"] for line in new_lines(path)] == ["list_sources", "get_token"]


def test_nothing_is_recorded_of_rejected_requests(
    stored: Deployment, client: FlaskClient, path: Path
) -> None:
    key = stored.issue_key(make.ACME, make.OWNER, ["context:read"])
    for request in (CHAT, "/api/v1/context?page=1", "/api/v1/openapi.json", "/healthz"):
        crawl.rest(client, key, request)
    assert not path.exists()


def test_record_continues_in_a_new_file_after_rotation(
    client: FlaskClient, key: str, path: Path
) -> None:
    crawl.rest(client, key, CHAT)
    path.rename(path.with_suffix(".1"))
    crawl.rest(client, key, CHAT)
    assert len(new_lines(path)) == len(new_lines(path.with_suffix(".1"))) == 1


@pytest.mark.parametrize("broken", ["/dev/full", "/nowhere/reads.jsonl", "pipe"])
def test_answer_that_cannot_be_recorded_is_not_sent(
    stored: Deployment, key: str, broken: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A pipe, like a device, is no file; waiting for its reader would block the service."""
    os.mkfifo(tmp_path / "pipe")
    with stored.client(audit_reads=str(tmp_path / broken)) as client:
        rest = crawl.rest(client, key, CHAT)
        mcp = Endpoint(client, key).post(call("list_telegram_messages", {"chatId": make.CHAT}))
        ready = client.get("/readyz")
    for response in (rest, mcp):
        assert response.status_code == 503
        assert "service_unavailable" in response.text
        assert make.CHAT not in response.text
    lines = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    assert all("reads cannot be recorded" in line["causes"][0] for line in lines[:2])
    assert ready.status_code == 503
    assert ready.json["checks"]["reads"] == "reads cannot be recorded"


@pytest.mark.skipif(not which("jq"), reason="needs jq")
def test_documented_line_finds_the_last_readers_in_a_fleet(
    stored: Deployment, tmp_path: Path
) -> None:
    keys = [stored.issue_key("acme", make.OWNER) for _ in range(2)]
    (tmp_path / "reads").mkdir()
    for number, key in enumerate(keys):
        record = tmp_path / f"reads/host{number}.jsonl"
        with stored.app(audit_reads=str(record)) as app:
            for path in (f"/api/v1/knowledge/{make.knowledge_id(1)}", "/api/v1/people"):
                assert crawl.rest(app.test_client(), key, path).status_code == 200
        # A line that is being written.
        record.write_text(f"{record.read_text()}{{")
    (line,) = [each.text for each in blocks(ROOT / "docs/operations/reads.md") if "jq" in each.text]
    script = line.replace("docs:ID", make.knowledge_id(1))
    found = subprocess.run(["sh", "-c", script], cwd=tmp_path, capture_output=True, text=True)
    rows = [row.split("\t") for row in found.stdout.splitlines()]
    ids = {row["hint"]: row["id"] for row in
           stored.cli("keys", "list", "--organization", "acme", "--json").json()}  # fmt: skip
    assert [row[1:] for row in rows] == [[ids[key[:9]], "read_knowledge"] for key in keys]
    assert found.stderr == ""
