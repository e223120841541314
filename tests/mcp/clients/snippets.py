"""What `orgctx connect` prints, given to the very client that it is for. Part of `make clients`."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from orgctx.cli.connect.write import merge
from orgctx.clients import CLIENTS, PLACEHOLDER, configuration
from orgctx.resources.catalog import OPERATIONS
from tests.mcp.clients.install import AGENTS, node_clients, node_packages, python_client
from tests.mcp.clients.report import check_tools
from tests.mcp.endpoint import request
from tests.mcp.served import Served

NAMES = [operation.name for operation in OPERATIONS]
PYTHON = [name for name, client in CLIENTS.items() if client.format == "py"]


def run(command: list[str], served: Served, folder: Path, path: str = os.environ["PATH"]) -> str:
    """Run a program with the key in its environment and `folder` as its home; what it prints."""
    environment = {
        "PATH": path,
        "HOME": str(folder),
        "ORGCTX_API_KEY": served.key,
        "NO_COLOR": "1",
        # Such files would contain the command, and with it the key.
        "npm_config_logs_max": "0",
    }
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout + done.stderr


def text_of(client: str, served: Served) -> str:
    return configuration(client, f"http://127.0.0.1:{served.port}")


def with_node(program: Path, folder: Path) -> str:
    """A PATH on which our Node is the first."""
    return f"{program.parent}:{folder / 'node_modules/.bin'}:{os.environ['PATH']}"


@pytest.mark.parametrize("client", PYTHON)
def test_python(served: Served, tmp_path: Path, client: str) -> None:
    script = tmp_path / "snippet.py"
    script.write_text(text_of(client, served), "utf-8")
    said = run([str(python_client(client)), "-I", str(script)], served, tmp_path)
    if client == "httpx":
        assert len(said.splitlines()) == 3
    else:
        assert all(f"'{name}'" in said for name in NAMES)


def test_typescript(served: Served, tmp_path: Path) -> None:
    folder, program = node_clients()
    script = folder / "snippet.mts"
    script.write_text(text_of("typescript", served), "utf-8")
    said = run([str(program), str(script)], served, tmp_path)
    assert all(f"'{name}'" in said for name in NAMES)


def test_inspector(served: Served, tmp_path: Path) -> None:
    folder, program = node_clients()
    (tmp_path / "node_modules").symlink_to(folder / "node_modules")
    command = ["bash", "-ec", text_of("inspector", served)]
    said = run(command, served, tmp_path, with_node(program, folder))
    assert all(f'"{name}"' in said for name in NAMES)


def test_curl(served: Served, tmp_path: Path) -> None:
    said = run(["bash", "-ec", text_of("curl", served)], served, tmp_path)
    assert all(f'"name":"{name}"' in said for name in NAMES)
    assert '"freshness"' in said


@pytest.fixture
def claude_desktop(served: Served, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """What the client starts: the command with the arguments and the environment of its file."""
    folder, program = node_clients()
    (tmp_path / "node_modules").symlink_to(folder / "node_modules")
    server = json.loads(text_of("claude-desktop", served))["mcpServers"]["orgctx"]
    (name,) = (name for name, value in server["env"].items() if value == PLACEHOLDER)
    process = subprocess.Popen(
        [server["command"], *server["args"]],
        cwd=tmp_path,
        env={"PATH": with_node(program, folder), "HOME": str(tmp_path), name: served.key}
        | {"npm_config_logs_max": "0"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    yield process
    os.killpg(process.pid, 9)
    process.communicate()


def test_claude_desktop(claude_desktop: subprocess.Popen[str]) -> None:
    stdin, stdout = claude_desktop.stdin, claude_desktop.stdout
    assert stdin is not None
    assert stdout is not None

    def send(message: dict[str, Any]) -> None:
        stdin.write(json.dumps(message) + "\n")
        stdin.flush()

    about = {"name": "desktop", "version": "1"}
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about}
    send(request("initialize", hello, 0))
    assert json.loads(stdout.readline())["id"] == 0
    send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    send(request("tools/list", message_id=1))
    check_tools(json.loads(stdout.readline())["result"]["tools"])


# Agents read the files that --write makes


@pytest.fixture(scope="session")
def agents() -> tuple[Path, Path]:
    folder, program = node_packages("agents", AGENTS)
    return folder / "node_modules", program


def test_claude(served: Served, agents: tuple[Path, Path], tmp_path: Path) -> None:
    (program,) = agents[0].glob("@anthropic-ai/claude-code-*/claude")
    project = {"hasTrustDialogAccepted": True, "enabledMcpjsonServers": ["orgctx"]}
    agreed = json.dumps({"projects": {str(tmp_path): project}})
    (tmp_path / ".claude.json").write_text(agreed)
    merge(tmp_path / ".mcp.json", text_of("claude", served), "json")
    assert "Connected" in run([str(program), "mcp", "list"], served, tmp_path)


def test_gemini(served: Served, agents: tuple[Path, Path], tmp_path: Path) -> None:
    modules, node = agents
    merge(tmp_path / ".gemini/settings.json", text_of("gemini", served), "json")
    agreed = json.dumps({str(tmp_path): "TRUST_FOLDER"})
    (tmp_path / ".gemini/trustedFolders.json").write_text(agreed)
    script = modules / "@google/gemini-cli/bundle/gemini.js"
    assert "Connected" in run([str(node), str(script), "mcp", "list"], served, tmp_path)


def test_codex(served: Served, agents: tuple[Path, Path], tmp_path: Path) -> None:
    (program,) = agents[0].glob("@openai/codex-*/vendor/*/bin/codex")
    merge(tmp_path / ".codex/config.toml", text_of("codex", served), "toml")
    printed = run([str(program), "mcp", "get", "orgctx", "--json"], served, tmp_path)
    said, _ = json.JSONDecoder().raw_decode(printed)
    assert said["transport"]["url"] == served.url
    assert said["transport"]["bearer_token_env_var"] == "ORGCTX_API_KEY"
