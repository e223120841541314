"""A stand-in for Chinese, Japanese and Korean fonts that a PDF does not contain.

PDFium drops text whose glyphs have no size: single characters and vertical lines in fonts that are
neither in the file nor installed. With this font the text does not depend on installed fonts.
"""

# PDFium calls the functions by these names, with these arguments.
# ruff: noqa: ARG002, N802

import ctypes
from struct import pack
from typing import Any

import pypdfium2 as pdfium

# Shift-JIS, Hangul, GB 2312 and Big5, as PDFium numbers character sets.
CHARACTER_SETS = {128, 129, 134, 136}
HANDLE = 1
WIDTH, ASCENT, DESCENT = 1000, 880, -120


def _font() -> bytes:
    """Return a TrueType font in which all characters have the same square glyph."""
    box = (0, DESCENT, WIDTH, ASCENT)
    deltas = (0, WIDTH, 0, -WIDTH, DESCENT, 0, ASCENT - DESCENT, 0)
    glyph = pack(">hhhhhHH4B8h2x", 1, *box, 3, 0, *[1] * 4, *deltas)
    # The table `cmap` maps all characters to glyph 1 (format 13); glyph 0 is empty.
    tables = {
        b"cmap": pack(">HHHHLHHLLLLLL", 0, 1, 3, 10, 12, 13, 0, 28, 0, 1, 32, 0x10FFFF, 1),
        b"glyf": glyph,
        b"head": pack(
            ">LLLLHHQQ4hHHhhh", 1 << 16, 1 << 16, 0, 0x5F0F3CF5, 0, WIDTH, 0, 0, *box, 0, 8, 2, 0, 0
        ),
        b"hhea": pack(
            ">LhhhH11hH", 1 << 16, ASCENT, DESCENT, 0, WIDTH, 0, 0, WIDTH, 1, *[0] * 7, 2
        ),
        b"hmtx": pack(">HhHh", WIDTH, 0, WIDTH, 0),
        b"loca": pack(">HHH", 0, 0, len(glyph) // 2),
        b"maxp": pack(">L14H", 1 << 16, 2, 4, 1, 0, 0, 2, *[0] * 8),
    }
    header, body = pack(">LHHHH", 1 << 16, len(tables), 64, 2, 48), b""
    start = len(header) + 16 * len(tables)
    for tag, table in tables.items():
        header += tag + pack(">LLL", 0, start + len(body), len(table))
        body += table + b"\0" * (-len(table) % 4)
    return header + body


FONT = _font()


class StandInFonts(pdfium.PdfSysfontBase):  # type: ignore[misc]
    """The only fonts besides those of a file and of PDFium, whatever is installed."""

    def _nothing(self, *_: Any) -> int:
        return 0

    # Announce no fonts, find none by its name, and keep this one.
    EnumFonts = GetFont = GetFaceName = DeleteFont = _nothing

    def MapFont(self, _: Any, weight: int, italic: int, character_set: int, *others: Any) -> Any:
        return HANDLE if character_set in CHARACTER_SETS else None

    def GetFontData(self, _: Any, font: int, table: int, buffer: Any, size: int) -> int:
        """Return the size of the font, and copy it into a buffer. Single tables are not given."""
        if not table and buffer and size >= len(FONT):
            ctypes.memmove(buffer, FONT, len(FONT))
        return 0 if table else len(FONT)

    def GetFontCharset(self, *_: Any) -> int:
        return min(CHARACTER_SETS)
