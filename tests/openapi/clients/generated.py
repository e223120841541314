"""Clients that others make from the served document: made without a warning, and they read the
same as a plain request. Part of `make clients`."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from tests.mcp.clients.install import GENERATORS, node_packages, python_client
from tests.support.service import Running

HERE = Path(__file__).parent
# A project that checks its types strictly has these settings.
STRICT = [
    *("--strict", "--noUncheckedIndexedAccess", "--skipLibCheck", "--esModuleInterop"),
    *("--target", "es2022", "--lib", "es2022,dom,dom.iterable"),
    *("--module", "commonjs", "--moduleResolution", "node10", "--outDir", "out"),
]


@pytest.fixture(scope="module")
def base_url(served: Running) -> str:
    return f"{served.base_url}/api/v1"


@pytest.fixture(scope="module")
def expected(served: Running) -> dict[str, Any]:
    """The data that plain requests read."""

    def get(path: str) -> Any:
        return served.get(f"/api/v1{path}", served.key).body["data"]

    listed = [item["id"] for item in get("/knowledge")]
    return {
        "organization": get("/context")["organization"]["displayName"],
        "found": [item["id"] for item in get("/search?q=document&limit=3")["items"]],
        "listed": listed,
        "read": listed[0],
        "missing": "not_found",
    }


@pytest.fixture
def document(base_url: str, tmp_path: Path) -> Path:
    path = tmp_path / "openapi.json"
    with urlopen(f"{base_url}/openapi.json", timeout=30) as response:
        path.write_bytes(response.read())
    return path


def run(*command: object, cwd: Path, path: Path | None = None) -> str:
    """Run a program; what it prints. path: the first folder on PATH."""
    before = f"{path}:" if path else ""
    environment = {"PATH": before + os.environ["PATH"], "HOME": str(cwd), "NO_COLOR": "1"}
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    output = done.stdout + done.stderr
    assert done.returncode == 0, output[-3000:]
    assert "warn" not in output.lower(), output
    return done.stdout


def test_python(
    served: Running, base_url: str, expected: dict[str, Any], document: Path, tmp_path: Path
) -> None:
    python = python_client("openapi-python-client")
    made = tmp_path / "generated"
    options = ("--meta", "none", "--fail-on-warning", "--output-path", made)
    generate = python.parent / "openapi-python-client"
    run(generate, "generate", "--path", document, *options, cwd=tmp_path, path=python.parent)
    output = run(python, "-I", HERE / "read.py", tmp_path, base_url, served.key, cwd=tmp_path)
    assert json.loads(output) == expected


def test_typescript(
    served: Running, base_url: str, expected: dict[str, Any], document: Path, tmp_path: Path
) -> None:
    folder, node = node_packages("generators", GENERATORS)
    modules = folder / "node_modules"
    (tmp_path / "node_modules").symlink_to(modules)
    types = modules / "openapi-typescript/bin/cli.js"
    run(node, types, document, "-o", tmp_path / "api.d.ts", cwd=tmp_path)
    run(node, modules / "@hey-api/openapi-ts/bin/run.js", "-i", document, "-o", "hey", cwd=tmp_path)
    (tmp_path / "read.ts").write_text(HERE.joinpath("read.ts").read_text("utf-8"), "utf-8")
    run(node, modules / "typescript/bin/tsc", *STRICT, "read.ts", cwd=tmp_path)
    output = run(node, "out/read.js", base_url, served.key, cwd=tmp_path)
    assert json.loads(output) == [expected, expected]
