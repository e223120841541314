"""Texts: previews of bounded length, white space in searches, and hints for misspelled words."""

import re
import unicodedata
from itertools import starmap

PREVIEW_LENGTH = 240
ELLIPSIS = "…"


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


# Unicode's White_Space, as in fold_text (sql/schema/004_search_tokens.sql).
CHARACTERS = "\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
RUN = re.compile(f"[{CHARACTERS}]+")


def collapse_runs(text: str) -> str:
    """Replace each run of white space by one space, even at the ends."""
    return RUN.sub(" ", text)


# Wide and narrow forms as Unicode defines them, and what they are forms of: width_forms() in
# sql/schema/004_search_tokens.sql.
FORMS = {
    code: int(form[1], 16)
    for code in range(0xFF01, 0xFFEF)
    if (form := unicodedata.decomposition(chr(code)).split())
}
FORMS_OF = {code: chr(form) for form, code in FORMS.items()}
# Kana with a half-width mark.
MARKED = re.compile("[^\uff9e\uff9f][\uff9e\uff9f]")
MARKS = {"\u3099": "\uff9e", "\u309a": "\uff9f"}
# Han, Hiragana and Katakana, as in cjk_class() there.
CJK = (
    "\u2e80-\u2fd5\u3005\u3007\u3021-\u3029\u3038-\u303b\u3041-\u3096\u3099\u309a\u309d-\u309f"
    "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u32d0-\u32fe\u3300-\u3357\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufad9\U00016fe2-\U00016ff6\U0001aff0-\U0001b167\U0001f200\U00020000-\U000323af"
)
CJK_SPACE = re.compile(f"([{CJK}]) (?=[{CJK}])")
CJK_PAIR = re.compile(f"[{CJK}]{{2}}")
# Characters that have forms, or between which white space is ignored.
NOT_PLAIN = re.compile("[\u2e80-\uffee\U00016fe2-\U000323af]")


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
    if not NOT_PLAIN.search(text):
        return collapse_runs(text)
    composed = MARKED.sub(lambda marked: _composed(marked[0]), text)
    return CJK_SPACE.sub(r"\1", collapse_runs(composed.translate(FORMS)))


def _composed(marked: str) -> str:
    composed = unicodedata.normalize("NFKC", marked)
    return composed if len(composed) == 1 else marked


def fold(text: str) -> str:
    """Fold a text or term that is compared without the database."""
    return normal_form(text).casefold()


def term_pattern(q: str) -> re.Pattern[str]:
    """Return a pattern that matches q where a search finds it, as term_pattern in SQL does."""
    term = normal_form(q)
    pairs = zip(term, term[1:] + " ", strict=False)
    return re.compile("".join(starmap(_letter_pattern, pairs)), re.IGNORECASE)


def _letter_pattern(letter: str, following: str) -> str:
    if letter == " ":
        # Possessive: white space that matched is not tried again without its end.
        return f"[{CHARACTERS}]++"
    base, *mark = list(unicodedata.normalize("NFD", letter))
    pattern = f"[{re.escape(letter + FORMS_OF.get(ord(letter), ''))}]"
    if mark and mark[0] in MARKS:
        pattern = f"(?:{letter}|[{base}{FORMS_OF.get(ord(base), '')}]{MARKS[mark[0]]})"
    for mark_, form in MARKS.items():
        # With a mark it would be another character.
        if len(unicodedata.normalize("NFC", letter + mark_)) == 1:
            pattern += f"(?!{form})"
    is_ignored = CJK_PAIR.match(letter + following)
    return pattern + (f"[{CHARACTERS}]*" if is_ignored else "")


def matched_length(text: str, start: int, q: str) -> int:
    """Return how many characters of `text` a match of `q` at `start` takes.

    Returns the length of q if the text ends before the match.
    """
    match = term_pattern(q).match(text, start)
    return match.end() - start if match else len(q)


# Longest value to compare with the choices; comparing takes quadratic time.
LONGEST_WORD = 40


def did_you_mean(value: object, choices: tuple[str, ...] | list[str]) -> str:
    """Return a hint such as `; did you mean 'note'?`, or an empty string."""
    from difflib import get_close_matches

    if not isinstance(value, str) or len(value) > LONGEST_WORD:
        return ""
    matches = get_close_matches(value.lower(), choices, 1)
    return f"; did you mean '{matches[0]}'?" if matches else ""
