"""The shell blocks of the index and of the pages for owners, agents and operators work."""

from __future__ import annotations

import json
from pathlib import Path

from tests.docs.pages import ROOT, run_blocks, shell_blocks, shell_environment
from tests.mcp.served import serve
from tests.support import factories as make
from tests.support.deployment import Deployment

AGENT = ROOT / "docs/tasks/agent.md"
OWNER = ROOT / "docs/tasks/owner.md"
OPERATOR = ROOT / "docs/operations/README.md"
INDEX = ROOT / "docs/README.md"


def environment(deployment: Deployment, home: Path, **values: str) -> dict[str, str]:
    variables = {name: value for name, value in deployment.environment.items() if value}
    path = f"{ROOT / '.venv/bin'}:{shell_environment()['PATH']}"
    return shell_environment(**variables | values) | {"PATH": path, "HOME": str(home)}


def test_owner_page_works(deployment: Deployment, tmp_path: Path) -> None:
    acme = make.organization(slug="acme")
    ada = make.member(displayName="Ada")
    deployment.load([acme, ada, make.source("docs", "docs:handbook")])
    texts = [block.text for block in shell_blocks(OWNER)]
    result = run_blocks(texts, environment(deployment, tmp_path), tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "octx_" in result.stdout
    assert "revoked" in deployment.cli("keys", "list", "--organization", "acme").stdout


def test_agent_page_works(own_acme: Deployment, tmp_path: Path) -> None:
    key = own_acme.issue_key(make.ACME, make.OWNER)
    with serve(own_acme, key) as served:
        base_url = served.url.removesuffix("/api/mcp")
        variables = environment(own_acme, tmp_path, ORGCTX_API_KEY=key, ORGCTX_BASE_URL=base_url)
        result = run_blocks([block.text for block in shell_blocks(AGENT)], variables, tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    assert key not in "".join(path.read_text() for path in tmp_path.rglob("*.json"))
    assert json.loads(result.stdout[result.stdout.rindex('{"data"') :])["data"].keys() >= {"items"}


def test_index_and_operations_page_work(deployment: Deployment, tmp_path: Path) -> None:
    texts = [block.text for page in (INDEX, OPERATOR) for block in shell_blocks(page)]
    result = run_blocks(texts, environment(deployment.with_service_login(), tmp_path), tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
