"""docs/operations: links lead somewhere, metrics exist."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from orgctx.observability import metrics
from tests.docs.pages import ROOT

PAGES = sorted((ROOT / "docs/operations").glob("*.md"))
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)")
METRIC = re.compile(r"\borgctx_[a-z_]+")
SOURCES = [ROOT / "deploy/alerts.yml", ROOT / "deploy/grafana/orgctx.json"]


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", one).lower().replace(" ", "-") for one in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    for path, anchor in LINK.findall(page.read_text("utf-8")):
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), path
        assert not anchor or anchor in anchors(target), f"{path}#{anchor}"


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_what_is_watched_is_measured(source: Path) -> None:
    code = Path(metrics.__file__).read_text() + (ROOT / "orgctx/http/metrics.py").read_text()
    known = set(re.findall(r'"(orgctx_[a-z_]+)"', code))
    for name in set(METRIC.findall(source.read_text())):
        base = re.sub(r"_(total|bucket|count|sum)$", "", name)
        assert {name, base} & known, name


def test_the_dashboard_is_one() -> None:
    board = json.loads((ROOT / "deploy/grafana/orgctx.json").read_text())
    assert board["title"] == "orgctx"
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"]) > 8
    assert all(panel["targets"][0]["expr"] for panel in board["panels"])
