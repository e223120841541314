"""Section 3: states of stored data, and its visibility."""

from collections.abc import Callable
from typing import Any

from tests.contract import data
from tests.contract.conftest import Api
from tests.support import factories as make


def test_statuses(own_api: Callable[..., Api]) -> None:
    """[2.1.2] [3.1.6] [3.3.1] [4.2.3]"""
    statuses = ("current", "stale", "unavailable", "synthetic", "not_connected")
    sources = [
        make.source("docs", f"docs:{status}", status=status, label=status) for status in statuses
    ]
    old: dict[str, Any] = {"updatedAt": data.OLD, "staleAfterSeconds": 60}
    api = own_api(*sources, make.source("docs", "docs:overdue", label="overdue", **old))
    read = {source["label"]: source["status"] for source in api.data("/sources")}
    assert read == {status: status for status in statuses} | {"overdue": "stale"}
    freshness_by_status = {
        status: api.get("/search", source=f"docs:{status}")["meta"]["freshness"] for status in read
    }
    assert {status: freshness["status"] for status, freshness in freshness_by_status.items()} == (
        read | {"not_connected": "unavailable"}
    )
