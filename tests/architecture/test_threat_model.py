"""The threat model names existing tests, and the service can call nobody."""

import ast
import re
from pathlib import Path

from tests.architecture.modules import MODULES, nodes

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/threat-model.md").read_text("utf-8")
ROWS = [line for line in TEXT.splitlines() if line.startswith("| ") and "tests/" in line]
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
HTTP_CLIENTS = {"urllib.request", "http.client", "urllib3", "requests", "httpx", "aiohttp"}
# Commands and importers run for operators. Traces go to the collector that the operator names, and
# the desk asks the OpenID Connect provider that the operator names.
EXCEPT = (
    "cli", "demo", "embedded", "importers", "observability/traces.py", "desk/openid.py",
)  # fmt: skip


def test_threat_has_existing_tests() -> None:
    for row in ROWS:
        named = NAMED.findall(row)
        assert named, row
        for path, name in named:
            assert f"\ndef {name}(" in (ROOT / path).read_text("utf-8"), (path, name)


def test_owasp_list_is_complete() -> None:
    assert re.findall(r"^\| (MCP\d\d) ", TEXT, re.MULTILINE) == [f"MCP{n:02}" for n in range(1, 11)]


def test_service_has_no_http_client() -> None:
    for path, tree in MODULES.items():
        if path.relative_to(ROOT / "orgctx").as_posix().startswith(EXCEPT):
            continue
        for node in nodes(tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [str(node.module), *(f"{node.module}.{each.name}" for each in node.names)]
            assert not HTTP_CLIENTS & set(names), path
