"""Pages partition their list, totals are right, and links lead to the pages they name."""

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.contract import data as contract
from tests.contract.conftest import Api
from tests.operations import NUMBERED, PATHS
from tests.properties.conftest import load
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.thorough import examples

LINK = re.compile(r'<([^>]+)>; rel="(\w+)"')
QUERIES: dict[str, tuple[dict[str, str], ...]] = {
    "list_knowledge": ({"q": "o"}, {"kind": "source", "visibility": "team"}, {"q": "ä&ö=%+ü"}),
    "list_people": ({"q": "user1"},),
    "list_assets": ({"folderId": make.uuid("Brand")},),
}
CASES = [(PATHS[name], query) for name in NUMBERED for query in ({}, *QUERIES.get(name, ()))]


@pytest.fixture(scope="module")
def api(module_api: Api) -> Api:
    load(module_api, contract.records())
    return module_api


def identity(item: dict[str, Any]) -> str:
    return str(item.get("key") or item["id"])


def links(response: Any) -> dict[str, str]:
    return {rel: url for url, rel in LINK.findall(response.headers["Link"])}


def follow(api: Api, url: str) -> Any:
    """The answer behind a link."""
    assert url.startswith("/api/v1/")
    response = api.request(url.removeprefix("/api/v1"))
    assert response.status_code == 200
    return response


@pytest.mark.parametrize(("path", "query"), CASES)
def test_page_links_lead_through_the_whole_list(api: Api, path: str, query: dict[str, Any]) -> None:
    """[1.12] [4.0.4]"""
    response = api.request(path, **query)
    start, forward = response, [response.json]
    while "next" in links(response):
        response = follow(api, links(response)["next"])
        forward.append(response.json)
    pagination = forward[0]["pagination"]
    assert len(forward) == max(1, pagination["totalPages"])
    items = [identity(item) for page in forward for item in page["data"]]
    assert len(items) == len(set(items)) == pagination["total"]
    assert all(len(page["data"]) == pagination["pageSize"] for page in forward[:-1])
    assert follow(api, links(start)["last"]).json == forward[-1]
    backward = [response.json]
    while "prev" in links(response):
        response = follow(api, links(response)["prev"])
        backward.append(response.json)
    assert backward == forward[::-1]
    assert follow(api, links(response)["first"]).json == forward[0]
    for url in links(start).values():
        given_back = parse_qs(urlsplit(url).query)
        assert {name: [value] for name, value in query.items()}.items() <= given_back.items()


def test_page_links_begin_with_the_base_url(module_deployment: Deployment, api: Api) -> None:
    """[1.12]"""
    path, headers = f"/api/v1{PATHS[NUMBERED[0]]}", {"Authorization": f"Bearer {api.key()}"}
    with module_deployment.app(base_url="https://context.example/x") as app:
        response = app.test_client().get(path, headers=headers)
    assert links(response)["first"].startswith(f"https://context.example/x{path}?")


@given(case=st.sampled_from(CASES), page=st.integers(1, 10_000))
@examples(60)
def test_page_links_name_existing_pages(
    api: Api, case: tuple[str, dict[str, Any]], page: int
) -> None:
    """[1.12]"""
    path, query = case
    response = api.request(path, page=page, **query)
    last = max(1, response.json["pagination"]["totalPages"])
    expected = {"first": 1, "last": last}
    expected |= {"prev": min(page - 1, last)} if page > 1 else {}
    expected |= {"next": page + 1} if page < last else {}
    pages = {rel: int(parse_qs(urlsplit(url).query)["page"][0])
             for rel, url in links(response).items()}  # fmt: skip
    assert pages == expected


def test_unpaginated_answers_have_no_links(api: Api) -> None:
    for name, path in PATHS.items():
        assert ("Link" in api.request(path).headers) == (name in NUMBERED)
    assert "Link" in api.request("/knowledge", headers={"If-None-Match": "*"}).headers
