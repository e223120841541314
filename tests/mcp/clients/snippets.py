"""Run each client with the configuration that `orgctx connect` prints. Part of `make clients`."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from orgctx.clients import CLIENTS, PLACEHOLDER, configuration
from orgctx.demo.lines import mcp_claude
from orgctx.resources.catalog import OPERATIONS
from tests.mcp.clients.install import AGENTS, node_clients, node_packages, python_client
from tests.mcp.clients.report import check
from tests.mcp.endpoint import call, request
from tests.support.service import Running

NAMES = [operation.name for operation in OPERATIONS]
PYTHON = [name for name, client in CLIENTS.items() if client.format == "py"]


def run(command: list[str], served: Running, folder: Path, path: str = os.environ["PATH"]) -> str:
    """Run a program with the key in its environment, at home in `folder`. Returns its output."""
    environment = {
        "PATH": path,
        "HOME": str(folder),
        "ORGCTX_API_KEY": served.key,
        "NO_COLOR": "1",
        # Such files would contain the command, and with it the key.
        "npm_config_logs_max": "0",
    }
    result = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120,
        check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-2000:]
    return result.stdout + result.stderr


def text_of(client: str, served: Running) -> str:
    return configuration(client, served.base_url)


def with_node(program: Path, folder: Path) -> str:
    """Return a PATH on which the pinned Node comes first."""
    return f"{program.parent}:{folder / 'node_modules/.bin'}:{os.environ['PATH']}"


@pytest.mark.parametrize("client", PYTHON)
def test_python(served: Running, tmp_path: Path, client: str) -> None:
    script = tmp_path / "snippet.py"
    script.write_text(text_of(client, served), "utf-8")
    output = run([str(python_client(client)), "-I", str(script)], served, tmp_path)
    if client == "httpx":
        assert len(output.splitlines()) == 3
    else:
        assert all(f"'{name}'" in output for name in NAMES)


def test_typescript(served: Running, tmp_path: Path) -> None:
    folder, program = node_clients()
    script = folder / "snippet.mts"
    script.write_text(text_of("typescript", served), "utf-8")
    output = run([str(program), str(script)], served, tmp_path)
    assert all(f"'{name}'" in output for name in NAMES)


def test_inspector(served: Running, tmp_path: Path) -> None:
    folder, program = node_clients()
    (tmp_path / "node_modules").symlink_to(folder / "node_modules")
    command = ["bash", "-ec", text_of("inspector", served)]
    output = run(command, served, tmp_path, with_node(program, folder))
    assert all(f'"{name}"' in output for name in NAMES)
    package = folder / "node_modules/@modelcontextprotocol/inspector/package.json"
    needed = json.loads(package.read_text("utf-8"))["engines"]["node"]
    assert (
        f"Node {needed.removeprefix('>=').removesuffix('.0')} " in CLIENTS["inspector"].instruction
    )


def test_curl(served: Running, tmp_path: Path) -> None:
    output = run(["bash", "-ec", text_of("curl", served)], served, tmp_path)
    assert all(f'"name":"{name}"' in output for name in NAMES)
    assert '"freshness"' in output


Started = Callable[[list[str], dict[str, str]], subprocess.Popen[str]]


@pytest.fixture
def started(served: Running, tmp_path: Path) -> Iterator[Started]:
    """Start a program that talks over pipes, as a desktop application does."""
    folder, program = node_clients()
    (tmp_path / "node_modules").symlink_to(folder / "node_modules")
    environment = {"PATH": with_node(program, folder), "HOME": str(tmp_path)}
    processes = []

    def start(command: list[str], variables: dict[str, str]) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            command, cwd=tmp_path, env=environment | variables | {"npm_config_logs_max": "0"},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            start_new_session=True,
        )  # fmt: skip
        processes.append(process)
        return process

    yield start
    for process in processes:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, 9)
        process.communicate()


def check_conversation(process: subprocess.Popen[str]) -> None:
    stdin, stdout = process.stdin, process.stdout
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
    messages = (
        request("tools/list", message_id=1),
        call("search_context", {"q": "document", "limit": 3}, 2),
        call("search_context", {"limit": 0, "sauce": "x"}, 3),
        call("no_such_tool", {}, 4),
    )
    answers = []
    for message in messages:
        send(message)
        answers.append(json.loads(stdout.readline()))
    listed, found, wrong, unknown = answers
    report = {"answer": found["result"], "argument_error": wrong["result"]}
    check(report | listed["result"] | {"unknown_tool": unknown["error"]})


def test_claude_desktop(served: Running, started: Started) -> None:
    server = json.loads(text_of("claude-desktop", served))["mcpServers"]["orgctx"]
    (name,) = (name for name, value in server["env"].items() if value == PLACEHOLDER)
    check_conversation(started([server["command"], *server["args"]], {name: served.key}))


# Agents read the files that people make of configurations


def save(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")


@pytest.fixture(scope="session")
def agents() -> tuple[Path, Path]:
    folder, program = node_packages("agents", AGENTS)
    return folder / "node_modules", program


def test_claude(served: Running, agents: tuple[Path, Path], tmp_path: Path) -> None:
    (program,) = agents[0].glob("@anthropic-ai/claude-code-*/claude")
    agree(tmp_path)
    save(tmp_path / ".mcp.json", text_of("claude", served))
    assert "Connected" in run([str(program), "mcp", "list"], served, tmp_path)


def test_claude_keeps_the_key_out_of_its_files(
    served: Running, agents: tuple[Path, Path], tmp_path: Path
) -> None:
    """The line that the demo prints."""
    (program,) = agents[0].glob("@anthropic-ai/claude-code-*/claude")
    command = mcp_claude(served.base_url).replace("claude", str(program), 1)
    run(["sh", "-euc", command], served, tmp_path)
    texts = [path.read_text("utf-8", "replace") for path in tmp_path.rglob("*") if path.is_file()]
    assert any("Bearer ${ORGCTX_API_KEY}" in text for text in texts)
    assert not any(served.key in text for text in texts)
    agree(tmp_path)
    assert "Connected" in run([str(program), "mcp", "list"], served, tmp_path)


def agree(folder: Path) -> None:
    """Trust the folder and its server, as people do when Claude Code asks."""
    project = {"hasTrustDialogAccepted": True, "enabledMcpjsonServers": ["orgctx"]}
    (folder / ".claude.json").write_text(json.dumps({"projects": {str(folder): project}}))


def test_gemini(served: Running, agents: tuple[Path, Path], tmp_path: Path) -> None:
    modules, node = agents
    save(tmp_path / ".gemini/settings.json", text_of("gemini", served))
    agreed = json.dumps({str(tmp_path): "TRUST_FOLDER"})
    (tmp_path / ".gemini/trustedFolders.json").write_text(agreed)
    script = modules / "@google/gemini-cli/bundle/gemini.js"
    assert "Connected" in run([str(node), str(script), "mcp", "list"], served, tmp_path)


def test_codex(served: Running, agents: tuple[Path, Path], tmp_path: Path) -> None:
    (program,) = agents[0].glob("@openai/codex-*/vendor/*/bin/codex")
    save(tmp_path / ".codex/config.toml", text_of("codex", served))
    printed = run([str(program), "mcp", "get", "orgctx", "--json"], served, tmp_path)
    output, _ = json.JSONDecoder().raw_decode(printed)
    assert output["transport"]["url"] == served.url
    assert output["transport"]["bearer_token_env_var"] == "ORGCTX_API_KEY"
