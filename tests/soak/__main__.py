"""The command: runs a soak on servers of its own and writes what came of it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from orgctx.cli.database.migrations import migrate
from orgctx.embedded import servers
from tests.soak import report
from tests.soak.run import Plan, soak
from tests.support.deployment import Deployment
from tests.support.written import written


def main() -> int:
    options = _options()
    plan = Plan(seconds=60 * options.minutes, clients=options.clients)
    with TemporaryDirectory() as folder, servers(Path(folder, "servers")) as running:
        written.begin(Path(folder, "written"))
        deployment = Deployment(running.database_url, running.redis_url)
        migrate(running.database_url, running.database_url)
        outcome = soak(deployment, Path(folder), plan)
    report.write(outcome, options.results, options.docs)
    print(options.docs.joinpath("soak.md").read_text("utf-8"))
    return 1 if outcome.wrongs else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--clients", type=int, default=Plan.clients)
    parser.add_argument("--results", type=Path, default=Path("bench/results"), help="for the JSON")
    parser.add_argument("--docs", type=Path, default=Path("bench/results"), help="for the rest")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
