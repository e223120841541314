"""Texts: previews of bounded length, white space in searches, and hints for misspelled words."""

import re
import unicodedata
from bisect import bisect

PREVIEW_LENGTH = 240
ELLIPSIS = "…"
# Characters of a text that are compared with a term, which has at most 200.
MOST_MATCHED = 600


def collapse(text: str) -> str:
    """Replace runs of white space by one space and strip both ends."""
    return " ".join(text.split())


def utf16_length(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


def preview(text: str, length: int = PREVIEW_LENGTH) -> str:
    """Return the first code points of the collapsed text; the last is `…` if it was cut."""
    collapsed = collapse(text)
    return collapsed if len(collapsed) <= length else collapsed[: length - 1] + ELLIPSIS


def centered(
    before: str,
    match: str,
    after: str,
    *,
    starts: bool = True,
    ends: bool = True,
    length: int = PREVIEW_LENGTH,
) -> str:
    """Return a preview with the match in its middle and `…` at each end that was cut.

    starts, ends: whether `before` begins and `after` ends where the text does.
    """
    left, middle, right = collapse(before), collapse(match), collapse(after)
    if left and (middle or right) and (before[-1].isspace() or match[:1].isspace()):
        left += " "
    if right and middle and (match[-1].isspace() or after[0].isspace()):
        right = " " + right
    room = max(0, length - len(middle))
    take_left = min(len(left), max(room // 2, room - len(right)))
    take_right = min(len(right), room - take_left)
    text = (left[len(left) - take_left :] + middle + right[:take_right])[:length]
    cut_left = take_left < len(left) or not starts
    cut_right = take_right < len(right) or len(middle) > length or not ends
    if cut_left:
        text = ELLIPSIS + (text[1:] if len(text) >= length else text)
    if cut_right:
        text = (text[:-1] if len(text) >= length else text) + ELLIPSIS
    return text


# Unicode's White_Space, as in fold_text (sql/schema/004_folded_text.sql).
CHARACTERS = "\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
RUN = re.compile(f"[{CHARACTERS}]+")


def collapse_runs(text: str) -> str:
    """Replace each run of white space by one space, even at the ends."""
    return RUN.sub(" ", text)


# Characters of no width, and quotes, hyphens and dashes that look like others, as in normal_form()
# there.
NO_WIDTH = re.compile(
    "[\xad\u034f\u061c\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
STRAIGHT = str.maketrans("‘’‚‛‹›ʼ“”„‟«»‐–—‒―−", "'" * 7 + '"' * 6 + "-" * 6)
# Han, Hiragana and Katakana, as in cjk_class() there.
CJK = (
    "\u2e80-\u2fd5\u3005\u3007\u3021-\u3029\u3038-\u303b\u3041-\u3096\u309d-\u309f\u30a1-\u30fa"
    "\u30fc-\u30ff\u31f0-\u31ff\u32d0-\u32fe\u3300-\u3357\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufad9"
    "\U00016fe2-\U00016ff6\U0001aff0-\U0001b167\U0001f200\U00020000-\U000323af"
)
CJK_SPACE = re.compile(f"([{CJK}]) (?=[{CJK}])")


# What separates words, also the scripts that write words without spaces: Thai, Lao, Myanmar, Khmer
# and CJK.
SEPARATOR = (
    "\x00-/:-@\\[-^`{-\xa9\xab-\xb4\xb6-\xb9\xbb-\xbf\xd7\xf7\u1680\u2000-\u2bff\u2e00-\u2e7f\u3000-\u3004"
    "\u3006\u3008-\u3020\u3030\ufe10-\ufe6f\uff00-\uff0f\uff1a-\uff20"
)
UNSPACED = f"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff{CJK}"
WORDS = re.compile(f"[^{SEPARATOR}{UNSPACED}]{{2,}}")
ASCII_WORDS = re.compile(r"\w{2,}", re.ASCII)


def words_of_text(text: str) -> list[str]:
    """Return the words of a text that have at least two characters."""
    return (ASCII_WORDS if text.isascii() else WORDS).findall(text)


def normal_form(text: str) -> str:
    """Fold a text or term as fold_text in the database does, except its case."""
    if text.isascii():
        return collapse_runs(text)
    forms = unicodedata.normalize("NFKC", NO_WIDTH.sub("", text)).translate(STRAIGHT)
    return CJK_SPACE.sub(r"\1", collapse_runs(forms))


def fold(text: str) -> str:
    """Fold a text or term as fold_text does, by Unicode's simple lower case."""
    if text.isascii():
        return collapse_runs(text).lower()
    return unicodedata.normalize("NFC", _lower(normal_form(_lower(text))))


def _lower(text: str) -> str:
    # The only characters whose simple form differs from the one that Python gives.
    return text.replace("İ", "i").replace("Σ", "σ").lower()


def matched_length(text: str, start: int, q: str) -> int:
    """Return how many characters of `text` a match of `q` at `start` takes."""
    wanted = fold(q)
    if fold(text[start : start + len(q)]) == wanted:
        return len(q)
    lengths = range(1, min(len(text) - start, MOST_MATCHED) + 1)
    return bisect(lengths, len(wanted), key=lambda length: len(fold(text[start : start + length])))


# Longest value to compare with the choices; comparing takes quadratic time.
LONGEST_WORD = 40


def did_you_mean(value: object, choices: tuple[str, ...] | list[str]) -> str:
    """Return a hint such as `; did you mean 'note'?`, or an empty string."""
    from difflib import get_close_matches

    if not isinstance(value, str) or len(value) > LONGEST_WORD:
        return ""
    matches = get_close_matches(value.lower(), choices, 1)
    return f"; did you mean '{matches[0]}'?" if matches else ""
