"""Each row of the table of secrets finds its example and nothing like it."""

import re

import pytest
import re2

from orgctx.decisions.findings import SECRET, find, visible
from orgctx.decisions.secret_kinds import KINDS, SecretKind

CHARACTERS = {
    "": "aZ3bY7cX1dW9eV5fU2gT8hS4iR6jQ0kP",
    "x": "3f7a1c9e5b2d8046",
    "d": "7291834650",
    "l": "a3b7c1d9e5f2g8h4",
    "u": "A3B7C1D9E5F2G8H4",
}
ROWS = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name.replace(" ", "-"))


def expanded(text: str) -> str:
    """Return a text of the table in which each `{number}` is replaced by so many characters."""

    def characters(match: re.Match[str]) -> str:
        return (CHARACTERS[match[2]] * 20)[: int(match[1])]

    return re.sub(r"\{(\d+)([xdlu]?)\}", characters, text)


@ROWS
def test_example_is_found_and_masked(kind: SecretKind) -> None:
    example = expanded(kind.example)
    assert re2.search(kind.expression, example)
    (found,) = [each for each in find(f"Ask Ada:\n{example}\nor Bob.") if each.check == SECRET]
    assert example not in found.excerpt
    assert example not in visible(example)


@ROWS
def test_other_text_is_not_found(kind: SecretKind) -> None:
    assert not re2.search(kind.expression, expanded(kind.other))


@ROWS
def test_row_names_where_the_form_is_documented(kind: SecretKind) -> None:
    assert re.fullmatch(r"https://[\w.-]+/\S*", kind.source)


def test_secret_beside_a_lone_surrogate_is_found() -> None:
    example = expanded("AKIA{16u}")
    assert [found.start for found in find(f"\ud800 {example}")] == [2]
