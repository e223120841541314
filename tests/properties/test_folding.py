"""The service folds texts as the database does, and both find matches where a scan finds them."""

import sys
import unicodedata
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from orgctx.schemas.text import CJK_SPACE, RUN, fold, matched_length, normal_form
from tests.properties import library
from tests.properties.model import span
from tests.support.thorough import examples

CHARACTERS = st.characters(exclude_categories=["Cs", "Cn"], exclude_characters="\0")
TEXTS = st.lists(
    st.sampled_from(library.AWKWARD) | st.sampled_from("ｶカがﾞﾟ゙漢々〆・ｱアＡ！\\^]-") | CHARACTERS,
    max_size=30,
).map("".join)
NAMES = ("CJK UNIFIED IDEOGRAPH", "HIRAGANA LETTER", "KATAKANA LETTER", "HENTAIGANA LETTER")
# Characters that are assigned in the older Unicode of Python and of PostgreSQL.
ASSIGNED = [
    character
    for character in map(chr, range(1, sys.maxunicode + 1))
    if unicodedata.category(character) not in ("Cs", "Cn")
]
BLOCK = 512
# Characters of the category Cf with these names are visible.
VISIBLE = ("ARABIC", "EGYPTIAN", "INTERLINEAR", "KAITHI", "SYRIAC")
LOOKS = {
    "-": "‐‑‒–—―−－﹘﹣⁻₋︱︲",
    "'": "‘’‚‛‹›ʼ＇",
    '"': "“”„‟«»＂",
    "": [
        *"\u034f\u061c\u17b4\u17b5",
        *(one for one in ASSIGNED if "VARIATION SELECTOR" in unicodedata.name(one, "")),
        *(
            one
            for one in ASSIGNED
            if unicodedata.category(one) == "Cf" and not unicodedata.name(one).startswith(VISIBLE)
        ),
    ],
}


def is_cjk(character: str) -> bool:
    return CJK_SPACE.sub(r"\1", f"漢 {character}") == f"漢{character}"


def test_cjk_characters_are_letters_of_three_scripts() -> None:
    """[7.29]"""
    expected = {one for one in ASSIGNED if unicodedata.name(one, "").startswith(NAMES)}
    assert len(expected) > 90_000
    assert all(map(is_cjk, {*expected, *"ー々〇ゝヾ"}))
    assert not any(map(is_cjk, "・、。「゛가ㄱAａ1 🚢"))


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("Cafe\u0301", "café"),
        ("don’t", "don't"),
        ("“a” „b‟ «c»", '"a" "b" "c"'),
        ("4–8 — 9‑10 − 1", "4-8 - 9-10 - 1"),
        ("wait…", "wait..."),
        ("co\u00adop\u200be\ufeffrate", "cooperate"),
        ("ﬁle H₂O ™ Ⅳ", "file h2o tm iv"),
        ("ＡＢＣ ｶﾞ", "abc ガ"),
        ("J\u030c", "ǰ"),
    ],
)
def test_equal_looking_texts_are_equal(admin: Any, text: str, same: str) -> None:
    """[7.29]"""
    assert fold(text) == fold(same) == same
    assert admin.execute("SELECT fold_text(%s)", [text]).fetchone() == (same,)


@pytest.mark.parametrize("plain", LOOKS, ids=["dash", "single quote", "double quote", "no width"])
def test_every_dash_quote_and_character_of_no_width_is_folded(plain: str) -> None:
    """[7.29] The model of the search folds as the service does, so this is the second opinion."""
    kept = [one for one in LOOKS[plain] if fold(f"a{one}b") != f"a{plain}b"]
    assert [*map(ascii, kept)] == []


def test_run_is_white_space_of_unicode() -> None:
    """[7.27]"""
    characters = "".join(map(chr, range(sys.maxunicode + 1)))
    # Python counts four separators of ASCII too.
    spaces = set(filter(str.isspace, characters)) - set("\x1c\x1d\x1e\x1f")
    assert set("".join(RUN.findall(characters))) == spaces


def test_further_marks_of_a_letter_do_not_count(admin: Any) -> None:
    """Sorting them takes quadratic time: a chunk of them took five seconds."""
    text = "e" + "\u0301\u200b" * 4_000 + "\u0323" * 4_000
    assert fold(text) == fold("e" + "\u0301" * 30)
    assert admin.execute("SELECT fold_text(%s)", [text]).fetchone() == (fold(text),)


@pytest.mark.thorough
@pytest.mark.parametrize("form", ["a{}b ", "{}\u0301", "漢 {} 字"])
def test_database_folds_all_of_unicode_like_the_service(admin: Any, form: str) -> None:
    """[7.27] [7.29] Folding a folded text changes nothing."""
    texts = [
        "".join(form.replace("{}", each) for each in ASSIGNED[start : start + BLOCK])
        for start in range(0, len(ASSIGNED), BLOCK)
    ]
    rows = admin.execute(
        "SELECT f.text, fold_text(f.text) = f.text"
        " FROM unnest(%s::text[]) WITH ORDINALITY AS t (text, number)"
        " CROSS JOIN LATERAL (SELECT fold_text(t.text) AS text OFFSET 0) AS f ORDER BY t.number",
        [texts],
    ).fetchall()
    assert rows == [(fold(text), True) for text in texts]


@given(text=TEXTS)
@examples(400)
def test_database_folds_like_the_service(admin: Any, text: str) -> None:
    """[7.27] [7.29]"""
    (folded,) = admin.execute("SELECT fold_text(%s)", [text]).fetchone()
    assert folded == fold(text) == fold(normal_form(text))


@given(text=TEXTS, start=st.integers(0, 60), length=st.integers(1, 8), first=st.integers(0, 20))
@example(text="ｶﾞカ", start=1, length=1, first=0)
@example(text="漢 字", start=1, length=1, first=0)
@example(text="a… …b", start=3, length=2, first=3)
@examples(400)
def test_match_is_where_a_scan_finds_it(
    admin: Any, text: str, start: int, length: int, first: int
) -> None:
    """[7.29] Offsets are those of the stored text; `first` skips earlier matches."""
    term = fold(text)[start : start + length].strip()
    assume(term and not unicodedata.combining(term[0]))
    row = admin.execute(
        "SELECT match_position(%(text)s, fold_text(%(text)s), %(term)s, 1) - 1,"
        " match_position(%(text)s, fold_text(%(text)s), %(term)s, %(first)s + 1) - 1",
        {"text": text, "term": term, "first": first},
    ).fetchone()
    expected = span(text, term)
    assert expected is not None
    assert row[0] == expected[0]
    assert row[1] == row[0] if first <= row[0] else row[1] >= first or row[1] == -1
    assert expected[1] <= row[0] + matched_length(text, row[0], term) or len(fold(text[row[0]])) > 1
