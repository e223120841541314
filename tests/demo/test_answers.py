"""The printed requests of the demo succeed, and its data shows every feature."""

import json
import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

import pytest

from orgctx.resources.catalog import OPERATIONS
from tests.docs.pages import ROOT, blocks
from tests.embedded.conftest import await_end
from tests.support.waiting import until

from .conftest import Demo, demo

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def running(data_dir: Path) -> Iterator[Demo]:
    with demo(data_dir) as running:
        yield running


CLAUDE = """#!/bin/sh
printf '%s\\n' "$@"
"""


def commands_in(printed: str) -> list[str]:
    """The commands of a printed text: its lines at the margin that are not comments."""
    return [line for line in printed.splitlines() if line and not line.startswith((" ", "#"))]


def run_all(printed: str, directory: Path) -> dict[str, str]:
    """Run each command in a shell of its own, in another directory, after the lines that export.

    Returns the output by command. `claude` prints its arguments.
    """
    claude = directory / "claude"
    claude.write_text(CLAUDE)
    claude.chmod(0o755)
    commands = commands_in(printed)
    exports = [command for command in commands if command.startswith("export ")]
    environment = {"PATH": f"{directory}:{os.defpath}", "HOME": str(directory)}
    return {
        command: subprocess.run(
            ["sh", "-euc", "\n".join([*exports, command])],
            env=environment, cwd=directory, capture_output=True, text=True, check=True, timeout=60,
        ).stdout
        for command in commands
        if command not in exports
    }  # fmt: skip


def check_output(command: str, output: str, key: str) -> None:
    if command.startswith("curl "):
        assert json.loads(output).keys() & {"data", "result"}, command
    elif command.startswith("claude "):
        # Without the key, which Claude Code would store.
        assert output.splitlines()[-1] == "Authorization: Bearer ${ORGCTX_API_KEY}"
        assert key not in output
    else:
        assert output, command


def test_each_printed_line_runs_in_a_new_shell(running: Demo, tmp_path: Path) -> None:
    greeting = run_all(running.printed.partition("In another shell:\n")[2], tmp_path)
    programs = {Path(command.split()[0]).name for command in greeting}
    assert programs == {"curl", "claude", "orgctx"}
    (printed,) = (output for command, output in greeting.items() if "demo --lines" in command)
    assert f"export ORGCTX_API_KEY={running.key}\n" in printed
    outputs = run_all(printed, tmp_path)
    requests = [command for command in outputs if command.startswith("curl ")]
    assert len(requests) == sum(operation.example.exists() for operation in OPERATIONS) + 1
    (sources,) = (output for command, output in outputs.items() if "sources list" in command)
    assert "docs:manual" in sources
    for command, output in (greeting | outputs).items():
        check_output(command, output, running.key)


def test_link_opens_the_desk(running: Demo) -> None:
    match = re.search(r"http://(localhost:(\d+))/sign-in#(\S{43})", running.printed)
    assert match
    host, port, secret = match.groups()

    def ask(method: str, path: str, body: str = "", **headers: str) -> tuple[HTTPResponse, bytes]:
        sent = {"Host": host, "Origin": f"http://{host}", **headers}
        with closing(HTTPConnection("127.0.0.1", int(port), timeout=30)) as connection:
            connection.request(method, path, body, sent)
            response = connection.getresponse()
            return response, response.read()

    until(lambda: ask("GET", "/healthz")[0].status == 200, "the desk is not ready")
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    response, _ = ask("POST", "/sign-in", f"secret={secret}", **form)
    assert response.status == 303
    cookie = (response.getheader("Set-Cookie") or "").partition(";")[0]
    assert b"Harbor Lights Cooperative" in ask("GET", "/", Cookie=cookie)[1]


def test_readme_shows_what_the_demo_answers(running: Demo) -> None:
    (block,) = (block for block in blocks(ROOT / "README.md") if block.language == "console")
    commands = re.findall(r"^\$ (.*)\n", block.text, re.MULTILINE)
    sample = re.sub(r"\n *", "", re.sub(r"^\$ .*\n", "", block.text, flags=re.MULTILINE))
    script = "\n".join(commands).replace("octx_…", running.key).replace(":8000", f":{running.port}")
    answer = subprocess.run(
        ["sh", "-euc", script], capture_output=True, text=True, check=True, timeout=60
    ).stdout
    assert re.fullmatch(".+?".join(map(re.escape, sample.split("…"))), answer), answer


def page_paths(demo: Demo) -> dict[str, str]:
    """A page after the first of every list with pages, by name."""
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


def test_lists_have_several_pages(running: Demo) -> None:
    for name, path in page_paths(running).items():
        status, body = running.get(path)
        assert (status, bool(body["data"])) == (200, True), name
        assert body["meta"]["freshness"]["source"] == "local_preview"


def all_messages(demo: Demo, chat_id: str) -> list[dict[str, Any]]:
    path = f"/api/v1/telegram/chats/{chat_id}/messages?limit=100"
    _, page = demo.get(path)
    messages: list[dict[str, Any]] = page["data"]
    while page["pagination"]["hasMore"]:
        _, page = demo.get(f"{path}&before={page['pagination']['nextBefore']}")
        messages += page["data"]
    return messages


def test_messages_have_every_kind_and_several_pages(running: Demo) -> None:
    _, chats = running.get("/api/v1/telegram/chats")
    assert len(chats["data"]) == 2
    kinds = set()
    for chat in chats["data"]:
        kinds |= {message["kind"] for message in all_messages(running, chat["id"])}
    assert kinds >= {"text", "photo", "video", "animation", "sticker", "document", "voice", "poll"}


def test_records_show_every_feature(running: Demo) -> None:
    _, mentions = running.get("/api/v1/x/mentions")
    assert any(medium["type"] == "photo" for item in mentions["data"] for medium in item["media"])
    for member in ("quoted", "isReply", "isRepost"):
        assert any(mention[member] for mention in mentions["data"])
    _, search = running.get("/api/v1/search?limit=50")
    assert search["data"]["hasMore"]
    for query in ("archived=true", "visibility=team"):
        assert running.get(f"/api/v1/knowledge?{query}")[1]["data"]
    sources = {item["source"] for item in all_knowledge(running)}
    assert sources == {"docs", "assets", "chain", "profile", "team", "answer"}


def all_knowledge(demo: Demo) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    page = 1
    while page_items := demo.get(f"/api/v1/knowledge?page={page}")[1]["data"]:
        items += page_items
        page += 1
    return items


def test_manual_has_a_long_document(running: Demo) -> None:
    _, list_ = running.get("/api/v1/knowledge?q=tide%20almanac%202027")
    ids = [item["id"] for item in list_["data"] if item["title"].startswith("Tide almanac")]
    _, body = running.get(f"/api/v1/knowledge/{ids[0].replace(':', '%3A')}")
    assert body["data"]["contentRange"]["total"] > 60_000


def test_sources_show_every_status(running: Demo) -> None:
    _, body = running.get("/api/v1/sources")
    statuses = {source["id"]: source["status"] for source in body["data"]}
    assert statuses["x:mentions"] == "stale"
    assert statuses["token:lantern"] == "synthetic"
    assert statuses["docs:manual"] == "current"
    assert "docs:board" not in statuses


def test_greeting_fits_one_screen_and_ctrl_c_ends_the_demo(running: Demo) -> None:
    """It is the last test of this demo."""
    assert len(running.printed.strip("\n").splitlines()) <= 24
    url = f"http://127.0.0.1:{running.port}"
    assert f"{url}/#/explore?key={running.key}\n" in running.printed
    assert f"export ORGCTX_API_KEY={running.key}\n" in running.printed
    assert running.printed.count(running.key) == 2
    pids = running.processes()
    os.killpg(running.process.pid, signal.SIGINT)
    output, errors = running.process.communicate(timeout=60)
    assert (running.process.returncode, output.strip()) == (0, "")
    await_end(pids)
    assert [line.split(" ")[0] for line in errors.splitlines()][:2] == ["Starting", "Loading"]
    assert "route=/healthz" not in errors
