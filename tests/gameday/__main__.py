"""Run the load of the soak on a fleet of its own, check every answer and write a summary.

Each part of the fleet is killed and restarted once; the seed decides the order.
"""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.gameday.report import summary
from tests.gameday.run import Plan, gameday
from tests.gameday.stage import stage
from tests.soak.report import write
from tests.support.written import written


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.gameday", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=Plan.seed)
    parser.add_argument("--output", type=Path, help="file of the summary; default: a temporary one")
    options = parser.parse_args()
    plan = Plan(seconds=60 * options.minutes, seed=options.seed)
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        written.begin(Path(folder, "written"))
        with stage(Path(folder)) as fleet:
            outcome = gameday(fleet, Path(folder), plan)
    errors = [*outcome.errors, *outcome.lost_writes[:20]]
    write("gameday", summary(outcome), errors, options.output)
    return 1 if outcome.error_count or outcome.lost_writes else 0


if __name__ == "__main__":
    sys.exit(main())
