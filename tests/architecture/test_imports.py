"""A start imports only what it uses, and texts name only extras that exist."""

from __future__ import annotations

import re
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path

import pytest

from tests.architecture.modules import MODULES, strings

COMMAND_LINE = "from orgctx.cli import main; main(['--help'], standalone_mode=False)"
SERVICE = "import orgctx.app"
HEAVY = {"flask", "psycopg", "redis", "gevent", "gunicorn", "marshmallow", "structlog", "yoyo"}
UNSERVED = {"orgctx.cli", "orgctx.importers", "orgctx.bundle", "orgctx.embedded", "yoyo"}
# redis-py loads OpenTelemetry's metrics wherever they are installed.
UNTRACED = {"opentelemetry.sdk.trace", "opentelemetry.exporter", "orgctx.observability.traces"}
ROOT = Path(__file__).parents[2]
EXTRAS = re.compile(r"orgctx\\?\[([\w,]+)")


@pytest.mark.parametrize(
    ("statement", "absent"),
    [(COMMAND_LINE, HEAVY), (SERVICE, UNSERVED | UNTRACED)],
    ids=["orgctx --help", "orgctx.app"],
)
def test_start_imports_only_what_it_needs(statement: str, absent: set[str]) -> None:
    program = f"import sys; {statement}; print(*sys.modules, sep='\\n', file=sys.stderr)"
    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stderr.split()
    assert not absent.intersection(loaded)


def test_extras_named_in_texts_exist() -> None:
    setup = ConfigParser(interpolation=None)
    setup.read(ROOT / "setup.cfg", "utf-8")
    documents = (
        path.read_text("utf-8") for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    )
    texts = [*documents, *(text for tree in MODULES.values() for text in strings(tree))]
    named = {extra for text in texts for one in EXTRAS.findall(text) for extra in one.split(",")}
    assert named
    assert named <= set(setup["options.extras_require"])
