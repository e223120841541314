"""The official Python clients against the shipped server."""

from pathlib import Path

import pytest

from tests.mcp.clients.install import python_client
from tests.mcp.clients.report import check, talk
from tests.support.service import Running

# Each installs its client first.
pytestmark = [pytest.mark.system, pytest.mark.timeout(600)]

DRIVER = Path(__file__).parent / "clients" / "talk.py"


@pytest.mark.parametrize(
    ("client", "mode", "version"),
    [
        ("mcp-2.3.0", "auto", "2026-07-28"),
        ("mcp-2.3.0", "legacy", "2025-11-25"),
        ("mcp-2.3.0", "2026-07-28", "2026-07-28"),
        ("mcp-1.30.0", "legacy", "2025-11-25"),
        ("mcp-1.12.4", "legacy", "2025-06-18"),
        ("mcp-1.9.4", "legacy", "2025-03-26"),
        ("mcp-1.8.1", "legacy", "2024-11-05"),
        ("fastmcp", "fastmcp", None),
    ],
)
def test_client_calls_tools(served: Running, client: str, mode: str, version: str | None) -> None:
    report = talk([str(python_client(client)), "-I", str(DRIVER), served.url, served.key, mode])
    check(report)
    assert report.get("version") == version
