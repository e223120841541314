"""Install clients and tools once, each version separately, into .clients/ of the checkout."""

import json
import os
import platform
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable
from fcntl import LOCK_EX, flock
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[3] / ".clients"
# 1.12 and older do not work with a newer pydantic.
OLD = ("pydantic<2.12",)
PYTHON_CLIENTS: dict[str, tuple[str, ...]] = {
    "mcp-2.3.0": ("mcp==2.3.0",),
    "mcp-1.30.0": ("mcp==1.30.0",),
    "mcp-1.12.4": ("mcp==1.12.4", *OLD),
    "mcp-1.9.4": ("mcp==1.9.4", *OLD),
    "mcp-1.8.1": ("mcp==1.8.1", *OLD),
    "fastmcp": ("fastmcp-slim[client]==4.2.3",),
    "openai-agents": ("openai-agents==0.24.0",),
    "langchain": ("langchain-mcp-adapters==0.3.2",),
    "pydantic-ai": ("pydantic-ai-slim[mcp]==2.68.0",),
    "httpx": ("httpx==0.28.1",),
}
PYTHON_LIBRARIES = {"helm-sdkpy": "helm-sdkpy==0.1.32"}
# Aliases in package.json, so that several versions can be installed.
NODE_CLIENTS = {
    "sdk-1.32.2": "npm:@modelcontextprotocol/sdk@1.32.2",
    "sdk-1.17.5": "npm:@modelcontextprotocol/sdk@1.17.5",
    "sdk-1.10.2": "npm:@modelcontextprotocol/sdk@1.10.2",
    "@modelcontextprotocol/client": "2.4.0",
    "@modelcontextprotocol/inspector": "2.12.0",
    "@modelcontextprotocol/conformance": "0.2.0-alpha.12",
    "mcp-remote": "0.15.1",
}
# Agents that read a configuration; programs of some hundred megabytes.
AGENTS = {
    "@anthropic-ai/claude-code": "2.1.332",
    "@google/gemini-cli": "0.61.0",
    "@openai/codex": "0.171.0",
}
NODE_VERSION = "24.21.0"


def python_client(name: str) -> Path:
    """The interpreter that has this client."""
    folder = FOLDER / f"{name}-py{sys.version_info.major}.{sys.version_info.minor}"
    interpreter = folder / "bin" / "python"

    def install() -> None:
        venv.create(folder, with_pip=False, symlinks=True)
        # Most modules of a client are never imported.
        _pip("--python", str(interpreter), "install", "--no-compile", *PYTHON_CLIENTS[name])

    once(folder, repr(PYTHON_CLIENTS[name]), install)
    return interpreter


def python_library(name: str) -> Path:
    """The folder of a library that is installed whatever Python it asks for."""
    requirement = PYTHON_LIBRARIES[name]
    folder = FOLDER / f"{requirement}-py{sys.version_info.major}.{sys.version_info.minor}"
    target = ("--ignore-requires-python", "--target", str(folder))
    once(folder, requirement, lambda: _pip("install", *target, requirement))
    return folder


def node_clients() -> tuple[Path, Path]:
    """The folder of package.json, and a Node new enough for all of them."""
    return node_packages("node", NODE_CLIENTS)


def node_packages(name: str, packages: dict[str, str]) -> tuple[Path, Path]:
    """Install npm packages. Returns their folder and a Node that is new enough for them."""
    folder = FOLDER / name
    machine = {"x86_64": "x64", "aarch64": "arm64", "arm64": "arm64"}[platform.machine()]
    node = {f"node-{platform.system().lower()}-{machine}": NODE_VERSION}
    wanted = json.dumps({"private": True, "dependencies": packages | node}, indent=2)

    def install() -> None:
        (folder / "package.json").write_text(wanted, "utf-8")
        flags = ("--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts", "--force")
        run(["npm", "install", *flags, "--prefix", str(folder)], f"the packages of {name}")

    once(folder, wanted, install)
    return folder, next(folder.glob("node_modules/node-*/bin/node"))


def once(folder: Path, wanted: str, install: Callable[[], None]) -> None:
    """Install into an empty folder, unless it has what is wanted. Other processes wait."""
    complete = folder / "complete"
    FOLDER.mkdir(exist_ok=True)
    with (FOLDER / "lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not complete.exists() or complete.read_text("utf-8") != wanted:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            install()
            complete.write_text(wanted, "utf-8")


def _pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check", *arguments]
    run(command, arguments[-1])


def run(command: list[str], what: str) -> None:
    """Run an installer. Without a registry the tests are skipped, unless they are required."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
        failure = done.stderr.strip() if done.returncode else ""
    except FileNotFoundError as error:
        failure = str(error)
    if failure:
        skip_or_fail = pytest.fail if os.environ.get("ORGCTX_TEST_REQUIRE_CLIENTS") else pytest.skip
        skip_or_fail(f"cannot install {what}: {failure.splitlines()[-1]}")
