"""Decode text of an unknown character set."""

from __future__ import annotations

import codecs
from collections import Counter

from charset_normalizer import from_bytes

BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Character sets that browsers decode as a superset.
SUPERSETS = {
    "ascii": "cp1252", "iso8859-1": "cp1252", "gb2312": "gb18030", "gbk": "gb18030",
    "shift_jis": "cp932", "euc_kr": "cp949",
}  # fmt: skip
REPLACED = "\N{REPLACEMENT CHARACTER}"
# Text is UTF-8 if at most one in this many non-ASCII characters is invalid.
MIN_VALID = 10
# Enough to guess from, and fast.
SAMPLE = 64 * 1024
# Shorter text is too short to guess from; most of it is Western European.
SHORT = 24
WESTERN = "cp1252"


def decoded(content: bytes, declared: str | None, repaired: Counter[str]) -> str:
    """Decode text by its byte order mark, its declared character set, as UTF-8, or by a guess.

    A guess is counted in `repaired`, and so is a text with bytes that are replaced.
    """
    marked = next((name for mark, name in BYTE_ORDER_MARKS if content.startswith(mark)), None)
    for encoding in (marked, _superset(declared), declared, "utf-8"):
        try:
            if encoding:
                return content.decode(encoding)
        except (LookupError, UnicodeError):
            continue
    text = content.decode(errors="replace")
    if text.count(REPLACED) * MIN_VALID <= sum(not character.isascii() for character in text):
        repaired["bytes replaced that are not UTF-8"] += 1
        return text
    encoding = _guess(content)
    repaired[f"character set guessed: {encoding}"] += 1
    return content.decode(encoding, errors="replace")


def _superset(declared: str | None) -> str | None:
    try:
        return SUPERSETS.get(codecs.lookup(declared).name) if declared else None
    except LookupError:
        return None


def _guess(content: bytes) -> str:
    # Lines of ASCII do not help to guess.
    lines = [line for line in content.splitlines(keepends=True) if not line.isascii()]
    sample = b"".join(lines)[:SAMPLE]
    foreign = sum(byte > 127 for byte in sample[: SHORT * 64])
    best = from_bytes(sample).best() if foreign >= SHORT else None
    return best.encoding if best else WESTERN
