"""The pages of tasks and the index, pasted: what they show works as shown."""

from __future__ import annotations

import json
from pathlib import Path

from tests.docs.pages import ROOT, machine, paste, pasted
from tests.mcp.served import serve
from tests.support import factories as make
from tests.support.deployment import Deployment

AGENT = ROOT / "docs/tasks/agent.md"
OWNER = ROOT / "docs/tasks/owner.md"
OPERATOR = ROOT / "docs/operations/README.md"
INDEX = ROOT / "docs/README.md"


def environment(deployment: Deployment, home: Path, **values: str) -> dict[str, str]:
    given = {name: value for name, value in deployment.environment.items() if value}
    path = f"{ROOT / '.venv/bin'}:{machine()['PATH']}"
    return machine(**given | values) | {"PATH": path, "HOME": str(home)}


def test_an_owner_decides(deployment: Deployment, tmp_path: Path) -> None:
    acme = make.organization(slug="acme")
    ada = make.member(displayName="Ada")
    deployment.load([acme, ada, make.source("docs", "docs:handbook")])
    listed = "orgctx keys list --organization acme --json | grep -o '[0-9a-f-]\\{36\\}' | head -n 1"
    texts = [one.text.replace("KEY_ID", f"$({listed})") for one in pasted(OWNER)]
    done = paste(texts, environment(deployment, tmp_path), tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "octx_" in done.stdout
    assert "revoked" in deployment.cli("keys", "list", "--organization", "acme").stdout


def test_an_agent_connects(own_acme: Deployment, tmp_path: Path) -> None:
    key = own_acme.issue_key(make.ACME, make.OWNER)
    with serve(own_acme, key) as served:
        address = served.url.removesuffix("/api/mcp")
        given = environment(own_acme, tmp_path, ORGCTX_API_KEY=key, ORGCTX_BASE_URL=address)
        done = paste([one.text for one in pasted(AGENT)], given, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert key not in "".join(path.read_text() for path in tmp_path.rglob("*.json"))
    assert json.loads(done.stdout[done.stdout.rindex('{"data"') :])["data"].keys() >= {"items"}


def test_the_index_and_an_operator_run_their_first_command(
    deployment: Deployment, tmp_path: Path
) -> None:
    texts = [block.text for page in (INDEX, OPERATOR) for block in pasted(page)]
    done = paste(texts, environment(deployment, tmp_path), tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
