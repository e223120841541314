"""Write the manifest of a shared drive: names and sizes of files, without contents."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import NamedTuple

PUBLIC_URL = "https://files.harborlights.example"
SINGLES = """\
Brand/Logos/harbor-lights-logo.svg 8123 public
Brand/Logos/harbor-lights-logo-dark.svg 8207 public
Brand/Logos/harbor-lights-mark.png 44210 public
Brand/Logos/λιμάνι-φώτα.svg 8544 public
Brand/Typography/fog-sans.woff2 31240
Brand/Typography/fog-sans-licence.txt 4412
Brand/style-guide.pdf 2210345
Exhibition/Labels/acetylene-valve.odt 18220
Exhibition/Labels/one-old-franc.odt 17998
Exhibition/Labels/tactile-model.odt 18455
Exhibition/Sound/fog-horn-noon.ogg 912334 public
Exhibition/Sound/seal-answer.ogg 401223 public
Exhibition/floor-plan.pdf 650110
Manual/print/keepers-manual-2026.pdf 5120442
Manual/print/keepers-manual-2026-large-type.pdf 6420087
Meetings/2026/2026-09-01 minutes.md 5120
Meetings/2026/2026-10-06 minutes.md 4888
Meetings/2026/2026-11-03 minutes.md 6214
Posters/glove-reunion.svg 120441
Posters/long-exposure-night.pdf 890002
Posters/midsummer-2026.pdf 1240550 public
Software/lanternd/lanternd-1.2.0.tar.gz 88112 public
Software/tidebook/tidebook-2.4.0-py3-none-any.whl 61204 public
Software/tidebook/tidebook-2.4.0.tar.gz 240118 public
Stations/ferry-stairs.toml 812 public
Stations/gannet-rock.toml 798 public
Stations/old-mole.toml 801 public
Stations/saltmarsh-point.toml 840 public
Tours/Maps/causeway-map.pdf 780221 public
Tours/Maps/harbour-walk.pdf 610334 public
Tours/Maps/refuge-box.jpg 230119
Tours/postcard-of-rules.pdf 95311 public
Tours/school-visit-mistakes.ods 22340
Translations/οδηγός.md 41200
Translations/путівник.md 40880
Translations/案内.md 30210
Workshop/bearing-check-2026.xlsx 20991
Workshop/causeway-lamps-readings.csv 18234
Workshop/gland-drawing.dxf 77120
Workshop/spare-parts.ods 31200
read-me-first.txt 611
""".splitlines()

SUBJECTS = ("lamp", "stairs", "gallery", "lens", "fog", "terns", "crew", "door")


class Entry(NamedTuple):
    path: str  # from the root, with slashes
    size: int  # bytes
    is_public: bool
    modified_at: datetime


def entries() -> Iterator[Entry]:
    """Yield all files, in the order of the manifest."""
    first_at = datetime(2026, 2, 1, 9, 0, tzinfo=UTC)
    for number, line in enumerate(SINGLES):
        is_public = line.endswith(" public")
        path, _, size = line.removesuffix(" public").rpartition(" ")
        modified_at = first_at + timedelta(days=number * 7, minutes=number * 13)
        yield Entry(path, int(size), is_public, modified_at)
    opening_at = datetime(2026, 9, 12, 17, 0, tzinfo=UTC)
    for number in range(1, 65):
        subject = SUBJECTS[number * 5 % len(SUBJECTS)]
        path = f"Photos/Open evening 2026/IMG_{4000 + number}-{subject}.jpg"
        taken_at = opening_at + timedelta(minutes=number * 2)
        yield Entry(path, 2_400_000 + number * 91_213 % 1_700_000, number % 8 == 0, taken_at)


def manifest() -> str:
    """Return the files as CSV with a header row."""
    output = StringIO()
    writer = csv.writer(output, lineterminator="\n")
    writer.writerow(("path", "bytes", "public", "publicUrl", "updatedAt"))
    for entry in entries():
        url = f"{PUBLIC_URL}/{entry.path.replace(' ', '%20')}" if entry.is_public else ""
        flag = "true" if entry.is_public else "false"
        writer.writerow(
            (entry.path, entry.size, flag, url, f"{entry.modified_at:%Y-%m-%dT%H:%M:%SZ}")
        )
    return output.getvalue()
