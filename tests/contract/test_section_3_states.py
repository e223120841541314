"""Section 3: states of stored data, and its visibility."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.contract import data
from tests.contract.conftest import Api
from tests.operations import PATHS
from tests.support import factories as make


def test_archived_items_need_the_filter(api: Api) -> None:
    """[3.2.7]"""
    assert [item["id"] for item in api.data("/knowledge", archived="true")] == [data.ARCHIVED]
    assert api.data("/knowledge", q="Archived", archived="false") == []
    assert api.data("/search", q="Archived", source="docs:handbook")["items"] == []


def test_statuses(own_api: Callable[..., Api]) -> None:
    """[3.1.1] [3.1.2] [3.1.6] [3.3.1]"""
    api = own_api()
    statuses = ("current", "stale", "unavailable", "synthetic", "not_connected")
    records: list[Any] = [make.organization(), *make.staff()]
    records += [
        make.source("docs", f"docs:{status}", status=status, label=status) for status in statuses
    ]
    old: dict[str, Any] = {"updatedAt": data.OLD, "staleAfterSeconds": 60}
    records.append(make.source("docs", "docs:overdue", label="overdue", **old))
    api.deployment.load(records)
    api.deployment.approve(make.ACME, make.OWNER)
    read = {source["label"]: source["status"] for source in api.data("/sources")}
    assert read == {status: status for status in statuses} | {"overdue": "stale"}
    freshness_by_status = {
        status: api.get("/search", source=f"docs:{status}")["meta"]["freshness"] for status in read
    }
    assert {status: freshness["status"] for status, freshness in freshness_by_status.items()} == (
        read | {"not_connected": "unavailable"}
    )


@pytest.mark.parametrize("state", ["ready", "collecting", "error"])
def test_token_index_states(own_api: Callable[..., Api], state: str) -> None:
    """[3.1.5]"""
    api = own_api()
    index = {"indexedTo": 1, "indexedAt": make.AT, "nextSyncAt": make.AT, "state": state}
    api.deployment.load(
        [make.organization(), *make.staff(), make.source("token"), make.token(index=index)]
    )
    api.deployment.approve(make.ACME, make.OWNER)
    assert api.data("/token")["index"] == index


def test_source_statuses_of_knowledge(api: Api) -> None:
    """[3.1.4]"""
    statuses = {item["sourceStatus"] for item in api.data("/knowledge", page=2)}
    assert statuses == {"current", "draft", "removed", "unavailable", "reference"}


def test_reads_change_nothing(api: Api) -> None:
    """[3.1.6]"""
    bodies = [{name: api.request(path).data for name, path in PATHS.items()} for _ in "12"]
    assert bodies[0] == bodies[1]
