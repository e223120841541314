"""The words that a search looks for."""

import re
from string import punctuation

from orgctx.schemas.text import RUN, SEPARATOR, fold, normal_form

# The rarest MAX_WORDS of these are kept.
MAX_LOOKED_UP = 12
HAN, HIRAGANA, KATAKANA = "\u3005\u3400-\u9fff", "\u3041-\u309f", "\u30a0-\u30ff"
# Words, also where a script writes them without spaces: Chinese ones have mostly two characters.
WORDS = re.compile(
    f"[{HAN}]{{1,2}}|[{HIRAGANA}]+|[{KATAKANA}]+|[^{SEPARATOR}{HAN}{HIRAGANA}{KATAKANA}]+"
)
LEAST_COMPOUND, LEAST_PART = 8, 5
# Endings to leave out, so that "invoices" also finds "invoice".
ENDING = re.compile(r"(?<=\w{4})(?:ies|ing|ed|es|(?<![sui])s)$", re.IGNORECASE)
# Words that say nothing about the answer.
COMMON = frozenset((
    "a", "about", "after", "also", "an", "and", "any", "anybody", "anyone", "anything", "are",
    "as", "at", "be", "been", "before", "but", "by", "can", "could", "did", "do", "does", "for",
    "from", "had", "has", "have", "how", "i", "if", "in", "into", "is", "it", "its", "many",
    "may", "more", "most", "much", "my", "no", "not", "of", "on", "or", "our", "should", "so",
    "some", "somebody", "someone", "something", "such", "than", "that", "the", "their", "them",
    "then", "there", "these", "they", "this", "to", "was", "we", "were", "what", "when", "where",
    "whether", "which", "who", "whom", "whose", "why", "will", "with", "would", "you", "your",
))  # fmt: skip


def words_of(q: str) -> list[str]:
    """Return the different words of q, in order; if there are too many, the longest.

    Common words count only if there are no others, or as names in capitals, such as WHO. Parts of a
    compound count if q is only one word.
    """
    runs = WORDS.findall(normal_form(q))
    different = list({run.lower(): run for run in runs if len(run) > 1}.values())
    if len(runs) == len(different) == 1:
        return _parts(different[0])
    telling = [word for word in different if word.isupper() or word.lower() not in COMMON]
    longest = sorted(telling or different, key=len, reverse=True)[:MAX_LOOKED_UP]
    return [word for word in different if word in longest]


def is_single(q: str) -> bool:
    """Return whether q is one run of characters between white space."""
    return len(runs_of(q)) == 1


def runs_of(q: str) -> list[str]:
    """Return what white space separates, folded and without punctuation around it."""
    return [run.strip(punctuation) for run in RUN.split(fold(q).strip())]


def stem_of(word: str) -> str:
    """Return what the forms of a word begin with."""
    return ENDING.sub("", word)


def _parts(word: str) -> list[str]:
    """Return the likely parts of a compound, if it is one."""
    half = max(LEAST_PART, len(word) // 2)
    parts = [word[:-2], word[:half], word[-half:]] if len(word) >= LEAST_COMPOUND else []
    return [*dict.fromkeys(parts)]
