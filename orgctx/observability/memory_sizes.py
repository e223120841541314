"""The memory of processes, as Linux counts it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

PROPORTIONAL = re.compile(r"^Pss:\s+(\d+) kB$", re.MULTILINE)


def proportional_bytes(pids: Iterable[int]) -> list[int]:
    """Return the proportional set size of each process; those that have ended are left out."""
    sizes = []
    for pid in pids:
        with suppress(OSError):
            text = Path(f"/proc/{pid}/smaps_rollup").read_text()
            sizes += [int(kilobytes) * 1024 for kilobytes in PROPORTIONAL.findall(text)]
    return sizes
