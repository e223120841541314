"""Generate the two long documents: a tide almanac and a lamp log.

The almanac is a harmonic prediction for an invented gauge.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from math import acos, cos, degrees, radians, tan

# (amplitude in metres, phase at the epoch in degrees, speed in degrees per hour)
CONSTITUENTS = (
    (1.243, 112.4, 28.9841042),
    (0.421, 319.7, 30.0),
    (0.247, 91.2, 28.4397295),
    (0.088, 83.0, 15.0410686),
    (0.071, 341.5, 13.9430356),
    (0.064, 204.8, 57.9682084),
)
MEAN_LEVEL = 2.31
DRY_BELOW = 1.9
STEP_MINUTES = 6
EPOCH = datetime(2027, 1, 1, tzinfo=UTC)
FULL_MOON = datetime(2027, 1, 22, 12, 17, tzinfo=UTC)
SYNODIC_DAYS = 29.530588
LATITUDE = 52.5
PHASES = "🌕🌖🌗🌘🌑🌒🌓🌔"

ALMANAC = """\
---
title: Tide almanac 2027, Ferry Stairs 🌊
created: 2026-11-01T12:00:00Z
updated: 2026-11-14T18:00:00Z
---
# Tide almanac 2027, Ferry Stairs 🌊

Predicted by tidebook 2.4.0 from six constituents. Times are UTC, heights metres above chart
datum, ± 0.2 m; *dry* is when the causeway to Saltmarsh Point may be walked by daylight, *lamps*
when ours burn. Read [How to read the almanac](how-to-read.md) first, and look out of the window
last.
"""

LOG = """\
---
title: Lamp log of Saltmarsh Point, 2026 🗼
created: 2026-01-01T08:00:00Z
updated: 2026-11-20T17:55:00Z
---
# Lamp log of Saltmarsh Point, 2026 🗼

Typed from the book in the watch room, mistakes included. 🕯️ means that the reserve lamp was lit.
"""
KEEPERS = ("Mira", "Jonas", "Ελένη", "Sam", "Дарина", "Łukasz", "Noor", "Zoë")
SKIES = (
    "clear, every star out 🌌", "low cloud, loom of Gannet Rock visible", "drizzle", "haze",
    "fog from ten, horn all night 🌫️", "clear and cold", "squalls, spray on the gallery 🌬️",
    "thin cloud, moon through it", "rain, then a sky like washed slate", "still; the sea asleep",
    "hail at two",
)  # fmt: skip
WINDS = ("N", "NNE", "E", "ESE", "SE", "S", "SSW", "SW", "W", "WNW", "NW", "NNW", "calm")
REMARKS = (
    "Lamp steady.", "Polished panels 4 to 6.", "Eleven visitors, one cello. 🎻",
    "A gannet looked in. It did not stay.", "Kettle descaled at last ☕.",
    "Relamped; 38 m of stairs twice.",
    "Class 4b signed the log with a gull. 🐦", "Rotation 0.2 s slow, oiled, now right.",
    "Two seals on the slip 🦭🦭.", "Curtain left open until eleven; the hat is fine.",
    "Read 1903 aloud: the same wind.", "Nobody. Good tea.",
    "Causeway lamps tested, the seventh is dim.",
    "Telephone rang; a wrong number, a nice one.", "𝄞 in the margin, nobody admits it.",
    "🕯️ Reserve lit for 40 minutes, fuse in the watch room.", "Moths, hundreds, red torches out.",
)  # fmt: skip


def almanac() -> str:
    """Return the almanac: a line for each day of 2027, more than 60,000 characters."""
    return ALMANAC + "".join(_almanac_days())


def _almanac_days() -> Iterator[str]:
    for number in range(365):
        day = EPOCH + timedelta(days=number)
        if day.day == 1:
            yield f"\n## {day:%B} {_phase(day)}\n\n"
        tides = "; ".join(_turns(day))
        window = _dry_window(day)
        warning = "" if window else " ⚠️"
        dry = window or "no window by daylight, tea indoors"
        yield f"- **{day:%a %d %b}** {_phase(day)} {tides}{_spring(day)}. *Dry:* {dry}{warning}. "
        yield f"*Lamps lit:* {_lamps(number)}\n"


def height(time: datetime) -> float:
    """Return the height of the tide in metres above chart datum."""
    hours = (time - EPOCH) / timedelta(hours=1)
    return MEAN_LEVEL + sum(a * cos(radians(speed * hours - g)) for a, g, speed in CONSTITUENTS)


def _steps(day: datetime, first_hour: int = 0, last_hour: int = 24) -> list[datetime]:
    count = (last_hour - first_hour) * 60 // STEP_MINUTES
    start = day + timedelta(hours=first_hour)
    return [start + timedelta(minutes=STEP_MINUTES * step) for step in range(count)]


def _turns(day: datetime) -> Iterator[str]:
    step = timedelta(minutes=STEP_MINUTES)
    for time in _steps(day):
        before, now, after = height(time - step), height(time), height(time + step)
        if before < now >= after:
            yield f"high water {time:%H:%M} {now:.1f} m"
        elif before > now <= after:
            yield f"low water {time:%H:%M} {now:.1f} m"


def _dry_window(day: datetime) -> str:
    """Return the first time in daylight for which the causeway is dry for at least an hour."""
    start = None
    for time in [*_steps(day, 8, 18), day + timedelta(hours=18)]:
        is_dry = height(time) < DRY_BELOW and time.hour < 18
        if is_dry and start is None:
            start = time
        elif not is_dry and start is not None:
            if time - start >= timedelta(hours=1):
                return f"from {start:%H:%M} to {time:%H:%M}"
            start = None
    return ""


def _lamps(day_number: int) -> str:
    """Return when the lamp is lit: from ten minutes before sunset to ten minutes after sunrise."""
    declination = -23.44 * cos(radians(360 / 365 * (day_number + 11)))
    half_day = degrees(acos(-tan(radians(LATITUDE)) * tan(radians(declination)))) / 15
    noon = EPOCH + timedelta(hours=12)
    lit = noon + timedelta(hours=half_day) - timedelta(minutes=10)
    out = noon - timedelta(hours=half_day) + timedelta(minutes=10)
    return f"{lit:%H:%M} to {out:%H:%M}"


def _spring(day: datetime) -> str:
    return " 🌊 spring" if max(height(time) for time in _steps(day)) > 3.95 else ""


def _phase(day: datetime) -> str:
    age = ((day - FULL_MOON) / timedelta(days=1)) % SYNODIC_DAYS
    return PHASES[round(age / SYNODIC_DAYS * 8) % 8]


def lamp_log() -> str:
    """Return the lamp log: a line for each night until 20 November 2026."""
    return LOG + "".join(_nights())


def _nights() -> Iterator[str]:
    night = datetime(2026, 1, 1, tzinfo=UTC)
    for number in range(324):
        if night.day == 1:
            yield f"\n## {night:%B}\n\n"
        keeper = KEEPERS[number * 5 % len(KEEPERS)]
        sky = SKIES[number * number * 3 % len(SKIES)]
        wind = WINDS[(number * 7 + number // 9) % len(WINDS)]
        remark = REMARKS[(number * 11 + number // 5) % len(REMARKS)]
        yield f"- {night:%d %b}, {keeper}: wind {wind}, {sky}. {remark}\n"
        night += timedelta(days=1)
