"""Find what an owner should see before a text becomes readable for agents.

A finding is a hint, not a proof: a text without one may still contain a secret or an instruction.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

from orgctx.bundle.secret_kinds import KINDS, certain_secrets, is_middle
from orgctx.decisions import patterns

SECRET, HIDDEN, INSTRUCTION = "secret", "hidden characters", "instruction"
# Characters of an excerpt around a finding, and how many characters of a secret it shows.
AROUND, SHOWN = 40, 4
# Patterns search overlapping windows of this many characters, because Python's take quadratic time
# of some texts.
STEP, OVERLAP = 1_024, 512
# Stands for a letter of a secret; a text cannot contain it.
MASK = "\0"
MASKED = re.compile("\0+")


class Finding(NamedTuple):
    """A passage of a text. start: its offset in characters."""

    check: str  # SECRET, HIDDEN or INSTRUCTION
    name: str  # what it looks like
    start: int
    excerpt: str  # one line around it, with secrets masked and hidden characters named


# What needs no library. A private key may be longer than a window.
PATTERNS = (
    ("API key of orgctx", patterns.OWN_KEYS),
    ("Private Key", patterns.PRIVATE_KEYS),
    ("Token", patterns.TOKENS),
    ("Password", patterns.PASSWORDS),
    ("Token", patterns.BEARERS),
)


@cache
def _kinds() -> tuple[Any, tuple[Any, ...]]:
    """Return a set of all expressions of KINDS, and each of them; none without the extra `scan`."""
    try:
        import re2
    except ModuleNotFoundError:
        return None, ()
    expressions = re2.Set.SearchSet()
    for kind in KINDS:
        expressions.Add(kind.expression)
    expressions.Compile()
    return expressions, tuple(re2.compile(kind.expression) for kind in KINDS)


def has_detectors() -> bool:
    """Return whether the extra `scan` is installed."""
    return bool(_kinds()[1])


def find(text: str) -> Iterator[Finding]:
    """Yield what a text contains, in the order of the checks."""
    secrets = _secrets(text)
    masked = _masked(text, secrets)
    for (start, end), name in secrets.items():
        yield Finding(SECRET, name, start, _excerpt(masked, start, end))
    for match in _matches(patterns.HIDDEN_CHARACTERS, text):
        if match["hidden"]:
            names = ", ".join(f"U+{ord(letter):04X}" for letter in sorted({*match[0]}))
            yield Finding(HIDDEN, names, match.start(), _excerpt(masked, *match.span()))
    for match in chain.from_iterable(_matches(pattern, text) for pattern in patterns.INSTRUCTIONS):
        words = " ".join(match[0].split())
        yield Finding(INSTRUCTION, words, match.start(), _excerpt(masked, *match.span()))


def visible(text: str) -> str:
    """Return a text on one line, with secrets masked and hidden characters counted."""
    return _line(_masked(text, _secrets(text)))


def _secrets(text: str) -> dict[tuple[int, int], str]:
    """Return what looks like a secret, by its span. If several overlap, only the first one."""
    spans: dict[int, tuple[int, str]] = {}
    for name, match in _secret_matches(text):
        start, end = match.span(match.re.groupindex.get("value", 0))
        if not _is_harmless(match, start, end):
            token = patterns.TOKEN_END.match(text, end)
            spans.setdefault(start, (token.end() if token else end, name))
    # What loads hold is a finding, too.
    for name, start, end in certain_secrets(text):
        last, first_name = spans.get(start, (end, name))
        spans[start] = (max(end, last), first_name)
    secrets: list[tuple[int, int, str]] = []
    for start, (end, name) in sorted(spans.items()):
        if secrets and start < secrets[-1][1]:
            first, last, name = secrets.pop()
            start, end = first, max(last, end)
        secrets.append((start, end, name))
    return {(start, end): name for start, end, name in secrets}


def _secret_matches(text: str) -> Iterator[tuple[str, re.Match[str]]]:
    for name, pattern in PATTERNS:
        matches = (
            pattern.finditer(text) if pattern is patterns.PRIVATE_KEYS else _matches(pattern, text)
        )
        yield from ((name, match) for match in matches)
    expressions, kinds = _kinds()
    if kinds:
        text = text.encode(errors="replace").decode()  # RE2 rejects lone surrogates
        for index in sorted(expressions.Match(text) or ()):
            yield from ((KINDS[index].name, match) for match in kinds[index].finditer(text))


def _is_harmless(match: re.Match[str], start: int, end: int) -> bool:
    """Return whether a match is a placeholder, or the middle of a longer string."""
    return (
        is_middle(match.string, start, end)
        or patterns.PLACEHOLDERS.fullmatch(match[match.lastindex or 0]) is not None
    )


def _matches(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield the matches in a text, each at most of the length of a window."""
    end = 0
    for step in range(0, len(text), STEP):
        for match in pattern.finditer(text, max(step, end), step + STEP + OVERLAP):
            if match.start() >= step + STEP:
                break
            end = match.end()
            yield match


def _masked(text: str, secrets: Iterable[tuple[int, int]]) -> str:
    """Return a text of the same length, in which MASK hides secrets except their beginnings."""
    letters = list(text)
    for start, end in secrets:
        first = min(start + SHOWN, end)
        letters[first:end] = MASK * (end - first)
    return "".join(letters)


def _excerpt(masked: str, start: int, end: int) -> str:
    return _line(masked[max(0, start - AROUND) : end + AROUND])


def _line(masked: str) -> str:
    counted = patterns.HIDDEN_CHARACTERS.sub(
        lambda match: f"<{len(match[0])} hidden>" if match["hidden"] else match[0],
        MASKED.sub("****", masked),
    )
    return " ".join(counted.split())
