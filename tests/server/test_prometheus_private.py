"""What orgctx uses of prometheus_client beyond its documented parts: numbers that are changed in
place are those that the client would have written, and that it reads."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

# In processes of its own: the client decides on its import where it keeps its values.
PROGRAM = """
import json, os, sys
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.multiprocess import MultiProcessCollector
from orgctx.server.metrics import SECONDS
from orgctx.server.prometheus_private import durations, number

AMOUNTS = [0, *SECONDS, *(each * 1.01 for each in SECONDS), 60]
counter, gauge = Counter("count", "."), Gauge("held", ".", multiprocess_mode="livesum")
by_client = Histogram("by_client", ".", buckets=SECONDS)
in_place = Histogram("in_place", ".", buckets=SECONDS)
count, held, observe = number(counter), number(gauge), durations(in_place, SECONDS)
# So many that each file is mapped anew, larger, beside the views.
for kind in (Counter, Gauge, Histogram):
    many = kind(f"many_{kind.__name__}", "." * 500, ["which"])
    for which in range(400):
        many.labels(str(which))
count[0] += 2
held[0] += 3
held[0] -= 1
for amount in AMOUNTS:
    by_client.observe(amount)
    observe(amount)
if os.fork():
    sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))
registry = CollectorRegistry()
MultiProcessCollector(registry)
found = {}
for family in registry.collect():
    for one in family.samples:
        if not family.name.startswith("many_"):
            found[one.name, one.labels.get("le")] = one.value
assert found["count_total", None] == found["held", None] == 2, found
same = [(name, le) for name, le in found if name.startswith("by_client")]
assert len(same) == len(SECONDS) + 3, same
for name, le in same:
    assert found[name, le] == found[name.replace("by_client", "in_place"), le], (name, le)
assert found["in_place_count", None] == len(AMOUNTS)
os._exit(0)
"""


def test_what_is_changed_in_place_is_what_the_client_reads(tmp_path: Path) -> None:
    environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    grown = [path for path in tmp_path.iterdir() if path.stat().st_size > 1 << 16]
    assert len(grown) == 3, [*tmp_path.iterdir()]
