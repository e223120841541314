"""Find what an owner should see before a text becomes readable for agents.

A finding is a hint, not a proof: a text without one may still contain a secret or an instruction.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

from orgctx.keys import PREFIX

SECRET, HIDDEN, INSTRUCTION = "secret", "hidden characters", "instruction"
# Characters of an excerpt around a finding, and how many characters of a secret it shows.
AROUND, SHOWN = 40, 4
# Expressions search windows of so many characters, which overlap, because some of the library take
# quadratic time.
STEP, OVERLAP = 1_024, 512
# Stands for a letter of a secret; a text cannot contain it.
MASK = "\0"
MASKED = re.compile("\0+")

# Characters that reorder a text, and characters without a glyph. Joiners, marks of direction and
# selectors of glyphs shape scripts and emoji, so only runs of them count, which can encode a text,
# and those that split a word of ASCII. A flag of a region has tags, which nothing else should have.
HIDDEN_CHARACTERS = re.compile(
    "\U0001f3f4[\U000e0020-\U000e007f]{1,6}"
    "|(?P<hidden>[\u202a-\u202e\u2066-\u2069]+"
    "|[\u034f\u115f\u1160\u180e\u200b\u2060-\u2064\u206a-\u206f\u3164\uffa0\ufff9-\ufffb]+"
    "|(?<!\\A)\ufeff+|[\u200c\u200d]{2,}|[\u061c\u200e\u200f]{2,}"
    "|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}|[\U000e0000-\U000e007f]+"
    "|(?<=[!-~])[\u061c\u200c-\u200f\ufe00-\ufe0f](?=[!-~]))"
)
# Passages that address a model. White space is bounded, so that the search is linear.
INSTRUCTIONS = re.compile(
    r"\b(?:ignore|disregard|forget|override)\s{1,5}(?:\w{1,20}\s{1,5}){0,3}"
    r"(?:instruction|prompt|rule|guideline)s?\b"
    r"|\byou\s{1,5}are\s{1,5}now\s{1,5}(?:a|an|the|in)\b"
    r"|\b(?:do\s{1,5}not|don't|never)\s{1,5}(?:tell|inform|show|mention|reveal)\s{1,5}"
    r"(?:\w{1,20}\s{1,5}){0,3}(?:user|human|operator)\b"
    r"|\b(?:new|updated|hidden|system|developer)\s{1,5}(?:instructions?|prompt|message)\s{0,5}:"
    r"|\b(?:ai|llm|language\s{1,5}model)s?\s{1,5}(?:agents?|assistants?|models?)?\s{0,5}(?:must|should)\b"
    r"|\b(?:call|invoke|use)\s{1,5}the\s{1,5}\w{1,40}\s{1,5}(?:tool|function)\b"
    r"|<\|?(?:im_start|im_end|system|endoftext)\|?>|\[/?INST\]|<</?SYS>>",
    re.IGNORECASE,
)
# Passwords in plain sentences, which the library leaves to other tools, and our own keys.
PASSWORDS = re.compile(
    r"\b(?:password|passwd|passphrase|pwd|passwort|kennwort|api[ _-]?key|secret|access[ _-]?token)"
    r"\s{0,3}(?:\bist?\b|[:=])\s{0,3}[\"'`]?(?=[^\s\"'`]{0,40}[0-9!@#$%^&*+~|])(?P<value>[^\s\"'`]{6,100})",
    re.IGNORECASE,
)
OWN_KEYS = re.compile(rf"\b{PREFIX}[0-9A-Za-z]{{20,}}")


class Finding(NamedTuple):
    """A passage of a text. start: its offset in characters."""

    check: str  # SECRET, HIDDEN or INSTRUCTION
    name: str  # what it looks like
    start: int
    excerpt: str  # one line around it, with secrets masked and hidden characters named


@cache
def secret_patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return what secrets look like, by name; without the extra `scan`, only the own ones.

    Of detect-secrets only the expressions are used: it would also send requests to verify secrets.
    """
    own = (("API key of orgctx", OWN_KEYS), ("Password", PASSWORDS))
    return own + tuple(
        (name, pattern) for name, detector in _detectors() for pattern in detector.denylist
    )


def has_detectors() -> bool:
    """Return whether the extra `scan` is installed."""
    return bool(_detectors())


@cache
def _detectors() -> tuple[tuple[str, Any], ...]:
    try:
        from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
        from detect_secrets.plugins.base import RegexBasedDetector
    except ModuleNotFoundError:
        return ()
    detectors: dict[str, Any] = get_mapping_from_secret_type_to_class()
    return tuple(
        (name, detector)
        for name, detector in detectors.items()
        # Addresses of servers are no secrets.
        if issubclass(detector, RegexBasedDetector) and detector.__name__ != "IPPublicDetector"
    )


def find(text: str) -> Iterator[Finding]:
    """Yield what a text contains, in the order of the checks."""
    secrets = _secrets(text)
    masked = _masked(text, secrets)
    for (start, end), name in secrets.items():
        yield Finding(SECRET, name, start, _excerpt(masked, start, end))
    for match in _matches(HIDDEN_CHARACTERS, text):
        if match["hidden"]:
            names = ", ".join(f"U+{ord(letter):04X}" for letter in sorted({*match[0]}))
            yield Finding(HIDDEN, names, match.start(), _excerpt(masked, *match.span()))
    for match in _matches(INSTRUCTIONS, text):
        words = " ".join(match[0].split())
        yield Finding(INSTRUCTION, words, match.start(), _excerpt(masked, *match.span()))


def visible(text: str) -> str:
    """Return a text on one line, with secrets masked and hidden characters counted."""
    return _line(_masked(text, _secrets(text)))


def _secrets(text: str) -> dict[tuple[int, int], str]:
    """Return what looks like a secret, by its span. Of several at one place, the first pattern."""
    spans: dict[int, tuple[int, str]] = {}
    for name, pattern in secret_patterns():
        for match in _matches(pattern, text):
            start, end = match.span("value" if "value" in pattern.groupindex else 0)
            spans.setdefault(start, (end, name))
    return {(start, end): name for start, (end, name) in sorted(spans.items())}


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
    """Return a text of the same length, in which MASK replaces secrets but their beginnings."""
    letters = list(text)
    for start, end in secrets:
        first = min(start + SHOWN, end)
        letters[first:end] = MASK * (end - first)
    return "".join(letters)


def _excerpt(masked: str, start: int, end: int) -> str:
    return _line(masked[max(0, start - AROUND) : end + AROUND])


def _line(masked: str) -> str:
    counted = HIDDEN_CHARACTERS.sub(
        lambda match: f"<{len(match[0])} hidden>" if match["hidden"] else match[0],
        MASKED.sub("****", masked),
    )
    return " ".join(counted.split())
