"""Section 3: states of stored data, and its visibility."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.contract import data
from tests.contract.conftest import Api
from tests.operations import NUMBERED, PATHS, SEARCHABLE
from tests.support import factories as make


def loaded(own_api: Callable[..., Api]) -> Api:
    api = own_api()
    api.deployment.load(make.everything())
    return api


@pytest.mark.parametrize("name", PATHS)
def test_answers_contain_nothing_hidden(api: Api, name: str) -> None:
    """[3.2.2] [3.2.1]"""
    assert data.SECRET not in api.request(PATHS[name]).text
    for page in (2, 3):
        text = api.request(PATHS[name], page=page).text
        assert (data.SECRET not in text) or name not in NUMBERED


@pytest.mark.parametrize("q", [data.SECRET, "e"])
@pytest.mark.parametrize("name", SEARCHABLE)
def test_search_finds_nothing_hidden(api: Api, name: str, q: str) -> None:
    """[3.2.2]"""
    text = api.request(PATHS[name], q=q).text
    assert data.SECRET not in text.replace(f"?q={data.SECRET}", "")


@pytest.mark.parametrize(
    "path",
    [
        f"/knowledge/{data.HIDDEN}",
        f"/knowledge/{make.knowledge_id('excluded', 'note')}",
        f"/assets/{make.uuid(data.SECRET)}",
        f"/assets?folderId={make.uuid(data.SECRET)}",
        f"/telegram/chats/{data.HIDDEN_CHAT}/messages",
        "/people/x:99",
        "/search?source=docs:hidden",
    ],
)
def test_hidden_details_are_404(api: Api, path: str) -> None:
    """[3.2.2]"""
    api.get(path, status=404)


def test_suppressed_items_are_hidden(api: Api) -> None:
    """[3.2.6]"""
    api.get(f"/knowledge/{data.SUPPRESSED}", status=404)
    assert api.get("/knowledge", q=data.SECRET)["pagination"]["total"] == 0
    assert api.data("/search", q=data.SECRET)["items"] == []


def test_restored_item_is_visible(own_api: Callable[..., Api]) -> None:
    """[3.2.6]"""
    api = loaded(own_api)
    api.deployment.approve(make.ACME, make.OWNER)
    item = make.knowledge()
    path = f"/knowledge/{item['data']['id']}"
    for command, status in (("suppress", 404), ("restore", 200), ("suppress", 404)):
        by = ("--organization", make.ACME, "--by", make.OWNER)
        assert api.deployment.cli("knowledge", command, *by, item["data"]["id"]).exit_code == 0
        api.get(path, status=status)
        for listed in (api.data("/knowledge"), api.data("/search")["items"]):
            assert (item["data"]["id"] in [each["id"] for each in listed]) == (status == 200)
    api.deployment.load([item])
    api.get(path, status=404)


def test_archived_items_need_the_filter(api: Api) -> None:
    """[3.2.7]"""
    assert [item["id"] for item in api.data("/knowledge", archived="true")] == [data.ARCHIVED]
    assert api.data("/knowledge", q="Archived", archived="false") == []
    assert api.data("/search", q="Archived", source="docs:handbook")["items"] == []


def test_approval_is_off_by_default(own_api: Callable[..., Api]) -> None:
    """[3.2.1] [3.2.3] [3.2.4]"""
    api = loaded(own_api)
    assert api.data("/sources") == []
    api.deployment.approve(make.ACME, make.OWNER, "docs:handbook")
    api.deployment.load([make.source("docs", label="Renamed"), make.source("notes")])
    assert [source["label"] for source in api.data("/sources")] == ["Renamed"]


def test_approval_survives_exclusion(own_api: Callable[..., Api]) -> None:
    """[3.2.5]"""
    api = loaded(own_api)
    api.deployment.approve(make.ACME, make.OWNER, "x:main")
    by = ("--organization", make.ACME, "--by", make.ADMIN)
    for command, total in (("exclude", 0), ("include", 1)):
        assert api.deployment.cli("sources", command, *by, "x:main").exit_code == 0
        assert api.get("/x/mentions")["pagination"]["total"] == total


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
