"""The official Node clients and the conformance suite; `make clients` runs them.

Not part of the test suite, because they need npm and several hundred megabytes.
"""

import subprocess
from pathlib import Path

import pytest

from tests.mcp.clients.install import node_clients
from tests.mcp.clients.proxy import with_key
from tests.mcp.clients.report import check, talk
from tests.support.service import Running

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def node() -> tuple[Path, str]:
    """The folder of the packages, and the Node program."""
    folder, program = node_clients()
    return folder, str(program)


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
    served: Running, node: tuple[Path, str], package: str, mode: str, version: str | None
) -> None:
    folder, program = node
    driver = str(HERE / "talk.mjs")
    report = talk([program, driver, str(folder), package, served.url, served.key, mode])
    check(report)
    assert report["version"] == version


# The conformance suite


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_conformance(
    served: Running, node: tuple[Path, str], tmp_path: Path, revision: str
) -> None:
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
