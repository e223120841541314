"""Decode text, strictly or if its character set is unknown, and open JSON files."""

import codecs
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader
from pathlib import Path

from orgctx.importers.report import ImportRejected

BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Character sets that browsers decode as a superset.
SUPERSETS = {
    "ascii": "cp1252", "iso8859-1": "cp1252", "gb2312": "gb18030", "gbk": "gb18030",
    "shift_jis": "cp932", "euc_kr": "cp949",
}  # fmt: skip
BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"
REPLACED = "\N{REPLACEMENT CHARACTER}"
# Text is UTF-8 if at most one in this many non-ASCII characters is invalid.
MIN_VALID = 10
WESTERN = "cp1252"


def decoded(content: bytes, declared: str | None, repaired: Counter[str]) -> str:
    """Decode text by its byte order mark, its declared character set, as UTF-8 or Western European.

    repaired: counts the last, and a text with bytes that are replaced.
    """
    marked = next((name for mark, name in BYTE_ORDER_MARKS if content.startswith(mark)), None)
    for name in (marked, declared, "utf-8"):
        with suppress(LookupError, ValueError):  # ValueError: also a name with a null character
            encoding = codecs.lookup(name or "").name
            with suppress(UnicodeError):
                return content.decode(SUPERSETS.get(encoding, encoding))
            return content.decode(encoding)
    text = content.decode(errors="replace")
    if text.count(REPLACED) * MIN_VALID <= sum(not character.isascii() for character in text):
        repaired["bytes replaced that are not UTF-8"] += 1
        return text
    repaired[f"read as {WESTERN}, because it declares no character set and is not UTF-8"] += 1
    return content.decode(WESTERN, errors="replace")


def decoded_utf8(content: bytes) -> str:
    """Decode UTF-8; every line ends with a newline. Raises ValueError, also for a NUL."""
    try:
        text = content.decode().lstrip(BOM).replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise ValueError("is UTF-16; save it as UTF-8") from None
        line = content.count(b"\n", 0, error.start) + 1
        raise ValueError(f"is not UTF-8: byte {error.start}, line {line}") from None
    if "\0" in text:
        raise ValueError(f"contains a NUL character at character {text.index(chr(0))}")
    return text


@contextmanager
def opened(path: Path, advice: str) -> Iterator[BufferedReader]:
    """Open a JSON file. Raises ImportRejected, with an advice, if it begins otherwise."""
    with path.open("rb") as file:
        start = file.peek(4)[:4].removeprefix(codecs.BOM_UTF8).lstrip()
        if start and start[:1] not in b"{[":
            reason = f"is not JSON in UTF-8: unpack it if it is compressed, or {advice}"
            raise ImportRejected(f"{path.name}: byte 0", reason)
        yield file
