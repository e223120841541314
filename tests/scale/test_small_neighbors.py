"""Statements of a large organization beside small ones, whose average the planner uses."""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import psycopg
import pytest

from orgctx.resources.search.service import SINCE_SETTING
from tests.scale.plans import MODES, Plan, explain, explaining
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.neighbors import add_neighbors

MESSAGES, PAGE = 2_000, 51
VALUES: dict[str, Any] = {
    "organization_id": make.ACME,
    "chat_id": make.CHAT,
    "source_ids": ["telegram:main"],
    "after": None,
    "row_limit": PAGE,
    "recent_limit": 500,
    "since_setting": SINCE_SETTING,
}
# The parameter `before` by statement: a message id, or a time.
BEFORE = {"telegram/search_telegram_messages": 2**31 - 1, "search/find_messages": None}


@pytest.fixture(scope="module")
def crowded(module_deployment: Deployment) -> Iterator[psycopg.Connection]:
    messages = [make.message(number, text="common") for number in range(1, MESSAGES + 1)]
    module_deployment.load([*make.everything(), *messages])
    add_neighbors(module_deployment.admin_url)
    with explaining(module_deployment) as connection:
        yield connection


@pytest.mark.thorough
@pytest.mark.parametrize("mode", MODES)
def test_key_look_up_uses_indexes(crowded: psycopg.Connection, mode: str) -> None:
    """It reads no sources of other organizations, with any kind of plan."""
    key_hash = sha256(b"no key of anybody").digest()
    nodes = explain(crowded, "gate/find_key", {"key_hash": key_hash}, mode).nodes
    assert "sources_pkey" in {node.get("Index Name") for node in nodes}
    assert "Seq Scan" not in {node["Node Type"] for node in nodes}


@pytest.mark.thorough
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", BEFORE)
def test_search_for_a_common_term_reads_only_shown_messages(
    crowded: psycopg.Connection, name: str, mode: str
) -> None:
    plan = explain(crowded, name, VALUES | {"q": "common", "before": BEFORE[name]}, mode)
    assert _read(plan) <= PAGE


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", BEFORE)
def test_search_makes_tokens_only_of_texts_with_the_term(
    crowded: psycopg.Connection, name: str, mode: str
) -> None:
    plan = explain(crowded, name, VALUES | {"q": "absent", "before": BEFORE[name]}, mode)
    filters = [
        text for node in plan.nodes if "keyed_text_tokens" in (text := node.get("Filter", ""))
    ]
    for text in filters:
        assert "POSITION" in text.partition("keyed_text_tokens")[0]
    assert filters or "telegram_search_tokens" in plan.indexes


def _read(plan: Plan) -> float:
    """How many messages were read from the table."""
    read: float = sum(
        node["Actual Rows"] * node["Actual Loops"] + node.get("Rows Removed by Filter", 0)
        for node in plan.nodes
        if node.get("Relation Name") == "telegram_messages"
    )
    return read
