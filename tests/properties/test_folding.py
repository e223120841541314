"""Texts are folded as the model folds them, and matches are where the model finds them."""

import sys
import unicodedata
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from orgctx.schemas.text import normal_form, term_pattern
from tests.properties import library
from tests.properties.conftest import SPACES, is_cjk, letters
from tests.support.thorough import examples

CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
TEXTS = st.lists(
    st.sampled_from(library.AWKWARD) | st.sampled_from("ｶカがﾞﾟ゙漢々〆・ｱアＡ！\\^]-") | CHARACTERS,
    max_size=30,
).map("".join)


NAMES = ("CJK UNIFIED IDEOGRAPH", "HIRAGANA LETTER", "KATAKANA LETTER", "HENTAIGANA LETTER")


def test_cjk_characters_are_letters_of_three_scripts() -> None:
    """[7.29]"""
    characters = map(chr, range(sys.maxunicode + 1))
    expected = {one for one in characters if unicodedata.name(one, "").startswith(NAMES)}
    assert len(expected) > 90_000
    assert all(map(is_cjk, {*expected, *"ー々〇ゝヾ"}))
    assert not any(map(is_cjk, "・、。「゛가ㄱAａ1 🚢"))


@given(text=TEXTS)
@example(text="".join(map(chr, range(0xFF00, 0xFFF0))))
@example(text=" ".join(map(chr, range(0x2E80, 0x3400))))
@examples(400)
def test_folding_equals_the_model(
    admin: Any, lower: Callable[[str], str], fold: Callable[[str], str], text: str
) -> None:
    """[7.27] [7.29]"""
    (folded,) = admin.execute("SELECT fold_text(%s)", [text]).fetchone()
    assert folded == fold(text)
    assert fold(folded) == folded
    assert lower(normal_form(text)) == folded


@pytest.mark.thorough
@given(text=TEXTS, start=st.integers(0, 60), length=st.integers(1, 8))
@example(text="ｶﾞカ", start=1, length=1)
@example(text="漢 字", start=0, length=2)
@examples(400)
def test_pattern_finds_the_first_match(
    admin: Any, lower: Callable[[str], str], text: str, start: int, length: int
) -> None:
    """[7.29] Offsets are those of the stored text."""
    spans = letters(lower(text))
    term = "".join(letter for letter, *_ in spans)[start:][:length]
    # A term may have white space at its ends that is ignored in the text, and begin with a mark.
    assume(term.strip(SPACES) == term.lstrip("゙゚") == term != "" and len(lower(text)) == len(text))
    first = "".join(letter for letter, *_ in spans).index(term)
    row = admin.execute(
        "SELECT regexp_instr(lower(%(text)s), term_pattern(%(term)s)) - 1,"
        " regexp_instr(lower(%(text)s), term_pattern(%(term)s), 1, 1, 1) - 1",
        {"text": text, "term": term},
    ).fetchone()
    assert row == (spans[first][1], spans[first + len(term) - 1][2])
    match = term_pattern(term).match(lower(text), row[0])
    assert match
    assert match.span() == row
