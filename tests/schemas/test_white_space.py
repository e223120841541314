"""White space in texts and terms."""

from __future__ import annotations

import sys

import pytest

from orgctx.schemas.white_space import RUN, matched_length


def test_run_is_white_space_of_unicode() -> None:
    spaces = {character for character in map(chr, range(sys.maxunicode + 1)) if character.isspace()}
    # Python counts four separators of ASCII too.
    assert {character for character in spaces if not RUN.match(character)} == set(
        "\x1c\x1d\x1e\x1f"
    )
    assert not [
        chr(code)
        for code in range(sys.maxunicode + 1)
        if RUN.match(chr(code)) and chr(code) not in spaces
    ]


@pytest.mark.parametrize(
    ("text", "start", "q", "length"),
    [
        ("a red\n\n kite", 2, "Red kite", 10),
        ("a red kite", 2, "red", 3),
        ("a \u3000 red", 1, " r", 4),
        ("a red  ", 4, "d \t", 3),
        ("red", 0, "red kite", 8),
        # A cut text must not take exponential time.
        ("a  " * 90, 0, "a " * 99 + "b", 199),
    ],
)
def test_matched_length_counts_white_space(text: str, start: int, q: str, length: int) -> None:
    assert matched_length(text, start, q) == length
