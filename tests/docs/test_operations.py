"""The metrics in the alerts and the dashboard."""

from __future__ import annotations

import json
import re
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


def test_dashboard_has_unique_panels_with_queries() -> None:
    board = json.loads((ROOT / "deploy/grafana/orgctx.json").read_text())
    assert board["title"] == "orgctx"
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"]) > 8
    assert all(panel["targets"][0]["expr"] for panel in board["panels"])
