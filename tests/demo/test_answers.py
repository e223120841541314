"""The printed requests of the demo succeed."""

import json
import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from tests.desk.running import ask
from tests.docs.pages import ROOT, blocks
from tests.embedded.conftest import await_end
from tests.support.waiting import until

from .conftest import Demo

pytestmark = pytest.mark.thorough


CLAUDE = """#!/bin/sh
printf '%s\\n' "$@"
"""


def run_all(printed: str, directory: Path, cwd: Path) -> dict[str, str]:
    """Run each line at the margin in a shell of its own, after the lines that export.

    Returns the output by command. `claude` prints its arguments.
    """
    claude = directory / "claude"
    claude.write_text(CLAUDE)
    claude.chmod(0o755)
    commands = [line for line in printed.splitlines() if line and not line.startswith(" ")]
    exports = [command for command in commands if command.startswith("export ")]
    environment = {"PATH": f"{directory}:{os.defpath}", "HOME": str(directory)}
    return {
        command: subprocess.run(
            ["sh", "-euc", "\n".join([*exports, command])],
            env=environment, cwd=cwd, capture_output=True, text=True, check=True, timeout=60,
        ).stdout
        for command in commands
        if command not in exports
    }  # fmt: skip


def test_each_printed_line_runs_in_a_new_shell(
    running: Demo, data_dir: Path, tmp_path: Path
) -> None:
    lines = running.printed.partition("In another shell, in this directory:\n")[2]
    outputs = run_all(lines, tmp_path, data_dir.parent)
    assert len(outputs) == 5
    for command, output in outputs.items():
        if command.startswith("curl "):
            assert json.loads(output).keys() & {"data", "result"}, command
        elif command.startswith("claude "):
            # Without the key, which Claude Code would store.
            assert output.splitlines()[-1] == "Authorization: Bearer ${ORGCTX_API_KEY}"
            assert running.key not in output
        else:
            assert output, command
    assert "/sign-in#" in output


def test_link_opens_the_desk(running: Demo) -> None:
    match = re.search(r"(http://localhost:\d+)/sign-in#([\w.-]+)", running.printed)
    assert match
    origin, secret = match.groups()
    until(lambda: ask(origin, "GET", "/healthz").status == 200, "the desk is not ready")
    response = ask(origin, "POST", "/sign-in", f"secret={secret}&confirmed=yes")
    assert response.status == 303
    cookie = response.headers["set-cookie"].partition(";")[0]
    assert b"Harbor Lights Cooperative" in ask(origin, "GET", "/", Cookie=cookie).body


def test_readme_shows_what_the_demo_answers(running: Demo) -> None:
    (block,) = (block for block in blocks(ROOT / "README.md") if block.language == "console")
    commands = re.findall(r"^\$ (.*)\n", block.text, re.MULTILINE)
    sample = re.sub(r"\n *", "", re.sub(r"^\$ .*\n", "", block.text, flags=re.MULTILINE))
    script = "\n".join(commands).replace("octx_…", running.key).replace(":8000", f":{running.port}")
    answer = subprocess.run(
        ["sh", "-euc", script], capture_output=True, text=True, check=True, timeout=60
    ).stdout
    assert re.fullmatch(".+?".join(map(re.escape, sample.split("…"))), answer), answer


def test_greeting_fits_one_screen_and_ctrl_c_ends_the_demo(running: Demo) -> None:
    """It is the last test of this demo."""
    assert len(running.printed.strip("\n").splitlines()) <= 24
    url = f"http://127.0.0.1:{running.port}"
    assert f"{url}/#/explore\n" in running.printed
    # No address contains the key: browsers keep addresses.
    assert f"export ORGCTX_API_KEY={running.key}\n" in running.printed
    assert running.printed.count(running.key) == 1
    pids = running.processes()
    os.killpg(running.process.pid, signal.SIGINT)
    output, errors = running.process.communicate(timeout=60)
    assert (running.process.returncode, output.strip()) == (0, "")
    await_end(pids)
    assert [line.split(" ")[0] for line in errors.splitlines()][:2] == ["Starting", "Loading"]
    assert "route=/healthz" not in errors
