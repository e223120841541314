"""White space in searches: Unicode's White_Space. All runs of it are equal."""

from __future__ import annotations

import re

# As in fold_text (sql/schema/004_search_tokens.sql).
CHARACTERS = "\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
RUN = re.compile(f"[{CHARACTERS}]+")


def collapse_runs(text: str) -> str:
    """Replace each run of white space by one space, even at the ends."""
    return RUN.sub(" ", text)


def matched_length(text: str, start: int, q: str) -> int:
    """Return how many characters of `text` a match of `q` at `start` takes.

    Returns the length of q if the text ends before the match.
    """
    if not RUN.search(q):
        return len(q)
    words = (f"[^{CHARACTERS}]{{{len(word)}}}" for word in RUN.split(q))
    match = re.compile(RUN.pattern.join(words)).match(text, start)
    return match.end() - start if match else len(q)
