"""Run minutes of mixed load on servers of its own, check every answer and write a summary.

Clients read over REST and MCP while the command line reloads sources, withdraws and gives
approvals, and issues and revokes keys. `expected` decides which answers are correct.
"""

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
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--clients", type=int, default=Plan.clients)
    options = parser.parse_args()
    plan = Plan(seconds=60 * options.minutes, clients=options.clients)
    with TemporaryDirectory() as folder, servers(Path(folder, "servers")) as running:
        written.begin(Path(folder, "written"))
        deployment = Deployment(running.database_url, running.redis_url)
        migrate(running.database_url, running.database_url)
        outcome = soak(deployment, Path(folder), plan)
    report.write("soak", report.summary(outcome), outcome.errors)
    return 1 if outcome.error_count else 0


if __name__ == "__main__":
    sys.exit(main())
