"""Run the load of the soak on a fleet of its own, check every answer and write a summary.

Each part of the fleet is killed and restarted once; the seed decides the order.
"""

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.gameday.run import Outcome, gameday
from tests.gameday.stage import stage
from tests.soak.report import changes_of, table, write
from tests.support.written import written

HEADER = ["at", "part", "down", "all ready again", "window", "failed requests", "last failure"]


def summary(outcome: Outcome) -> Iterable[str]:
    """Return the counts and the faults."""
    counts = {
        "answers": f"{sum(outcome.clients.answers.values()):,}",
        "**wrong, or failed outside of every window**": f"**{outcome.clients.error_count:,}**",
        "**confirmed writes lost**": f"**{len(outcome.lost_writes):,}**",
        "failed within a window": f"{outcome.clients.failed_count:,}",
        "p99 of all answers": f"{outcome.p99_ms:.1f} ms",
        "changes": changes_of(outcome.changes.done),
        "repeated commands": f"{outcome.changes.repeated_count:,}",
    }
    yield from table(["", ""], counts.items())
    yield from table(HEADER, _faults(outcome))


def _faults(outcome: Outcome) -> Iterable[list[str]]:
    for fault in outcome.faults:
        last = f"after {fault.last_failed_at - fault.began_at:.1f} s" if fault.failed_count else ""
        yield [
            f"{fault.began_at - outcome.began_at:.0f} s",
            fault.part.name,
            f"{fault.restarted_at - fault.began_at:.1f} s",
            f"after {fault.ready_at - fault.began_at:.1f} s",
            f"{fault.part.window_seconds:g} s",
            f"{fault.failed_count:,}",
            last,
        ]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.gameday", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, help="file of the summary; default: a temporary one")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        written.begin(Path(folder, "written"))
        with stage(Path(folder)) as fleet:
            seconds = 60 * options.minutes
            outcome = gameday(fleet, Path(folder), seconds=seconds, seed=options.seed)
    errors = [*outcome.clients.errors, *outcome.lost_writes[:20]]
    write("gameday", summary(outcome), errors, options.output)
    return 1 if outcome.clients.error_count or outcome.lost_writes else 0


if __name__ == "__main__":
    sys.exit(main())
