"""Metrics in the code, the docs, alerts and dashboard; keys in Redis; members of the log."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from orgctx.observability import metrics
from tests.docs.pages import ROOT

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


METRIC_ROW = re.compile(r"^\| `(orgctx_\w+)` \| (\w+) \| ([^|]*)\| ([^|]+) \|$", re.MULTILINE)
MEASURED = ("orgctx/observability/metrics.py", "orgctx/http/metrics.py")


def is_metric(name: object) -> bool:
    return isinstance(name, str) and METRIC.fullmatch(name) is not None


def metrics_in_code() -> Iterator[tuple[str, str, str, str]]:
    """Name, type, labels and description of each metric, as a row shows them."""
    for path in MEASURED:
        for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
            match node:
                case ast.Call(ast.Name(kind), [ast.Constant(name), text, *rest]) if is_metric(name):
                    named = [word.value for word in node.keywords if word.arg == "labels"]
                    labels = [label for part in [*rest, *named] for label in ast.literal_eval(part)]
                    suffix = "_total" if kind == "Counter" else ""
                    cell = ", ".join(f"`{label}`" for label in labels)
                    yield str(name) + suffix, kind.lower(), cell, ast.literal_eval(text)


def test_metrics_page_has_a_row_for_each_metric() -> None:
    page = (ROOT / "docs/operations/metrics.md").read_text("utf-8")
    rows = [tuple(cell.strip() for cell in row) for row in METRIC_ROW.findall(page)]
    assert rows == [*metrics_in_code()]


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
