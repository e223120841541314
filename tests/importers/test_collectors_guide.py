"""The guide's records load, and its collector collects and keeps the cadence."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from redis import Redis

from tests.docs.pages import ROOT, blocks
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.waiting import until

GUIDE = blocks(ROOT / "docs/collectors.md")


def block(language: str) -> str:
    """The first code block in a language."""
    return next(block.text for block in GUIDE if block.language == language)


def test_export_of_slack_loads(acme: Deployment, tmp_path: Path) -> None:
    user = {"id": "U1", "name": "ada", "profile": {"real_name": "Ada"}}
    first = {"user": "U1", "text": "Ship it, <@U1>?", "ts": "1764300000.000100"}
    edited = {"edited": {"ts": "1764300009.000000"}, "thread_ts": first["ts"]}
    files = {
        "users.json": [user],
        "channels.json": [{"id": "C1", "name": "crew", "members": ["U1"]}],
        "crew/2025-11-28.json": [
            {"user": "U1", "text": "Yes", "ts": "1764300000.000200", **edited},
            {"subtype": "channel_join", "text": "", "ts": "1764300001.000100"},
            first,
        ],
    }
    for path, content in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(json.dumps(content), "utf-8")
    program = [block.text for block in GUIDE if block.language == "python"][1]
    done = subprocess.run(
        [sys.executable, "-c", program, make.ACME, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert acme.cli("load", "-", stdin=done.stdout).exit_code == 0
    rows = acme.execute(
        "SELECT id, text, reply_to_message_id, sender_name, edited_at IS NOT NULL "
        "FROM telegram_messages ORDER BY id"
    )
    assert rows == [
        (1764300000, "Ship it, @Ada?", None, "Ada", False),
        (1764300001, "Yes", 1764300000, "Ada", True),
    ]


def test_examples_of_the_guide_load(acme: Deployment) -> None:
    result = acme.cli("load", "-", "--json", stdin=block("json"))
    assert {name: counts["created"] for name, counts in result.json().items()} == {
        "source": 1,
        "telegram.chat": 1,
        "telegram.message": 1,
    }


@contextmanager
def collector(deployment: Deployment, folder: Path, home: Path) -> Iterator[None]:
    """Run the guide's program as a process that finds this checkout's `orgctx`."""
    command = home / "orgctx"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m orgctx.cli "$@"\n')
    command.chmod(0o755)
    code = block("python").replace("IDLE_SECONDS = 5, 60", "IDLE_SECONDS = 0.2, 600")
    (home / "collector.py").write_text(code)
    path = f"{home}{os.pathsep}{os.environ['PATH']}"
    process = subprocess.Popen(
        [sys.executable, str(home / "collector.py"), make.ACME, str(folder)],
        env={**deployment.program_environment, "PATH": path},
        stdout=subprocess.DEVNULL,
        cwd=home,
    )
    try:
        yield
        assert process.poll() is None
    finally:
        process.kill()
        process.wait()


@pytest.mark.thorough
def test_collector_of_the_guide_keeps_the_watched_cadence(acme: Deployment, tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    (folder / "one.md").write_text("One")

    def titles() -> set[str]:
        return {title for (title,) in acme.execute("SELECT title FROM knowledge")}

    redis = Redis.from_url(acme.redis_url)
    redis.set(f"orgctx:watched:{{{make.ACME}}}", int(time.time()), ex=90)
    with collector(acme, folder, tmp_path):
        until(lambda: titles() == {"one"})
        (folder / "two.md").write_text("Two")
        (folder / "one.md").unlink()
        until(lambda: titles() == {"two"})
    redis.close()
