"""Find what an owner should see before a text becomes readable for agents.

A finding is a hint, not a proof: a text without one may still contain a secret or an instruction.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from orgctx.bundle.secret_kinds import Secret, is_harmless, likely_secrets
from orgctx.decisions import patterns

SECRET, HIDDEN, INSTRUCTION = "secret", "hidden characters", "instruction"
# Characters of an excerpt around a finding, and how many characters of a secret it shows.
MARGIN, UNMASKED = 40, 4
# Stands for a letter of a secret; a text cannot contain it.
MASK = "\0"
MASKED = re.compile("\0+")


class Finding(NamedTuple):
    """A passage of a text. start: its offset in characters."""

    check: str  # SECRET, HIDDEN or INSTRUCTION
    name: str  # what it looks like
    start: int
    excerpt: str  # one line around it, with secrets masked and hidden characters named


def find(text: str) -> Iterator[Finding]:
    """Yield what a text contains, in the order of the checks."""
    secrets = _secrets(text)
    masked = _masked(text, secrets)
    for name, start, end in secrets:
        yield Finding(SECRET, name, start, _excerpt(masked, start, end))
    for match in patterns.HIDDEN_CHARACTERS.finditer(text):
        if match["hidden"]:
            names = ", ".join(f"U+{ord(letter):04X}" for letter in sorted({*match[0]}))
            yield Finding(HIDDEN, names, match.start(), _excerpt(masked, *match.span()))
    for match in chain.from_iterable(each.finditer(text) for each in patterns.INSTRUCTIONS):
        words = " ".join(match[0].split())
        yield Finding(INSTRUCTION, words, match.start(), _excerpt(masked, *match.span()))


def visible(text: str) -> str:
    """Return a text on one line, with secrets masked and hidden characters counted."""
    return passage(text, 0, len(text))


def passage(text: str, start: int, length: int) -> str:
    """Return the characters from an offset on, up to a length, as `visible` does."""
    start = max(0, start)
    return _line(_masked(text, _secrets(text))[start : start + length])


def _secrets(text: str) -> list[Secret]:
    """Return what looks like a secret, in order. Overlapping ones are one, named as the first."""
    secrets: list[Secret] = []
    matches = (_whole(text, secret) for secret in chain(likely_secrets(text), _passwords(text)))
    for secret in sorted(matches, key=attrgetter("start")):
        if secrets and secret.start < secrets[-1].end:
            first = secrets.pop()
            secrets.append(first._replace(end=max(first.end, secret.end)))
        else:
            secrets.append(secret)
    return secrets


def _whole(text: str, secret: Secret) -> Secret:
    """Return a secret up to the end of its token."""
    rest = patterns.TOKEN_END.match(text, secret.end)
    return secret._replace(end=rest.end()) if rest else secret


def _passwords(text: str) -> Iterator[Secret]:
    for name, pattern in patterns.PASSWORDS.items():
        for match in pattern.finditer(text):
            if not is_harmless(match, *match.span("value")):
                yield Secret(name, *match.span("value"))


def _masked(text: str, secrets: Iterable[Secret]) -> str:
    """Return the text with MASK for each letter of a secret after the first UNMASKED ones."""
    letters = list(text)
    for _, start, end in secrets:
        first = min(start + UNMASKED, end)
        letters[first:end] = MASK * (end - first)
    return "".join(letters)


def _excerpt(masked: str, start: int, end: int) -> str:
    return _line(masked[max(0, start - MARGIN) : end + MARGIN])


def _line(masked: str) -> str:
    counted = patterns.HIDDEN_CHARACTERS.sub(
        lambda match: f"<{len(match[0])} hidden>" if match["hidden"] else match[0],
        MASKED.sub("****", masked),
    )
    return " ".join(counted.split())
