"""The command: runs a game day on a fleet of its own and writes what came of it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.gameday import __doc__ as described
from tests.gameday import report
from tests.gameday.run import Plan, gameday
from tests.gameday.stage import stage
from tests.support.written import written


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.gameday", description=described)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=Plan.seed)
    parser.add_argument("--docs", type=Path, default=Path("bench/results"))
    options = parser.parse_args()
    plan = Plan(seconds=60 * options.minutes, seed=options.seed)
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        written.begin(Path(folder, "written"))
        with stage(Path(folder)) as found:
            outcome = gameday(found, Path(folder), plan)
    report.write(outcome, options.docs)
    print(options.docs.joinpath("gameday.md").read_text("utf-8"))
    for text in [*outcome.wrong, *outcome.lost[:20]]:
        print(text, file=sys.stderr)
    return 1 if outcome.wrongs or outcome.lost else 0


if __name__ == "__main__":
    sys.exit(main())
