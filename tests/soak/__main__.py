"""Run minutes of mixed load on servers of its own, check every answer and print a summary.

Clients read over REST and MCP while the command line reloads, approves and withdraws sources, and
issues and revokes keys. `answers` decides which answers are correct.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from orgctx.embedded import servers
from tests.soak.clients import Clients
from tests.soak.run import Outcome, Plan, Sample, soak
from tests.support.deployment import Deployment
from tests.support.written import written


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    options = parser.parse_args()
    with TemporaryDirectory() as name:
        folder = Path(name)
        written.begin(folder / "written")
        with servers(folder / "servers") as running:
            deployment = Deployment(running.database_url, running.redis_url)
            deployment.cli("migrate").done()
            outcome = soak(deployment, folder, Plan(seconds=60 * options.minutes))
    print(*summary(outcome), *outcome.clients.errors, sep="\n")
    return 1 if outcome.clients.errors else 0


def summary(outcome: Outcome) -> Iterable[str]:
    yield from rows(outcome.clients)
    for title, counts in (("changes", outcome.changes), ("stress", outcome.kills)):
        yield f"{title}: {dict(sorted(counts.items()))}"
    # Without the first tenth, in which the workers still grow.
    samples = outcome.samples[len(outcome.samples) // 10 :]
    tenth = max(1, len(samples) // 10)
    for name in Sample._fields:
        values: Sequence[float] = [getattr(each, name) for each in samples]
        begin, end = median(values[:tenth]), median(values[-tenth:])
        yield f"{name}: {begin:,.0f} at first, {end:,.0f} at last, {max(values):,.0f} at most"


def rows(clients: Clients) -> Iterable[str]:
    """Describe what clients counted."""
    seconds = sorted(clients.seconds)
    p99_ms = 1000 * seconds[-len(seconds) // 100]
    yield f"answers: {len(seconds):,}, the 99th percentile in {p99_ms:.0f} ms"
    yield f"of these: {dict(sorted(clients.counts.items()))}"


if __name__ == "__main__":
    sys.exit(main())
