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


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun, such as `1,204 records`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


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
# Marks of letters, as in mark_ranges() there. Of more than MOST_MARKS in a row, the others do not
# count, because sorting them takes quadratic time.
MOST_MARKS = 30
MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7"
    "\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7-\u06e8\u06ea-\u06ed"
    "\u0711\u0730-\u074a\u07eb-\u07f3\u07fd\u0816-\u0819\u081b-\u0823\u0825-\u0827"
    "\u0829-\u082d\u0859-\u085b\u0897-\u089f\u08ca-\u08e1\u08e3-\u08ff\u093c\u094d"
    "\u0951-\u0954\u09bc\u09cd\u09fe\u0a3c\u0a4d\u0abc\u0acd\u0b3c\u0b4d\u0bcd\u0c3c"
    "\u0c4d-\u0c56\u0cbc\u0ccd\u0d3b-\u0d3c\u0d4d\u0dca\u0e38-\u0e3a\u0e48-\u0e4b"
    "\u0eb8-\u0eba\u0ec8-\u0ecb\u0f18-\u0f19\u0f35\u0f37\u0f39\u0f71-\u0f7d\u0f80-\u0f84"
    "\u0f86-\u0f87\u0fc6\u1037\u1039-\u103a\u108d\u135d-\u135f\u1714-\u1715\u1734\u17d2\u17dd"
    "\u18a9\u1939-\u193b\u1a17-\u1a18\u1a60\u1a75-\u1a7f\u1ab0-\u1ace\u1b34\u1b44"
    "\u1b6b-\u1b73\u1baa-\u1bab\u1be6\u1bf2-\u1bf3\u1c37\u1cd0-\u1cd2\u1cd4-\u1ce0"
    "\u1ce2-\u1ce8\u1ced\u1cf4\u1cf8-\u1cf9\u1dc0-\u1dff\u20d0-\u20f0\u2cef-\u2cf1\u2d7f"
    "\u2de0-\u2dff\u302a-\u302f\u3099-\u309a\ua66f\ua674-\ua67d\ua69e-\ua69f\ua6f0-\ua6f1"
    "\ua806\ua82c\ua8c4\ua8e0-\ua8f1\ua92b-\ua92d\ua953\ua9b3\ua9c0\uaab0\uaab2-\uaab4"
    "\uaab7-\uaab8\uaabe-\uaabf\uaac1\uaaf6\uabed\ufb1e\ufe20-\ufe2f\uff9e-\uff9f\U000101fd"
    "\U000102e0\U00010376-\U0001037a\U00010a0d-\U00010a0f\U00010a38-\U00010a3f"
    "\U00010ae5-\U00010ae6\U00010d24-\U00010d27\U00010d69-\U00010d6d\U00010eab-\U00010eac"
    "\U00010efd-\U00010eff\U00010f46-\U00010f50\U00010f82-\U00010f85\U00011046\U00011070"
    "\U0001107f\U000110b9-\U000110ba\U00011100-\U00011102\U00011133-\U00011134\U00011173"
    "\U000111c0\U000111ca\U00011235-\U00011236\U000112e9-\U000112ea\U0001133b-\U0001133c"
    "\U0001134d\U00011366-\U000113e2\U00011442\U00011446\U0001145e\U000114c2-\U000114c3"
    "\U000115bf-\U000115c0\U0001163f\U000116b6-\U000116b7\U0001172b\U00011839-\U0001183a"
    "\U0001193d-\U0001193e\U00011943\U000119e0\U00011a34\U00011a47\U00011a99\U00011c3f"
    "\U00011d42-\U00011d45\U00011d97\U0001612f\U00016af0-\U00016af4\U00016b30-\U00016b36"
    "\U00016ff0-\U00016ff1\U0001bc9e\U0001d165-\U0001d169\U0001d16d-\U0001d172"
    "\U0001d17b-\U0001d182\U0001d185-\U0001d18b\U0001d1aa-\U0001d1ad\U0001d242-\U0001d244"
    "\U0001e000-\U0001e02a\U0001e130-\U0001e136\U0001e2ae\U0001e2ec-\U0001e2ef"
    "\U0001e4ec-\U0001e5ef\U0001e8d0-\U0001e8d6\U0001e944-\U0001e94a"
)
MANY_MARKS = re.compile(f"([{MARKS}]{{{MOST_MARKS}}})[{MARKS}]+")
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
    marked = MANY_MARKS.sub(r"\1", NO_WIDTH.sub("", text))
    forms = unicodedata.normalize("NFKC", marked).translate(STRAIGHT)
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
    whole = bisect(lengths, len(wanted), key=lambda length: len(fold(text[start : start + length])))
    # The match may end inside of what a character becomes.
    is_inside = len(fold(text[start : start + whole])) < len(wanted)
    return min(whole + is_inside, len(lengths))


# Longest value to compare with the choices; comparing takes quadratic time.
LONGEST_WORD = 40


def did_you_mean(value: object, choices: tuple[str, ...] | list[str]) -> str:
    """Return a hint such as `; did you mean 'note'?`, or an empty string."""
    from difflib import get_close_matches

    if not isinstance(value, str) or len(value) > LONGEST_WORD:
        return ""
    matches = get_close_matches(value.lower(), choices, 1)
    return f"; did you mean '{matches[0]}'?" if matches else ""
