"""A search for any literal finds exactly what a scan of all records finds, in the same order."""

import re
from collections.abc import Iterator
from typing import Any, Literal
from unicodedata import normalize

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from orgctx.operations.source_kinds import SCOPES
from orgctx.resources.search import service as search
from tests.contract.conftest import Api
from tests.properties import library
from tests.properties.conftest import SPACE_RUN, SPACES, load
from tests.properties.model import Item, World, folded, matching, span
from tests.support import factories as make
from tests.support.thorough import examples, sampled

RECORDS = [*library.records()]
WORLD = World(RECORDS)
ITEMS = WORLD.items(set(SCOPES), set(WORLD.kinds))
KNOWLEDGE = [record["data"] for record in RECORDS if record["type"] == "knowledge"]
MESSAGES = [record["data"] for record in RECORDS if record["type"] == "telegram.message"]
TEXTS = sorted({text for item in ITEMS for text in item.texts if text})
LIMIT = 50
# How many of the newest messages a search reads before it uses the index: all or nearly none.
RECENT = {"recent": search.RECENT, "index": 10}


@pytest.fixture(scope="module")
def loaded(module_api: Api, admin: Any) -> Api:
    load(module_api, RECORDS)
    admin.execute("ANALYZE")
    return module_api


@pytest.fixture(scope="module", params=sampled(RECENT, "index".__eq__))
def api(request: pytest.FixtureRequest, loaded: Api) -> Iterator[Api]:
    """The API as it is, then with as many searches as possible through the indexes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "RECENT", RECENT[request.param])
        yield loaded


@st.composite
def parts(draw: st.DrawFn) -> str:
    """A part of a stored text in any case."""
    text = draw(st.sampled_from(TEXTS))
    length = draw(st.integers(1, min(200, len(text))))
    start = draw(st.integers(0, len(text) - length))
    part = text[start : start + length]
    return draw(st.sampled_from([part, part.upper(), part.lower(), part.swapcase()]))[:200]


@st.composite
def across_chunks(draw: st.DrawFn) -> str:
    """A part of a long document that lies across the border of two chunks."""
    content: str = draw(
        st.sampled_from([item["content"] for item in KNOWLEDGE if len(item["content"]) > 9_000])
    )
    border = library.CHUNK * draw(st.integers(1, 2))
    length = draw(st.integers(2, 200))
    start = draw(st.integers(border - length + 1, border - 1))
    return content[start : start + length].swapcase()[:200]


# The half-width form of each is two characters: the kana and its mark.
VOICED = {"ガ": "ｶﾞ", "パ": "ﾊﾟ"}
WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
NARROW = str.maketrans({"カ": "ｶ", "ハ": "ﾊ", "ー": "ｰ"} | VOICED)
PRINTED = str.maketrans({"'": "’", '"': "“", "-": "−", "f": "f\u00ad", "2": "₂", "s": "s\u200d"})
NORMAL_FORMS: tuple[Literal["NFC", "NFD", "NFKC", "NFKD"], ...] = ("NFC", "NFD", "NFKC", "NFKD")
BETWEEN = re.compile("(?<=[ガカー日])(?=[本ガカー])")


@st.composite
def in_other_forms(draw: st.DrawFn) -> str:
    """A part of a stored text in characters that look equal, and other white space where it is."""
    forms: dict[int, Any] = draw(st.sampled_from([{}, WIDE, NARROW, PRINTED]))
    run = draw(st.text(SPACES, min_size=1, max_size=3))
    term = SPACE_RUN.sub(lambda _: run, draw(parts() | across_chunks()).translate(forms))
    spaced = BETWEEN.sub(draw(st.sampled_from(["", run])), term)
    return normalize(draw(st.sampled_from(NORMAL_FORMS)), spaced)[:200]


ARBITRARY = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=200
)
AWKWARD = st.lists(st.sampled_from(library.AWKWARD), min_size=1, max_size=4).map("".join)
TERMS = st.one_of(parts(), in_other_forms(), across_chunks(), AWKWARD, ARBITRARY).filter(bool)


def check_found(
    api: Api, expected: list[Item], limit: int = LIMIT, **query: str
) -> list[dict[str, Any]]:
    """Check that a search finds these items in this order. Returns the items of the response."""
    result = api.data("/search", limit=limit, **query)
    shown: list[dict[str, Any]] = result["items"]
    pairs = [(item.kind, item.id) for item in expected]
    assert [(item["kind"], item["id"]) for item in shown] == pairs[:limit]
    assert result["hasMore"] == (len(expected) > limit)
    return shown


@given(q=TERMS)
# Begins at the end of a chunk, and folding removes a character of the overlap.
@example(q="🚢" * 102 + "B")
@example(q="%")
@example(q="_")
@example(q="\\")
@example(q=" ")
@example(q="i")
@examples(50)
def test_search_equals_a_scan(api: Api, q: str) -> None:
    """[7.25] [4.3.2] [4.3.14] [4.3.13]"""
    expected = matching(ITEMS, q)
    for item, shown in zip(expected, check_found(api, expected, q=q), strict=False):
        assert (shown["title"], shown["sourceId"]) == (item.title, item.source_id)
        assert shown["updatedAt"] == item.at
        check_preview(item, q, shown["preview"])


def collapse(text: str) -> str:
    return " ".join(text.split())


def check_preview(item: Item, q: str, preview: str) -> None:
    """Check that it is part of the item's text, bounded, collapsed, and centered on the match."""
    assert len(preview) <= 240
    assert preview == collapse(preview) or collapse(preview) == collapse(preview.strip("… "))
    assert not any(character.isspace() and character != " " for character in preview)
    body = next((text for text in item.body if span(text, q)), item.body[0])
    whole, place = collapse(body), span(body, q)
    if not place:
        assert (
            preview == (whole if len(whole) <= 240 else whole[:239] + "…") or item.kind == "token"
        )
        return
    start, end = place
    match = collapse(body[start:end])
    if len(whole) <= 240:
        assert preview == whole
        return
    inner = preview
    if not whole.startswith(preview[:200]):
        assert preview[0] == "…"
        inner = inner[1:]
    if not whole.endswith(preview[-200:]):
        assert preview[-1] == "…"
        inner = inner[:-1]
    assert inner in whole
    if len(match) <= 238:
        assert match in inner
    before = len(collapse(body[:start]))
    after = len(collapse(body[end:]))
    if match and min(before, after) > 240:
        middle = (240 - len(match)) // 2
        assert match in preview[middle - 2 : middle + len(match) + 2]


@given(q=parts(), source=st.sampled_from(sorted(WORLD.kinds)))
@examples(60)
def test_search_of_one_source_equals_a_scan(api: Api, q: str, source: str) -> None:
    """[4.3.15]"""
    items = WORLD.items(set(SCOPES), {source})
    check_found(api, matching(items, q), q=q, source=source)


HOURS = st.builds("2026-01-{:02}T{:02}:00:00Z".format, st.integers(1, 31), st.integers(0, 23))


@given(
    q=st.one_of(st.just(""), st.just("i"), parts()),
    after=st.none() | HOURS,
    before=st.none() | HOURS,
    limit=st.integers(1, LIMIT),
)
@examples(80)
def test_search_of_a_period_equals_a_scan(
    api: Api, q: str, after: str | None, before: str | None, limit: int
) -> None:
    assume(not (after and before and after >= before))
    expected = [
        item
        for item in matching(ITEMS, q)
        if (not after or (item.at or "") >= after) and (not before or (item.at or "~") < before)
    ]
    period = {name: time for name, time in (("after", after), ("before", before)) if time}
    check_found(api, expected, limit, q=q, **period)


def pages(api: Api, path: str, **query: Any) -> list[dict[str, Any]]:
    """The items of all pages of a numbered list."""
    items: list[dict[str, Any]] = []
    page = 1
    while True:
        body = api.get(path, page=page, **query)
        items += body["data"]
        if not body["pagination"]["hasNextPage"]:
            assert body["pagination"]["total"] == len(items)
            return items
        page += 1


@given(
    q=TERMS,
    kind=st.sampled_from(["all", "source", "note"]),
    visibility=st.sampled_from(["all", "public", "team"]),
    archived=st.booleans(),
)
@examples(60)
def test_knowledge_filter_equals_a_scan(
    api: Api, q: str, kind: str, visibility: str, archived: bool
) -> None:
    """[3.2.7]"""
    term = folded(q)
    expected = [
        document
        for document in KNOWLEDGE
        if kind in ("all", "note" if document["id"].startswith("note:") else "source")
        and visibility in ("all", document["visibility"])
        and document["archived"] == archived
        and (term in folded(document["title"]) or term in folded(document["content"]))
    ]
    expected.sort(key=lambda document: document["id"])
    expected.sort(key=lambda document: document["updatedAt"], reverse=True)
    filters = {"kind": kind, "visibility": visibility, "archived": str(archived).lower()}
    items = pages(api, "/knowledge", q=q, **filters)
    assert [item["id"] for item in items] == [document["id"] for document in expected]


SENDERS = sorted({message["sender"]["id"] for message in MESSAGES if message["sender"]["id"]})


@given(
    q=st.just("") | TERMS,
    sender=st.none() | st.sampled_from([*SENDERS, "nobody"]),
    before=st.none() | st.integers(1, 45),
    limit=st.integers(1, 45),
)
@examples(60)
def test_message_filter_equals_a_scan(
    api: Api, q: str, sender: str | None, before: int | None, limit: int
) -> None:
    """[4.11.12]"""
    term = folded(q)
    expected = [
        message["id"]
        for message in MESSAGES
        if message["chatId"] == make.CHAT
        and (before is None or message["id"] < before)
        and (sender is None or message["sender"]["id"] == sender)
        and any(
            term in folded(text or "")
            for text in (message["text"], (message["file"] or {}).get("fileName"))
        )
    ]
    expected.sort(reverse=True)
    query: dict[str, Any] = {"q": q, "limit": limit} | (
        {} if before is None else {"before": before}
    )
    query |= {} if sender is None else {"sender": f"telegram:{sender}"}
    body = api.get(f"/telegram/chats/{make.CHAT}/messages", **query)
    assert [message["id"] for message in body["data"]] == expected[:limit]
    assert body["pagination"]["hasMore"] == (len(expected) > limit)


@given(q=st.one_of(st.just(""), TERMS))
@examples(60)
def test_people_filter_equals_a_scan(api: Api, q: str) -> None:
    """[2.7.7]"""
    items = [item for item in ITEMS if item.kind == "person"]
    expected = matching(items, q)
    people = api.data("/people", q=q)
    assert [person["key"] for person in people] == [item.id for item in expected]
    assert [person["displayName"] for person in people] == [item.title for item in expected]


def test_library_has_several_pages_and_long_texts() -> None:
    assert len(ITEMS) > 3 * LIMIT
    assert any(len(text) > 2 * library.CHUNK for text in TEXTS)
