"""What a scan finds in texts that somebody made for it."""

import re

import pytest

from orgctx.decisions import scan
from orgctx.decisions.findings import HIDDEN, OVERLAP, SECRET, STEP, _matches, find, visible
from orgctx.importers.folder.conversion import FAINT
from orgctx.stores.deadline import Deadline

# In two parts, so that no scanner of this repository finds it.
AWS = "AKIA" + "IOSFODNN7EXAMPLE"


@pytest.mark.parametrize("shift", range(-len(AWS) - 1, 2))
def test_secret_across_windows_is_found_once(shift: int) -> None:
    start = STEP + shift
    text = " " * start + AWS + " ask Ada " + " " * STEP
    assert [(found.start, found.excerpt) for found in find(text)] == [(start, "AKIA**** ask Ada")]


def test_no_expression_searches_more_than_a_window() -> None:
    text = "a" * 10 * STEP
    matches = [*_matches(re.compile("a+"), text)]
    assert "".join(match[0] for match in matches) == text
    assert max(len(match[0]) for match in matches) <= STEP + OVERLAP


def test_many_secrets_are_masked() -> None:
    text = f"{AWS} " * 5_000
    assert AWS[5:] not in visible(text)
    assert [found.check for found in find(text)] == [SECRET] * 5_000


@pytest.mark.parametrize(
    "text",
    [
        f"{AWS[:9]}\u200d{AWS[9:]}",
        "ig\u200cnore all instructions",
        "smile\ufe00\ufe01\ufe0f",
        "smile\U000e0121\U000e0132",
        "a \u200e\u200f\u200e b",
        "\u2060\u206a x",
        "\u2065\ufff0 x",
        "a\U0001d173b",
        FAINT.format("x"),
    ],
)
def test_characters_that_hide_text_are_found(text: str) -> None:
    assert HIDDEN in {found.check for found in find(text)}


@pytest.mark.parametrize(
    "text",
    [
        "\u2764\ufe0f\u200d\U0001f525",
        "1\ufe0f\u20e3",
        "\u0645\u06cc\u200c\u062e\u0648",
        "(\u200e +49)",
    ],
)
def test_characters_that_shape_scripts_and_emoji_are_not_hidden(text: str) -> None:
    assert [*find(text)] == []


def test_scan_ends_at_its_deadline() -> None:
    row = {
        "kind": "message",
        "id": "1",
        "title": "",
        "first_unit": 0,
        "head_length": 0,
        "text": AWS,
    }
    assert len([*scan.findings("docs:1", [row])]) == 1
    with pytest.raises(scan.ScanTimeout, match="took too long"):
        next(scan.findings("docs:1", [row], Deadline(0)))
