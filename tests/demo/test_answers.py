"""What the demo prints works as printed, and its data shows every feature."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from orgctx.resources.catalog import OPERATIONS

from .conftest import Demo, demo, start


@pytest.fixture(scope="module")
def running(data_dir: Path) -> Iterator[Demo]:
    with demo(data_dir) as running:
        yield running


def test_printed_lines(running: Demo, data_dir: Path) -> None:
    with start(data_dir, port=running.port, arguments=["--lines"]) as process:
        printed = process.communicate(timeout=30)[0]
    lines = re.findall(r"^# (.*)\n(curl .*)$", printed, re.MULTILINE)
    assert len(lines) == sum(operation.example.exists() for operation in OPERATIONS) + 1
    assert f"export ORGCTX_API_KEY={running.key}\n" in printed
    lines += [("greeting", line) for line in re.findall("^curl .*$", running.printed, re.MULTILINE)]
    assert len(lines) == len(OPERATIONS) + 4
    for title, line in lines:
        answer = subprocess.run(
            ["sh", "-c", f"{line} -w '\\n%{{http_code}}'"],
            env={**os.environ, "ORGCTX_API_KEY": running.key},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        assert answer.endswith("\n200"), (title, answer)


def test_a_second_one_at_once_is_refused(running: Demo, data_dir: Path) -> None:
    with start(data_dir, port=running.port) as second:
        out, said = second.communicate(timeout=60)
    assert (second.returncode, out) == (1, "")
    assert said == f"Error: port {running.port} is taken: end what listens there, or choose " + (
        "another with --port\n"
    )
    assert running.get("/api/v1/context")[0] == 200


def test_clients_are_told(running: Demo) -> None:
    assert f"claude mcp add --transport http orgctx http://127.0.0.1:{running.port}/api/mcp" in (
        running.printed
    )


def paged(demo: Demo) -> dict[str, str]:
    """Every numbered list that can have a second page, by name."""
    _, roots = demo.get("/api/v1/assets")
    photos = next(asset["id"] for asset in roots["data"] if asset["name"] == "Photos")
    _, inner = demo.get(f"/api/v1/assets?folderId={photos}")
    return {
        "notes": "/api/v1/knowledge?kind=note&page=2",
        "documents": "/api/v1/knowledge?kind=source&page=2",
        "assets": f"/api/v1/assets?folderId={inner['data'][0]['id']}&page=2",
        "people": "/api/v1/people?page=2",
        "mentions": "/api/v1/x/mentions?page=3",
    }


def test_second_pages(running: Demo) -> None:
    for name, path in paged(running).items():
        status, body = running.get(path)
        assert (status, bool(body["data"])) == (200, True), name
        assert body["meta"]["freshness"]["source"] == "local_preview"


def test_messages_continue(running: Demo) -> None:
    _, chats = running.get("/api/v1/telegram/chats")
    assert len(chats["data"]) == 2
    for chat in chats["data"]:
        path = f"/api/v1/telegram/chats/{chat['id']}/messages?limit=30"
        _, first = running.get(path)
        _, second = running.get(f"{path}&before={first['pagination']['nextBefore']}")
        assert second["data"]
        assert second["data"][0]["id"] < first["data"][-1]["id"]


def test_every_kind_of_record(running: Demo) -> None:
    _, mentions = running.get("/api/v1/x/mentions")
    assert {medium["type"] for one in mentions["data"] for medium in one["media"]} >= {"photo"}
    for member in ("quoted", "isReply", "isRepost"):
        assert any(one[member] for one in mentions["data"])
    _, chats = running.get("/api/v1/telegram/chats")
    kinds = set()
    for chat in chats["data"]:
        path = f"/api/v1/telegram/chats/{chat['id']}/messages?limit=100"
        _, page = running.get(path)
        kinds |= {message["kind"] for message in page["data"]}
        while page["pagination"]["hasMore"]:
            _, page = running.get(f"{path}&before={page['pagination']['nextBefore']}")
            kinds |= {message["kind"] for message in page["data"]}
    assert kinds >= {"text", "photo", "video", "animation", "sticker", "document", "voice", "poll"}
    _, search = running.get("/api/v1/search?limit=50")
    assert search["data"]["hasMore"]
    _, archived = running.get("/api/v1/knowledge?archived=true")
    assert archived["data"]
    _, team = running.get("/api/v1/knowledge?visibility=team")
    assert team["data"]
    sources = {item["source"] for item in all_knowledge(running)}
    assert sources == {"docs", "assets", "chain", "profile", "team", "answer"}


def all_knowledge(demo: Demo) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    page = 1
    while found := demo.get(f"/api/v1/knowledge?page={page}")[1]["data"]:
        items += found
        page += 1
    return items


def test_long_document(running: Demo) -> None:
    _, found = running.get("/api/v1/knowledge?q=tide%20almanac%202027")
    id_ = next(one["id"] for one in found["data"] if one["title"].startswith("Tide almanac"))
    path = f"/api/v1/knowledge/{id_.replace(':', '%3A')}"
    text, total = "", 0
    offset: int | None = 0
    while offset is not None:
        _, body = running.get(f"{path}?offset={offset}&limit=9999")
        text += body["data"]["content"]
        offset, total = (body["data"]["contentRange"][name] for name in ("nextOffset", "total"))
    assert len(text.encode("utf-16-le")) // 2 == total > 60_000
    assert "🌊" in text


def test_freshness_varies(running: Demo) -> None:
    _, body = running.get("/api/v1/sources")
    statuses = {source["id"]: source["status"] for source in body["data"]}
    assert statuses["x:mentions"] == "stale"
    assert statuses["token:lantern"] == "synthetic"
    assert statuses["docs:manual"] == "current"


def test_unapproved_source_is_invisible(running: Demo) -> None:
    _, body = running.get("/api/v1/sources")
    assert "docs:board" not in {source["id"] for source in body["data"]}
    assert running.get("/api/v1/search?source=docs%3Aboard")[0] == 404
    for path in ("/api/v1/search?q=something%20is%20broken", "/api/v1/knowledge?q=is%20broken"):
        assert "something is broken" not in str(running.get(path)[1])
