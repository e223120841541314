"""A start imports only what it uses."""

from __future__ import annotations

import subprocess
import sys

import pytest

COMMAND_LINE = "from orgctx.cli import main; main(['--help'], standalone_mode=False)"
SERVICE = "import orgctx.app"
HEAVY = {"flask", "psycopg", "redis", "gevent", "gunicorn", "marshmallow", "structlog", "yoyo"}
UNSERVED = {"orgctx.cli", "orgctx.importers", "orgctx.bundle", "orgctx.embedded", "yoyo"}
# redis-py loads OpenTelemetry's metrics wherever they are installed.
UNTRACED = {"opentelemetry.sdk.trace", "opentelemetry.exporter", "orgctx.server.traces"}


@pytest.mark.parametrize(
    ("statement", "absent"),
    [(COMMAND_LINE, HEAVY), (SERVICE, UNSERVED | UNTRACED)],
    ids=["orgctx --help", "orgctx.app"],
)
def test_a_start_imports_what_it_needs(statement: str, absent: set[str]) -> None:
    program = f"import sys; {statement}; print(*sys.modules, sep='\\n', file=sys.stderr)"
    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stderr.split()
    assert not absent.intersection(loaded)
