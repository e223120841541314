"""Lines over seconds, as SVG: charts of the same width, one below the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

COLORS = ("#1b6ca8", "#c8553d", "#e0a458", "#7d8491", "#588157", "#8e5ea2", "#3b9c9c", "#b2677f")
LEFT, WIDTH, HEIGHT, GAP = 60, 620, 110, 40


class Line(NamedTuple):
    name: str
    values: Sequence[float]


class Span(NamedTuple):
    """A time that is marked in every chart. begin, end: in seconds."""

    name: str
    begin: float
    end: float


def chart(
    charts: Mapping[str, Sequence[Line]], seconds: Sequence[float], spans: Sequence[Span] = ()
) -> str:
    """The axis of each chart begins at zero. seconds: when each value was taken."""
    end = max(seconds, default=1) or 1
    parts = [
        _one(title, lines, seconds, end, 30 + place * (HEIGHT + GAP))
        for place, (title, lines) in enumerate(charts.items())
    ]
    parts += [_mark(span, end, len(charts), place) for place, span in enumerate(spans)]
    height = 30 + len(charts) * (HEIGHT + GAP) + (14 * len(spans) + GAP if spans else 0)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 {height}" '
        f'font-family="sans-serif" font-size="11"><rect width="800" height="{height}" fill="#fff"/>'
        f"{''.join(parts)}</svg>\n"
    )


def _mark(span: Span, end: float, charts: int, place: int) -> str:
    """Draw bands over all charts, with the name below."""
    left, width = LEFT + WIDTH * span.begin / end, WIDTH * (span.end - span.begin) / end
    bottom = 30 + charts * (HEIGHT + GAP)
    bands = "".join(
        f'<rect x="{left:.1f}" y="{30 + number * (HEIGHT + GAP)}" width="{max(1.0, width):.1f}" '
        f'height="{HEIGHT}" fill="#c8553d" opacity="0.2"/>'
        for number in range(charts)
    )
    y = bottom + 14 * place
    return (
        f'{bands}<path d="M{left:.1f} {bottom - GAP}V{y}" stroke="#c8553d" stroke-width="0.5"/>'
        f'<text x="{left + 3:.1f}" y="{y}" fill="#c8553d">{escape(span.name)}</text>'
    )


def _one(title: str, lines: Sequence[Line], seconds: Sequence[float], end: float, top: int) -> str:
    most = max((value for line in lines for value in line.values), default=0) or 1
    bottom = top + HEIGHT
    parts = [
        f'<text x="{LEFT}" y="{top - 8}" font-size="13">{escape(title)}</text>',
        f'<path d="M{LEFT} {top}V{bottom}H{LEFT + WIDTH}" fill="none" stroke="#999"/>',
        f'<text x="{LEFT - 5}" y="{top + 8}" text-anchor="end">{most:,.0f}</text>',
        f'<text x="{LEFT - 5}" y="{bottom}" text-anchor="end">0</text>',
        f'<text x="{LEFT + WIDTH}" y="{bottom + 14}" text-anchor="end">{end:,.0f} s</text>',
    ]
    for place, line in enumerate(lines):
        color = COLORS[place % len(COLORS)]
        points = " ".join(
            f"{LEFT + WIDTH * at / end:.1f},{bottom - HEIGHT * value / most:.1f}"
            for at, value in zip(seconds, line.values, strict=True)
        )
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="1.2"/>'
        )
        y = top + 10 + 14 * place
        parts.append(
            f'<text x="{LEFT + WIDTH + 10}" y="{y}" fill="{color}">{escape(line.name)}</text>'
        )
    return "".join(parts)
