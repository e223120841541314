"""The guide's records load, and its collector collects and keeps the cadence."""

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
