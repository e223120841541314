"""The official Node clients and the conformance suite; `make clients` runs them.

Not part of the test suite, because they need npm and several hundred megabytes.
"""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.mcp.clients.install import node_clients
from tests.mcp.clients.proxy import with_key
from tests.mcp.clients.report import check, check_answer, check_argument_error, check_tools, talk
from tests.mcp.endpoint import call, request
from tests.mcp.served import Served

HERE = Path(__file__).parent
ARGUMENTS = {"q": "document", "limit": 3}
WRONG_ARGUMENTS = {"limit": 0, "sauce": "x"}


@pytest.fixture(scope="session")
def node() -> tuple[Path, str]:
    """The folder of the packages, and the Node program."""
    folder, program = node_clients()
    return folder, str(program)


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """An environment with an empty home, in which clients store nothing."""
    return {**os.environ, "HOME": str(tmp_path), "MCP_REMOTE_CONFIG_DIR": str(tmp_path)}


@pytest.mark.parametrize(
    ("package", "mode", "version"),
    [
        ("sdk-1.10.2", "legacy", None),
        ("sdk-1.17.5", "legacy", None),
        ("sdk-1.32.2", "legacy", None),
        ("@modelcontextprotocol/client", "legacy", "2025-11-25"),
        ("@modelcontextprotocol/client", "auto", "2026-07-28"),
        ("@modelcontextprotocol/client", "2026-07-28", "2026-07-28"),
    ],
)
def test_typescript(
    served: Served, node: tuple[Path, str], package: str, mode: str, version: str | None
) -> None:
    folder, program = node
    driver = str(HERE / "talk.mjs")
    report = talk([program, driver, str(folder), package, served.url, served.key, mode])
    check(report)
    assert report["version"] == version


# The inspector


@pytest.mark.parametrize("version", ["legacy", "auto", "modern"])
def test_inspector(
    served: Served, node: tuple[Path, str], home: dict[str, str], version: str
) -> None:
    def inspect(*arguments: str) -> subprocess.CompletedProcess[str]:
        folder, program = node
        launcher = folder / "node_modules/@modelcontextprotocol/inspector/clients/launcher"
        command = [program, str(launcher / "build/index.js"), "--cli", served.url]
        header = f"Authorization: Bearer {served.key}"
        options = ["--transport", "http", "--header", header, "--protocol-era", version]
        return subprocess.run(
            [*command, *options, "--format", "json", *arguments],
            capture_output=True,
            text=True,
            timeout=60,
            env=home,
            check=False,
        )

    def call_tool(name: str, arguments: Any) -> subprocess.CompletedProcess[str]:
        given = ("--tool-args-json", json.dumps(arguments))
        return inspect("--method", "tools/call", "--tool-name", name, *given)

    listed = inspect("--method", "tools/list", "--strict")
    assert listed.returncode == 0, listed.stderr
    check_tools(json.loads(listed.stdout)["result"]["tools"])
    check_answer(json.loads(call_tool("search_context", ARGUMENTS).stdout)["result"])
    wrong = call_tool("search_context", WRONG_ARGUMENTS).stdout.splitlines()[0]
    check_argument_error(json.loads(wrong)["result"])
    assert "tool_not_found" in call_tool("no_such_tool", {}).stderr


# The bridge for clients that use pipes


@pytest.fixture
def bridge(
    served: Served, node: tuple[Path, str], home: dict[str, str]
) -> Iterator[subprocess.Popen[str]]:
    folder, program = node
    script = str(folder / "node_modules/mcp-remote/dist/proxy.js")
    header = f"Authorization: Bearer {served.key}"
    process = subprocess.Popen(
        [program, script, served.url, "--allow-http", "--header", header],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=home,
    )
    yield process
    process.kill()
    process.communicate()


def test_mcp_remote(bridge: subprocess.Popen[str]) -> None:
    assert bridge.stdin is not None
    assert bridge.stdout is not None
    stdin, stdout = bridge.stdin, bridge.stdout

    def send(message: dict[str, Any]) -> None:
        stdin.write(json.dumps(message) + "\n")
        stdin.flush()

    def ask(message: dict[str, Any]) -> dict[str, Any]:
        send(message)
        answer: dict[str, Any] = json.loads(stdout.readline())
        assert answer["id"] == message["id"]
        return answer

    about = {"name": "talk", "version": "1"}
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about}
    assert ask(request("initialize", hello, 0))["result"]["protocolVersion"] == "2025-11-25"
    send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    check_tools(ask(request("tools/list", message_id=1))["result"]["tools"])
    check_answer(ask(call("search_context", ARGUMENTS, 2))["result"])
    check_argument_error(ask(call("search_context", WRONG_ARGUMENTS, 3))["result"])
    assert ask(call("no_such_tool", {}, 4))["error"]["code"] == -32602


# The conformance suite


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_conformance(served: Served, node: tuple[Path, str], tmp_path: Path, revision: str) -> None:
    folder, program = node
    suite = str(folder / "node_modules/@modelcontextprotocol/conformance/dist/index.js")
    baseline = ("--expected-failures", str(HERE / "conformance-baseline.yml"))
    with with_key(served) as url:
        done = subprocess.run(
            [program, suite, "server", "--url", url, "--requirements", revision, *baseline],
            capture_output=True,
            text=True,
            timeout=300,
            cwd=tmp_path,
            check=False,
        )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
