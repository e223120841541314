"""Section 4, the search: scopes, parameters, what is found and in which order."""

from collections.abc import Callable
from typing import Any

import pytest

from orgctx.resources.catalog import OPERATIONS
from orgctx.resources.search.items import ITEM_HREFS
from orgctx.schemas.payload import fields_of
from tests.contract.conftest import Api
from tests.mcp.endpoint import Endpoint
from tests.operations import PATHS, ROWS, SEARCHABLE
from tests.support import factories as make


def search_ids(api: Api, **query: Any) -> list[tuple[str, str]]:
    """Kind and id of what a search finds."""
    return [(item["kind"], item["id"]) for item in api.data("/search", **query)["items"]]


# From the first chunk of a document far into the second one.
BLANK = "word " * 1_637 + "Ruby" + "\n" * 5_000 + "lantern" + " end" * 2_500


def test_match_with_much_white_space_is_in_the_middle_of_its_preview(
    own_api: Callable[..., Api],
) -> None:
    """[7.27] [4.3.13]"""
    api = own_api(make.source(), make.knowledge(content=BLANK))
    (item,) = api.data("/search", q="ruby lantern end end")["items"]
    assert "word Ruby lantern end" in item["preview"]


WIDE = "Ruby \u00a0\t\u3000 lantern Ｒｕｂｙ２４時間 サーバー の ｶﾞｽ"
FOUND = (
    "ruby lantern", "RUBY\n \nlantern", "y\u2003l", "ruby24時間", "２４時間サーバーの",
    "サー バーのｶﾞｽ", "ＬＡＮＴＥＲＮ", "ガス", "ー\u3000の", "Ｙ２",
)  # fmt: skip
ABSENT = ("rubylantern", "ruby 24時間", "2 4時間", "カス", "間ｻ-")
TEXT_MEMBERS = {"title", "content", "text", "label", "name", "displayName"}
# Each operation with q, by REST or as a tool, which may have q alone.
WITH_Q = [
    (operation.name, is_tool)
    for operation in OPERATIONS
    for is_tool in (False, True)
    if "q" in fields_of(operation.tool_arguments if is_tool else operation.arguments)
]


def widened(data: Any) -> Any:
    """Replace the texts of a record by WIDE."""
    if not isinstance(data, dict):
        return data
    return {
        name: WIDE if name in TEXT_MEMBERS and isinstance(value, str) else widened(value)
        for name, value in data.items()
    }


def records_of(answer: Any) -> list[Any]:
    """What an answer found: records, or the text of one."""
    if isinstance(answer, list):
        return answer
    return answer["items"] if "items" in answer else [answer["content"]] * bool(answer["content"])


def test_every_q_folds_white_space_and_width(own_api: Callable[..., Api]) -> None:
    """[7.27] [7.29]"""
    api = own_api()
    records = [record | {"data": widened(record["data"])} for record in make.everything()]
    api.deployment.load(records)
    api.deployment.approve(make.ACME, make.OWNER)
    endpoint = Endpoint(api.client, api.key())
    for name, is_tool in WITH_Q:
        # Tools run the statements of REST.
        is_again = is_tool and (name, False) in WITH_Q
        # The tool shows the passage with most words of a term that a text lacks.
        absent = () if (name, is_tool) == ("read_knowledge", True) else ABSENT
        for q in (FOUND + absent)[:: 4 if is_again else 1]:
            arguments = ROWS[name].asks[0] | {"q": q}
            if is_tool:
                answer = endpoint.tool(name, **arguments)["data"]
            else:
                answer = api.data(ROWS[name].request(arguments))
            assert bool(records_of(answer)) == (q in FOUND), (name, is_tool, q)
    items = api.data("/search", q="ruby lantern", limit=50)["items"]
    assert {item["kind"] for item in items} == {*ITEM_HREFS}


def test_search_q(api: Api) -> None:
    for path in (PATHS[name] for name in SEARCHABLE):
        for character in ("x", "🚢"):
            api.get(path, q=character * 200)
            message = api.message(path, 400, q=character * 201)
            assert message == "q must be a string of at most 200 characters, not 201"


def test_records_without_a_time_are_last(own_api: Callable[..., Api]) -> None:
    token = (make.source("token", updatedAt=None), make.token())
    api = own_api(*token, make.source("assets"), make.asset("acme.png"))
    assert [kind for kind, _ in search_ids(api, q="acme")] == ["asset", "token"]


def test_search_source(api: Api) -> None:
    api.get("/search", source="x:main")
    api.get("/search", source="s" * 150, status=404)
    api.get("/search", source="s" * 151, status=400)
    api.get("/search", source="", status=400)
    api.get("/search", source="docs:hidden", status=404)
    api.get("/search", source="x:main", scopes=("context:read",), status=404)


def test_search_times(api: Api) -> None:

    def days(**query: str) -> list[str]:
        items = api.data("/search", source="x:main", q="Mention 10", limit=50, **query)["items"]
        return [item["updatedAt"] for item in items]

    noon = "2026-01-05T12:00:00Z"
    assert min(days(after=noon)) == noon
    assert max(days(before=noon)) == "2026-01-04T12:00:00Z"
    assert set(days(after=noon, before="2026-01-05T12:00:00.000001Z")) == {noon}
    assert days(after="2026-01-05T14:00:00+02:00") == days(after=noon)
    assert days(before="2026-01-05t06:00:00-06:00") == days(before="2026-01-05T12:00:00z")
    assert len(days(after=noon)) + len(days(before=noon)) == 45


@pytest.mark.parametrize(
    "value",
    [
        "2026-01-05", "2026-01-05T12:00:00", "2026-01-05 12:00:00Z", "2026-01-05T12:00Z",
        "2026-01-05T12:00:60Z", "2026-13-05T12:00:00Z", "2026-02-30T12:00:00Z", "",
        "2026-01-05T12:00:00+0200", "2026-01-05T12:00:00+2", "1767614400", "now",
        "0000-01-05T12:00:00Z", "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00",
    ],
)  # fmt: skip
def test_search_times_are_strict(api: Api, value: str) -> None:
    """[7.21]"""
    for name in ("after", "before"):
        message = api.message("/search", 400, **{name: value})
        assert message == (
            f"{name} must be an RFC 3339 date-time with Z or an offset such as 2026-01-31T08:00:00Z"
        )


def test_unencoded_plus_is_explained(api: Api) -> None:
    """[7.22]"""
    message = api.message("/search?after=2026-01-05T12:00:00+02:00", 400)
    assert message.endswith("; encode the + of an offset as %2B")
    api.get("/search?after=2026-01-05T12:00:00%2B02:00")


def test_search_periods_are_not_empty(api: Api) -> None:
    noon = "2026-01-05T12:00:00Z"
    for before in (noon, "2026-01-05T13:00:00+01:00", "2026-01-04T12:00:00Z"):
        message = api.message("/search", 400, after=noon, before=before)
        assert message == "after must be earlier than before"


def test_search_limit(api: Api) -> None:
    """[4.0.7]"""
    assert len(search_ids(api)) == 20
    assert [len(search_ids(api, limit=limit)) for limit in (1, 50)] == [1, 50]
    for limit in ("0", "51", "ten"):
        assert "limit must be an integer from 1 to 50" in api.message("/search", 400, limit=limit)
