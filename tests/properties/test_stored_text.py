"""Stored texts are examined in time that is linear in their length, with pauses and a limit."""

from itertools import islice
from unicodedata import normalize

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from orgctx.errors import RequestTimeout
from orgctx.operations.stored_text import (
    LINE_CHARACTERS,
    MOST_CHARACTERS,
    SLICE_CHARACTERS,
    Folded,
    TextWork,
    headings,
    occurrences,
)
from orgctx.resources.knowledge.tool import MAX_HEADINGS, outline
from orgctx.schemas.text import fold
from orgctx.stores.deadline import Deadline
from tests.properties import library
from tests.support.thorough import examples


class Watched(Deadline):
    """Counts the moments in which other greenlets run."""

    def __init__(self) -> None:
        super().__init__(60)
        self.switches = 0

    def left(self) -> float:
        self.switches += 1
        return super().left()


LENGTH = 100_000
HOSTILE = {
    "spaces": " " * LENGTH,
    "runs of spaces": ("word" + " " * 8_000) * (LENGTH // 8_004),
    "one letter": "a" * LENGTH,
    "combining": "e\u0301\u0302" * (LENGTH // 3),
    "marks": "ｶﾞ" * (LENGTH // 2),
    "Chinese": "漢 " * (LENGTH // 2),
    "headings": "# a\n" * (LENGTH // 4),
    "empty lines": "\n" * LENGTH,
    "astral": "🚢" * LENGTH,
}
TERMS = (" q", "\n q", "q \n", "a" * 199 + "b", "ab" * 100, "e\u0301" * 100, "漢" * 200, "# a")


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_comparing_takes_linear_time(text: str) -> None:
    deadline = Watched()
    work = TextWork(deadline)
    folded = Folded(text, work)
    for term in TERMS:
        assert (term in folded) == (fold(term) in folded.folded)
        assert len(list(folded.find(term, 10))) <= 10
        assert len([*islice(occurrences(folded.folded, fold(term), fold(term), work), 10)]) <= 10
    examined = MOST_CHARACTERS - work.left
    assert examined < 4 * len(text)
    # `find` examines a sixteenth of the text at once.
    assert deadline.switches >= examined // (3 * SLICE_CHARACTERS)


def test_outline_examines_each_character_once() -> None:
    for text in HOSTILE.values():
        work = TextWork(Watched())
        assert len(outline(text, work)) <= MAX_HEADINGS
        counted = len(text) + LINE_CHARACTERS * (text.count("\n") + 1)
        assert MOST_CHARACTERS - work.left <= min(counted, MOST_CHARACTERS)


def test_work_ends_at_its_limit() -> None:
    work = TextWork(Watched())
    text = "a" * (MOST_CHARACTERS + 5_000) + "b"
    assert "b" not in Folded(text, work)
    assert work.left < SLICE_CHARACTERS
    assert [each.level for each in headings("# a", TextWork(Watched()))] == [1]
    assert list(headings("x" * MOST_CHARACTERS + "\n# a", TextWork(Watched()))) == []


def test_work_past_the_deadline_gives_up() -> None:
    deadline = Deadline(60)
    work = TextWork(deadline)
    deadline.end()
    with pytest.raises(RequestTimeout):
        Folded("a" * 2 * SLICE_CHARACTERS, work)


TEXTS = st.lists(st.sampled_from(library.AWKWARD) | st.sampled_from("ab #漢字ｶﾞ\n"), max_size=40)


@example(parts=["%", "%", "%", "İ"], start=24, length=1, copies=3)
@example(parts=[normalize("NFD", "각") * 200], start=80, length=9, copies=2)  # as on a Mac
@given(parts=TEXTS, start=st.integers(0, 60), length=st.integers(1, 8), copies=st.integers(1, 60))
@examples(300)
def test_matches_are_where_the_text_has_the_term(
    parts: list[str], start: int, length: int, copies: int
) -> None:
    """Also in a text that is folded in many pieces."""
    text = "word ".join(["".join(parts)] * copies)
    folded = Folded(text, TextWork(Watched()))
    assert folded.folded == fold(text)
    term = fold(text)[start : start + length].strip()
    matches = list(folded.find(term, 5))
    assert bool(matches) == bool(term)
    for match in matches:
        # A match that begins inside of a character, such as the dot of İ, begins with it.
        assert term in fold(text[match.start : match.end])
        assert match.start < match.end
    for match in matches[:1]:
        later = folded.find(term, 5, match.start + 1)
        assert all(each.start > match.start for each in later)
