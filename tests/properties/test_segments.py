"""Following nextOffset rebuilds a text exactly, for any limit."""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from orgctx.schemas.text import utf16_length
from tests.contract.conftest import Api
from tests.properties.conftest import load
from tests.support import factories as make
from tests.support.thorough import examples

# A chunk has 8,192 code points. The texts end around its borders; a character has 1 or 2 units.
STORED = {
    "empty": "",
    "one": "🚢",
    "mixed": "a🚢\ue000" * 12,
    "astral": "🚢" * 20_000,
    "border": "x" * 8_191 + "🚢" + "y" * 8_190 + "🚢🚢" + "z" * 300,
    "plain": "0123456789" * 2_000,
    "shifted": "é" + "🚢x" * 9_000,
}


@pytest.fixture(scope="module")
def api(module_api: Api) -> Api:
    items = (make.knowledge(name, content=text) for name, text in STORED.items())
    load(module_api, [make.organization(), *make.staff(), make.source("docs"), *items])
    return module_api


def segment(api: Api, name: str, **query: int) -> tuple[str, dict[str, Any]]:
    item = api.data(f"/knowledge/{make.knowledge_id(name)}", **query)
    return item["content"], item["contentRange"]


def rebuilt(api: Api, name: str, limit: int) -> str:
    """The text of all segments, as a client follows nextOffset."""
    text = ""
    offset: int | None = 0
    while offset is not None:
        content, where = segment(api, name, offset=offset, limit=limit)
        text += content
        offset = where["nextOffset"]
    return text


def check_range(text: str, content: str, where: dict[str, Any], offset: int, limit: int) -> None:
    """Check a segment against section 2.9 of docs/contract.md, in plain Python."""
    units = text.encode("utf-16-le")
    total = len(units) // 2
    assert where["total"] == total
    if offset >= total:
        assert (content, where["offset"], where["length"]) == ("", total, 0)
        assert where["nextOffset"] is None
        return
    begin, end = where["offset"], where["offset"] + where["length"]
    assert units[2 * begin : 2 * end] == content.encode("utf-16-le")
    assert offset - begin in (0, 1)
    starts = starts_of(text)
    assert begin in starts
    assert begin == offset or offset not in starts
    assert end in starts
    assert where["length"] in (limit, limit - 1) or end == total or (limit, len(content)) == (1, 1)
    assert where["nextOffset"] == (end if end < total else None)


def starts_of(text: str) -> set[int]:
    """Where characters begin, in UTF-16 code units, and where the text ends."""
    starts, unit = {0}, 0
    for character in text:
        unit += 2 if ord(character) > 0xFFFF else 1
        starts.add(unit)
    return starts


@given(
    name=st.sampled_from(list(STORED)),
    offset=st.integers(0, 41_000),
    limit=st.one_of(st.integers(1, 5), st.integers(1, 50_000)),
)
@example(name="mixed", offset=2, limit=4)
@example(name="border", offset=8_192, limit=1)
@examples(80)
def test_segment_matches_the_stored_text(api: Api, name: str, offset: int, limit: int) -> None:
    """[2.9.3] [2.9.4] [2.9.7]"""
    content, where = segment(api, name, offset=offset, limit=limit)
    check_range(STORED[name], content, where, offset, limit)


@given(name=st.sampled_from(list(STORED)), parts=st.integers(1, 25), shift=st.integers(0, 2))
@examples(25)
def test_segments_rebuild_the_text(api: Api, name: str, parts: int, shift: int) -> None:
    limit = min(50_000, utf16_length(STORED[name]) // parts + 1 + shift)
    assert rebuilt(api, name, limit) == STORED[name]


def test_segments_of_any_small_limit_rebuild_the_text(api: Api) -> None:
    """[2.9.5]"""
    for limit in range(1, 12):
        assert rebuilt(api, "mixed", limit) == STORED["mixed"]
