"""Previews of stored text, of bounded length."""

from __future__ import annotations

PREVIEW_LENGTH = 240
ELLIPSIS = "…"


def collapse(text: str) -> str:
    """Replace runs of white space by one space and strip both ends."""
    return " ".join(text.split())


def preview(text: str, length: int = PREVIEW_LENGTH) -> str:
    """Return the first code points of the collapsed text; the last is `…` if it was cut."""
    collapsed = collapse(text)
    return collapsed if len(collapsed) <= length else collapsed[: length - 1] + ELLIPSIS


def centred(before: str, match: str, after: str, *, starts: bool = True, ends: bool = True) -> str:
    """Return a preview with the match in its middle and `…` at each end that was cut.

    starts, ends: whether `before` begins and `after` ends where the text does.
    """
    left, middle, right = collapse(before), collapse(match), collapse(after)
    if left and (middle or right) and (before[-1].isspace() or match[:1].isspace()):
        left += " "
    if right and middle and (match[-1].isspace() or after[0].isspace()):
        right = " " + right
    room = max(0, PREVIEW_LENGTH - len(middle))
    take_left = min(len(left), max(room // 2, room - len(right)))
    take_right = min(len(right), room - take_left)
    text = (left[len(left) - take_left :] + middle + right[:take_right])[:PREVIEW_LENGTH]
    cut_left = take_left < len(left) or not starts
    cut_right = take_right < len(right) or len(middle) > PREVIEW_LENGTH or not ends
    if cut_left:
        text = ELLIPSIS + (text[1:] if len(text) >= PREVIEW_LENGTH else text)
    if cut_right:
        text = (text[:-1] if len(text) >= PREVIEW_LENGTH else text) + ELLIPSIS
    return text
