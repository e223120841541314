"""Suggestions for words that were misspelt."""

from __future__ import annotations

# Longest value to compare with the choices; comparing takes quadratic time.
LONGEST_WORD = 40


def did_you_mean(value: object, choices: tuple[str, ...] | list[str]) -> str:
    """Return a hint such as `; did you mean 'note'?`, or an empty string."""
    from difflib import get_close_matches

    if not isinstance(value, str) or len(value) > LONGEST_WORD:
        return ""
    matches = get_close_matches(value.lower(), choices, 1)
    return f"; did you mean '{matches[0]}'?" if matches else ""
