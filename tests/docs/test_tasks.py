"""The shell blocks of the index and of the pages for owners, agents and operators work."""

import ast
import json
import re
from pathlib import Path

import pytest

from orgctx.observability import metrics
from tests.docs.pages import ROOT, program_environment, run_blocks, shell_texts
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.service import serve

AGENT = ROOT / "docs/tasks/agent.md"
OWNER = ROOT / "docs/tasks/owner.md"
OPERATOR = ROOT / "docs/operations/README.md"
INDEX = ROOT / "docs/README.md"
pytestmark = pytest.mark.thorough


def environment(deployment: Deployment, home: Path, **values: str) -> dict[str, str]:
    return program_environment(**deployment.settings | values) | {"HOME": str(home)}


def test_owner_page_works(deployment: Deployment, tmp_path: Path) -> None:
    acme = make.organization(slug="acme")
    ada = make.member(displayName="Ada")
    deployment.load([acme, ada, make.source("docs", "docs:handbook")])
    output = run_blocks(shell_texts(OWNER), environment(deployment, tmp_path), tmp_path)
    assert "octx_" in output
    assert "revoked" in deployment.cli("keys", "list", "--organization", "acme").stdout


def test_agent_page_works(own_acme: Deployment, tmp_path: Path) -> None:
    key = own_acme.issue_key(make.ACME, make.OWNER)
    with serve(own_acme, key) as served:
        base_url = served.base_url
        variables = environment(own_acme, tmp_path, ORGCTX_API_KEY=key, ORGCTX_BASE_URL=base_url)
        output = run_blocks(shell_texts(AGENT), variables, tmp_path)
    assert key not in "".join(path.read_text() for path in tmp_path.rglob("*.json"))
    assert json.loads(output[output.rindex('{"data"') :])["data"].keys() >= {"items"}


def test_index_and_operations_page_work(deployment: Deployment, tmp_path: Path) -> None:
    texts = [*shell_texts(INDEX), *shell_texts(OPERATOR)]
    run_blocks(texts, environment(deployment.with_service_login(), tmp_path), tmp_path)


# Metrics of alerts and dashboard; keys in Redis; members of the log


METRIC = re.compile(r"\borgctx_[a-z_]+")
SOURCES = [ROOT / "deploy/alerts.yml", ROOT / "deploy/grafana/orgctx.json"]


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_alerts_and_dashboard_use_existing_metrics(source: Path) -> None:
    code = Path(metrics.__file__).read_text() + (ROOT / "orgctx/http/metrics.py").read_text()
    known = set(re.findall(r'"(orgctx_[a-z_]+)"', code))
    known |= set(METRIC.findall((ROOT / "deploy/backup.sh").read_text()))
    for name in set(METRIC.findall(source.read_text())):
        base = re.sub(r"_(total|bucket|count|sum)$", "", name)
        assert {name, base} & known, name


def test_backup_page_lists_all_keys_in_redis() -> None:
    code = "".join(path.read_text("utf-8") for path in (ROOT / "orgctx").rglob("*.py"))
    page = (ROOT / "docs/operations/backup.md").read_text("utf-8")
    listed = re.findall(r"^\| [^|]+ \| `orgctx:(\w+)", page, re.MULTILINE)
    # Those that check whether Redis counts have names of this kind, but for uuid5.
    assert {*listed} == {*re.findall(r'(?<!NAMESPACE_URL, )f"orgctx:(\w+)', code)}


def test_logs_page_explains_each_member() -> None:
    code = (ROOT / "orgctx/observability/logs.py").read_text("utf-8")
    members = {"timestamp", "level", "event", *re.findall(r'members(?:\[|\.\w+\()"(\w+)"', code)}
    for node in ast.walk(ast.parse((ROOT / "orgctx/app.py").read_text("utf-8"))):
        match node:
            case ast.Call(ast.Attribute(attr="log_request"), [], keywords):
                members |= {str(keyword.arg) for keyword in keywords}
    page = (ROOT / "docs/operations/logs.md").read_text("utf-8").partition("## ")[0]
    cells = re.findall(r"^\| (`[^|]+) \|", page, re.MULTILINE)
    assert sorted(re.findall(r"`(\w+)`", " ".join(cells))) == sorted(members)


def test_dashboard_has_unique_panels_with_queries() -> None:
    board = json.loads((ROOT / "deploy/grafana/orgctx.json").read_text())
    assert board["title"] == "orgctx"
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"]) > 8
    assert all(panel["targets"][0]["expr"] for panel in board["panels"])
