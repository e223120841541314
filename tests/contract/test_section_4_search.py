"""Section 4, the search: scopes, parameters, what is found and in which order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from orgctx.bundle.content import CHUNK_LENGTH
from orgctx.operations.source_kinds import SCOPES
from tests.contract import data
from tests.contract.conftest import Api
from tests.operations import PATHS, SEARCHABLE
from tests.support import factories as make


def search_ids(api: Api, **query: Any) -> list[tuple[str, str]]:
    """Kind and id of what a search finds."""
    return [(item["kind"], item["id"]) for item in api.data("/search", **query)["items"]]


SEARCH_KINDS = {
    "context:read": {"profile"},
    "knowledge:read": {"document", "note", "profile"},
    "assets:read": {"asset", "profile"},
    "telegram:read": {"message", "person", "profile"},
    "x:read": {"post", "person", "profile"},
    "token:read": {"token", "profile"},
}


@pytest.mark.parametrize("scope", SCOPES)
def test_search_scopes(api: Api, scope: str) -> None:
    """[4.3.1] [4.3.16]"""
    scopes = tuple(dict.fromkeys(("context:read", scope)))
    kinds = {
        kind
        for source in api.data("/sources", scopes=scopes)
        if source["id"] in data.SEARCHED
        for kind, _ in search_ids(api, scopes=scopes, source=source["id"], limit=50)
    }
    if scope in SEARCH_KINDS:
        assert kinds == SEARCH_KINDS[scope]
    else:
        # A newer scope finds nothing that needs another one.
        assert not kinds & (set().union(*SEARCH_KINDS.values()) - {"profile"})
    derived = [id_ for _, id_ in search_ids(api, scopes=scopes, q="From ")]
    expected = [make.knowledge_id(prefix=prefix) for prefix in ("profile", "note")]
    assert derived == (expected if scope == "knowledge:read" else [])


def test_search_reads_stored_records(api: Api) -> None:
    """[4.3.3] [4.3.4]"""
    result = api.data("/search", limit=50)
    assert set(result) == {"items", "sources", "hasMore"}
    assert len(result["items"]) == 50


def test_search_is_literal(own_api: Callable[..., Api]) -> None:
    """[4.3.2] [7.25]"""
    api = own_api()
    names = ("100% sure", "100 sure", "snake_case", "snakeXcase", "back\\slash", "GRÜSSE", "a  b")
    assets = [make.asset(name) for name in names]
    api.deployment.load([make.organization(), *make.staff(), make.source("assets"), *assets])
    api.deployment.approve(make.ACME, make.OWNER)
    expected = {
        "0%": ["100% sure"],
        "e_c": ["snake_case"],
        "\\": ["back\\slash"],
        "grüsse": ["GRÜSSE"],
        "a b": ["a  b"],
        "a\n\u2003b": ["a  b"],
        "a  b": ["a  b"],
        " sure": ["100 sure", "100% sure"],
        "sure ": [],
        "certain": [],
        "": sorted(names),
    }
    for q, wanted in expected.items():
        items = api.data("/search", q=q)["items"]
        assert sorted(item["title"] for item in items) == wanted, q


SPACED = "Ruby \u00a0\tlantern"
LINES = "Ruby \r\n\n\u3000 \n\u2028lantern"
# From the first chunk of a document far into the second one.
BLANK = "word " * 1_637 + "Ruby" + "\n" * 5_000 + "lantern" + " end" * 2_500


def test_white_space_in_q_matches_any_run(own_api: Callable[..., Api]) -> None:
    """[7.27] [4.3.13]"""
    api = own_api()
    long = make.knowledge("long", content=BLANK, title="Long")
    token = make.token()["data"]["token"] | {"name": SPACED}
    records = [
        make.organization(displayName=SPACED), *make.staff(), make.source(),
        make.source("profile"), make.source("assets"), make.source("telegram"), make.source("x"),
        make.source("token"), make.knowledge(content=LINES), make.knowledge(2, title=SPACED), long,
        make.asset(SPACED), make.chat(title=SPACED), make.message(1, text=LINES),
        make.message(2, text="Else", sender={"id": "8", "name": SPACED, "username": None}),
        make.mention(text=LINES, author=make.author(name=SPACED)), make.token(token=token),
    ]  # fmt: skip
    api.deployment.load(records)
    api.deployment.approve(make.ACME, make.OWNER)
    for q in ("ruby lantern", "RUBY\n \nlantern", "y\u2003l"):
        items = api.data("/search", q=q, limit=50)["items"]
        kinds = sorted(item["kind"] for item in items)
        found = ["asset", "document", "document", "document", "message", "person", "person"]
        assert kinds == sorted([*found, "post", "profile", "token"]), q
        assert sum("Ruby lantern" in item["preview"] for item in items) == len(items) - 1
        assert len(api.data("/knowledge", q=q)) == 3
        assert len(api.data("/people", q=q)) == 2
        assert len(api.data("/x/mentions", q=q)) == 1
        assert len(api.data("/telegram/chats", q=q)) == 1
        messages = f"/telegram/chats/{make.CHAT}/messages"
        assert len(api.data(messages, q=q)) == 1
        sender = make.message()["data"]["sender"]["id"]
        assert len(api.data(messages, q=q, sender=f"telegram:{sender}")) == 1
    (preview,) = [
        item["preview"] for item in api.data("/search", q="ruby lantern end end")["items"]
    ]
    assert "word Ruby lantern end" in preview
    assert api.data("/search", q="rubylantern")["items"] == []
    assert api.data("/search", q="ruby lantern ", source="x:main")["items"] == []


# Where words begin, relative to the place where two chunks of a document meet.
PLACES = {
    "opal": -150,
    "ruby": -2,
    "jade": 3,
    "onyx": 150,
    "agate": 290,
    "topaz": 480,
    "garnet": 600,
}


def test_preview_has_the_match_in_its_middle(own_api: Callable[..., Api]) -> None:
    """[4.3.13]"""
    content = "lorem ipsum " * CHUNK_LENGTH
    for word, place in PLACES.items():
        start = CHUNK_LENGTH + place
        content = f"{content[:start]}{word}{content[start + len(word) :]}"
    api = own_api()
    records = [make.organization(), *make.staff(), make.source(), make.source("profile")]
    api.deployment.load([*records, make.knowledge(content=content)])
    api.deployment.approve(make.ACME, make.OWNER)
    for word in PLACES:
        (item,) = api.data("/search", q=word)["items"]
        left, _, right = item["preview"].partition(word)
        assert min(len(left), len(right)) > 110, item["preview"]


def test_search_q(api: Api) -> None:
    """[4.3.5] [7.24]"""
    for path in (PATHS[name] for name in SEARCHABLE):
        for character in ("x", "🚢"):
            api.get(path, q=character * 200)
            message = api.message(path, 400, q=character * 201)
            assert message == "q must be a string of at most 200 characters, not 201"


def test_records_without_a_time_are_last(own_api: Callable[..., Api]) -> None:
    """[4.3.11] [4.3.17]"""
    api = own_api()
    records = [make.organization(), *make.staff(), make.source("token", updatedAt=None)]
    api.deployment.load([*records, make.token(), make.source("assets"), make.asset("acme.png")])
    api.deployment.approve(make.ACME, make.OWNER)
    assert [kind for kind, _ in search_ids(api, q="acme")] == ["asset", "token"]


def test_search_source(api: Api) -> None:
    """[4.3.6]"""
    api.get("/search", source="x:main")
    api.get("/search", source="s" * 150, status=404)
    api.get("/search", source="s" * 151, status=400)
    api.get("/search", source="", status=400)
    api.get("/search", source="docs:hidden", status=404)
    api.get("/search", source="x:main", scopes=("context:read",), status=404)


def test_search_times(api: Api) -> None:
    """[4.3.7] [4.3.8]"""

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
    """[7.23]"""
    noon = "2026-01-05T12:00:00Z"
    for before in (noon, "2026-01-05T13:00:00+01:00", "2026-01-04T12:00:00Z"):
        message = api.message("/search", 400, after=noon, before=before)
        assert message == "after must be earlier than before"


def test_search_limit(api: Api) -> None:
    """[4.3.9]"""
    assert len(search_ids(api)) == 20
    assert [len(search_ids(api, limit=limit)) for limit in (1, 50)] == [1, 50]
    for limit in ("0", "51", "ten"):
        assert "limit must be an integer from 1 to 50" in api.message("/search", 400, limit=limit)
