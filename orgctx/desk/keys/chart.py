"""Requests per day as bars."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

# In units of the picture: the distance of days, the width of a bar, the height of the highest bar.
STEP, WIDTH, HEIGHT = 20, 14, 160
# A day without requests is a line.
FLAT = 2


@dataclass(frozen=True)
class Bar:
    """A day and its bar. x, y: the upper left corner."""

    day: date
    count: int
    x: int
    y: int
    height: int


class Chart(NamedTuple):
    """Bars, oldest first, and a sentence that says the same."""

    bars: list[Bar]
    width: int
    height: int
    bar_width: int
    summary: str


def draw(counts: Mapping[date, int]) -> Chart:
    """Draw the bars of some days. counts: by day, oldest first."""
    most = max(counts.values(), default=0)
    bars = []
    for place, (day, count) in enumerate(counts.items()):
        height = max(FLAT, round(HEIGHT * count / most)) if most else FLAT
        bars.append(Bar(day, count, place * STEP, HEIGHT - height, height))
    return Chart(bars, len(counts) * STEP, HEIGHT, WIDTH, _summary(counts, most))


def _summary(counts: Mapping[date, int], most: int) -> str:
    total = sum(counts.values())
    if not total:
        return f"No requests in {len(counts)} days."
    busiest = max(counts, key=lambda day: counts[day])
    requests = "1 request" if total == 1 else f"{total:,} requests"
    return f"{requests} in {len(counts)} days. The most, {most:,}, on {busiest}."
