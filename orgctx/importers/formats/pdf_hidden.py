"""Find the text of a PDF page that no reader sees.

Text that draws nothing is switched off before the text of the page is read. Where a page may hide
text behind something, a clip or a layer, or by its color, the page is drawn with and without that
text: a character that changes nothing is hidden.
"""

import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from ctypes import byref, c_float, c_int, c_uint, c_void_p, cast
from math import inf
from typing import Any, NamedTuple

import pypdfium2 as pdfium
from pypdfium2 import raw

UNSEEN = "invisible, transparent or tiny text"
BEHIND = "character that is covered, clipped, of the color behind it or on a layer that is off"
INVISIBLE = (raw.FPDF_TEXTRENDERMODE_INVISIBLE, raw.FPDF_TEXTRENDERMODE_CLIP)
FILLED = (raw.FPDF_TEXTRENDERMODE_FILL, raw.FPDF_TEXTRENDERMODE_FILL_CLIP)
STROKED = (raw.FPDF_TEXTRENDERMODE_STROKE, raw.FPDF_TEXTRENDERMODE_STROKE_CLIP)
COMMENTS = (
    raw.FPDF_ANNOT_TEXT, raw.FPDF_ANNOT_FREETEXT, raw.FPDF_ANNOT_HIGHLIGHT,
    raw.FPDF_ANNOT_UNDERLINE, raw.FPDF_ANNOT_STRIKEOUT, raw.FPDF_ANNOT_CARET, raw.FPDF_ANNOT_INK,
    raw.FPDF_ANNOT_STAMP,
)  # fmt: skip
# Annotations that cover no text, and fields of forms, which are not drawn.
UNDRAWN = (
    raw.FPDF_ANNOT_TEXT, raw.FPDF_ANNOT_POPUP, raw.FPDF_ANNOT_LINK, raw.FPDF_ANNOT_FILEATTACHMENT,
    raw.FPDF_ANNOT_WIDGET,
)  # fmt: skip
MIN_SIZE = 1.0  # points
OPAQUE, WHITE = 255, (255, 255, 255)
# A page is a scan, with its text before or behind it, if pictures cover this part of it.
SCANNED = 0.5
# How far, in points, glyphs may reach over an edge. Lower shapes underline text.
TOLERANCE, MIN_COVER = 2.0, 3.0
MOST_PAIRS, MOST_PIXELS, MOST_DEPTH = 1_000_000, 4_000_000, 8
LAYER = b"/OCG"
OBJECT_STREAM = re.compile(rb"/ObjStm\b.{0,400}?stream\r?\n", re.DOTALL)

_Box = tuple[float, float, float, float]  # left, bottom, right, top


class _Object(NamedTuple):
    """An object of a page. order: it is before those of lower ones. color: that draws it."""

    handle: Any
    order: int
    box: _Box
    color: tuple[int, ...] | None = None


class _Seen(NamedTuple):
    """The objects of a page: its texts, what may cover them, and texts that may be hidden."""

    texts: list[_Object]
    unseen: list[_Object]  # draw nothing: the text of a scan
    covers: list[_Object]
    images: list[_Object]
    doubtful: list[_Object]


def has_layers(content: bytes) -> bool:
    """Return whether a file may have layers, so that each page is searched for them."""
    if LAYER in content or b"/Encrypt" in content:
        return True
    for stream in OBJECT_STREAM.finditer(content):
        try:
            if LAYER in zlib.decompressobj().decompress(content[stream.end() :]):
                return True
        except zlib.error:
            return True
    return False


def hidden_characters(
    page: pdfium.PdfPage, skipped: Counter[str], *, with_layers: bool
) -> frozenset[int]:
    """Return the indexes of the hidden characters of a page; other hidden text is switched off."""
    seen = _Seen([], [], [], [], [])
    count = raw.FPDFPage_CountObjects(page)
    objects = (raw.FPDFPage_GetObject(page, number) for number in range(count))
    _collect(objects, seen, pdfium.PdfMatrix(), with_layers=with_layers)
    width, height = page.get_size()
    boxes = (image.box for image in seen.images)
    area = sum((right - left) * (top - bottom) for left, bottom, right, top in boxes)
    is_scan = area >= SCANNED * width * height
    for each in seen.unseen if not is_scan else ():
        skipped[UNSEEN] += 1
        raw.FPDFPageObj_SetIsActive(each.handle, False)
    paper = _Object(None, 0, (-inf, -inf, inf, inf), WHITE)
    covers = [*seen.covers, *_annotations(page, skipped, len(seen.texts) + len(seen.unseen))]
    words = _covered(seen.unseen, covers) if is_scan else []
    covers += [] if is_scan else [paper, *seen.images]
    hidden = _hidden_by_drawing(page, seen.doubtful + _covered(seen.texts, covers))
    for image in seen.images if words else ():
        raw.FPDFPageObj_SetIsActive(image.handle, False)
    for each in words:  # of a scan are drawn in its place
        raw.FPDFTextObj_SetTextRenderMode(each.handle, FILLED[0])
        raw.FPDFPageObj_SetFillColor(each.handle, 0, 0, 0, OPAQUE)
    return hidden | _hidden_by_drawing(page, words)


def _annotations(page: pdfium.PdfPage, skipped: Counter[str], order: int) -> Iterator[_Object]:
    """Count comments, yield what may cover text, and hide the others from the drawing."""
    box = raw.FS_RECTF()
    for number in range(raw.FPDFPage_GetAnnotCount(page)):
        annotation = raw.FPDFPage_GetAnnot(page, number)
        kind = raw.FPDFAnnot_GetSubtype(annotation)
        skipped["comment"] += kind in COMMENTS
        if kind in UNDRAWN:
            raw.FPDFAnnot_SetFlags(annotation, raw.FPDF_ANNOT_FLAG_HIDDEN)
        elif raw.FPDFAnnot_GetRect(annotation, byref(box)):
            yield _Object(None, order, (box.left, box.bottom, box.right, box.top))
        raw.FPDFPage_CloseAnnot(annotation)


def _collect(
    objects: Iterator[Any],
    seen: _Seen,
    matrix: pdfium.PdfMatrix,
    depth: int = 0,
    *,
    with_layers: bool,
) -> None:
    """Collect the objects of a page or form in the order in which they are drawn."""
    left, bottom, right, top = c_float(), c_float(), c_float(), c_float()
    red, green, blue, alpha = c_uint(), c_uint(), c_uint(), c_uint()
    corners = (byref(left), byref(bottom), byref(right), byref(top))
    colors = (byref(red), byref(green), byref(blue), byref(alpha))
    fill, stroke = c_int(), c_int()
    for handle in objects:
        kind = raw.FPDFPageObj_GetType(handle)
        if kind == raw.FPDF_PAGEOBJ_FORM:
            if depth < MOST_DEPTH:
                count = raw.FPDFFormObj_CountObjects(handle)
                inner = (raw.FPDFFormObj_GetObject(handle, number) for number in range(count))
                combined = _matrix(handle).multiply(matrix)
                _collect(inner, seen, combined, depth + 1, with_layers=with_layers)
            continue
        order = len(seen.texts) + len(seen.unseen)
        if not raw.FPDFPageObj_GetBounds(handle, *corners):
            continue
        box = (left.value, bottom.value, right.value, top.value)
        mode = raw.FPDFTextObj_GetTextRenderMode(handle)  # negative for other objects
        is_path = raw.FPDFPath_GetDrawMode(handle, byref(fill), byref(stroke))
        is_stroked = not fill.value if is_path else mode in STROKED
        read = raw.FPDFPageObj_GetStrokeColor if is_stroked else raw.FPDFPageObj_GetFillColor
        has_color = read(handle, *colors)
        color = (red.value, green.value, blue.value) if has_color else None
        each = _Object(handle, order, matrix.on_rect(*box) if depth else box, color)
        if kind == raw.FPDF_PAGEOBJ_IMAGE:
            seen.images.append(each)
        elif kind != raw.FPDF_PAGEOBJ_TEXT:
            width = _size(handle, matrix, raw.FPDFPageObj_GetStrokeWidth) if is_stroked else 0
            if not is_path or (width >= MIN_COVER if is_stroked else alpha.value == OPAQUE):
                seen.covers.append(each)
        else:
            is_clear = has_color and not alpha.value and mode in FILLED + STROKED
            is_low = box[3] - box[1] <= MIN_SIZE
            is_tiny = is_low and _size(handle, matrix, raw.FPDFTextObj_GetFontSize) <= MIN_SIZE
            if mode in INVISIBLE or is_clear or is_tiny:
                seen.unseen.append(each)
                continue
            seen.texts.append(each)
            is_layered = with_layers and (depth or raw.FPDFPageObj_CountMarks(handle))
            if is_layered or raw.FPDFPageObj_HasTransparency(handle) or _is_clipped(handle, box):
                seen.doubtful.append(each)


def _size(handle: Any, matrix: pdfium.PdfMatrix, read: Callable[..., Any]) -> float:
    """Return the size of a text, or the width of a line, on the page."""
    size = c_float()
    read(handle, byref(size))
    placed = _matrix(handle).multiply(matrix)
    return float(size.value * (placed.c * placed.c + placed.d * placed.d) ** 0.5)


def _is_clipped(handle: Any, box: _Box) -> bool:
    """Return whether a text may be outside a path to which it is clipped."""
    clip = raw.FPDFPageObj_GetClipPath(handle)
    x, y = c_float(), c_float()
    for path in range(max(raw.FPDFClipPath_CountPaths(clip), 0)):
        points = []
        for number in range(raw.FPDFClipPath_CountPathSegments(clip, path)):
            segment = raw.FPDFClipPath_GetPathSegment(clip, path, number)
            if raw.FPDFPathSegment_GetPoint(segment, byref(x), byref(y)):
                points.append((x.value, y.value))
        if not points:
            return True
        xs, ys = zip(*points, strict=True)
        is_within = min(xs) - TOLERANCE <= box[0] and min(ys) - TOLERANCE <= box[1]
        if not (is_within and max(xs) + TOLERANCE >= box[2] and max(ys) + TOLERANCE >= box[3]):
            return True
    return False


def _covered(texts: list[_Object], covers: list[_Object]) -> list[_Object]:
    """Return the texts before which something may be, or behind which something of their color."""
    high = [each for each in covers if each.box[3] - each.box[1] >= MIN_COVER]
    if len(texts) * len(high) > MOST_PAIRS:
        return texts
    return [
        text
        for text in texts
        if any(
            (cover.order > text.order or cover.color == text.color is not None)
            and _crosses(cover.box, text.box)
            for cover in high
        )
    ]


def _hidden_by_drawing(page: pdfium.PdfPage, texts: list[_Object]) -> frozenset[int]:
    """Return the indexes of the characters of some texts that change nothing on the page."""
    if not texts:
        return frozenset()
    width, height = page.get_size()
    scale = min(1.0, (MOST_PIXELS / max(width * height, 1)) ** 0.5)
    options = {"scale": scale, "grayscale": False, "may_draw_forms": False}
    shown = page.render(**options)
    for text in texts:
        raw.FPDFPageObj_SetIsActive(text.handle, False)
    without = page.render(**options)
    for text in texts:
        raw.FPDFPageObj_SetIsActive(text.handle, True)
    left, right = bytes(shown.buffer), bytes(without.buffer)
    stride, step = shown.stride, shown.stride // shown.width
    handles = {_address(text.handle) for text in texts}
    text_page = page.get_textpage()
    hidden = set()
    for index in range(text_page.count_chars()):
        is_blank = chr(raw.FPDFText_GetUnicode(text_page, index)).isspace()
        if is_blank or _address(raw.FPDFText_GetTextObject(text_page, index)) not in handles:
            continue
        rows, columns = _pixels(page, text_page.get_charbox(index), shown.width, shown.height)
        if all(
            left[start:end] == right[start:end]
            for row in rows
            for start, end in [(row * stride + columns[0] * step, row * stride + columns[1] * step)]
        ):
            hidden.add(index)
    return frozenset(hidden)


def _pixels(
    page: pdfium.PdfPage, box: _Box, width: int, height: int
) -> tuple[range, tuple[int, int]]:
    """Return the rows, and the first and last column, of a box on a drawn page."""
    x, y = c_int(), c_int()
    points = []
    for place in ((box[0], box[1]), (box[2], box[3])):
        raw.FPDF_PageToDevice(page, 0, 0, width, height, 0, *place, byref(x), byref(y))
        points.append((x.value, y.value))
    (left, right), (top, bottom) = (sorted(ends) for ends in zip(*points, strict=True))
    columns = (max(left, 0), min(right + 1, width))
    return range(max(top, 0), min(bottom + 1, height)), columns


def _address(handle: Any) -> int | None:
    return cast(handle, c_void_p).value


def _matrix(handle: Any) -> pdfium.PdfMatrix:
    matrix = raw.FS_MATRIX()
    raw.FPDFPageObj_GetMatrix(handle, byref(matrix))
    return pdfium.PdfMatrix.from_raw(matrix)


def _crosses(cover: _Box, text: _Box) -> bool:
    """Return whether a shape is before the middle of a line."""
    middle = (text[1] + text[3]) / 2
    return cover[0] < text[2] - 1 and cover[2] > text[0] + 1 and cover[1] < middle < cover[3]
