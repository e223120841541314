"""Patterns match the paths that they match in .gitignore files, in bounded time."""

from __future__ import annotations

from re import search, sub
from time import process_time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec

from orgctx.importers import ImportRejected
from orgctx.importers.folder.ignore import is_excluded, parse

PIECES = (
    "a", "b", "*", "**", "?", "[ab]", "\\a", "/", "/", "**/", "/**", "!", "***", "a*b", "[", "\\",
    " ", "#", "]",
)  # fmt: skip
# The library takes `***` for a name that may be empty, and `/` for a character of a negated set.
LINES = (
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=7)
    .map(lambda pieces: sub(r"\*{3,}", "*", "".join(pieces)))
    .filter(lambda line: not search(r"\[\]?[^\]]*[!\\]", line))
)
NAMES = st.text("ab", min_size=1, max_size=4)
PATHS = st.tuples(st.lists(NAMES, min_size=1, max_size=6).map("/".join), st.sampled_from(["", "/"]))


@given(st.lists(LINES, min_size=1, max_size=3), st.lists(PATHS.map("".join), min_size=1))
@pytest.mark.filterwarnings("ignore:Possible nested set")
def test_patterns_match_as_in_a_library(lines: list[str], paths: list[str]) -> None:
    """MkDocs uses the library, which takes exponential time. Its other backends differ in `!*`."""
    try:
        spec = GitIgnoreSpec.from_lines(lines, backend="simple")
    except ValueError:
        with pytest.raises(ImportRejected):
            parse(lines, "here")
        assume(False)
    patterns = parse(lines, "here")
    assert [is_excluded(patterns, path) for path in paths] == [*map(spec.match_file, paths)]


@pytest.mark.parametrize(
    ("pattern", "excluded", "included"),
    [
        ("[!a]b", "cb", "ab"),
        ("[^a-c]", "d", "b"),
        ("[]a]", "]", "b"),
        (r"[\\]", "\\", "a"),
        (r"[a&&b]", "&", "c"),
        (r"\!a", "!a", "a"),
        ("a ", "a", "a "),
        (r"a\ ", "a ", "a"),
        ("*.md", "line\nbreak.md", "a.mdx"),
    ],
)
def test_pattern_with_special_characters(pattern: str, excluded: str, included: str) -> None:
    patterns = parse([pattern], "here")
    assert is_excluded(patterns, excluded)
    assert not is_excluded(patterns, included)


@pytest.mark.parametrize("pattern", ["[b-a]", "a\\", "!"])
def test_invalid_pattern_is_rejected(pattern: str) -> None:
    with pytest.raises(ImportRejected, match="here: pattern 2: is not a pattern as in"):
        parse(["a", pattern], "here")


@pytest.mark.parametrize(
    ("pattern", "part"),
    [
        ("*a*a*a*a*a*a*a*b", "a"),
        ("*?*?*?*?*?*?*b", "a"),
        ("**/a/**/a/**/a/**/a/**/b", "a/"),
        ("**/*a*/**/*a*/**/b", "aaaa/"),
    ],
)
def test_matching_takes_linear_time(pattern: str, part: str) -> None:
    """One of these stars more took 64 times as long, and eight times the name 4,096 times."""
    patterns = parse([pattern], "here")

    def seconds(length: int) -> float:
        path = part * (length // len(part)) + "c"
        begun = process_time()
        for _ in range(10):
            assert not is_excluded(patterns, path)
        return process_time() - begun

    growth = min(seconds(8_000) for _ in range(5)) / min(seconds(1_000) for _ in range(5))
    assert growth < 30
