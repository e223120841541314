"""Run minutes of mixed load on servers of its own, check every answer and write a summary.

Clients read over REST and MCP while the command line reloads, approves and
withdraws sources, and issues and revokes keys. `expected` decides which answers are correct.
"""

import argparse
import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from orgctx.cli.database.migrations import migrate
from orgctx.embedded import servers
from tests.soak import report
from tests.soak.run import Plan, soak
from tests.support.deployment import Deployment
from tests.support.redis_servers import cluster
from tests.support.replication import streamed
from tests.support.service import COMMANDS
from tests.support.written import written

# The pause between kills of backends.
STRESS_SECONDS = 1.0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--clients", type=int, default=Plan.clients)
    parser.add_argument("--server", choices=COMMANDS, default="gunicorn")
    parser.add_argument("--redis", choices=["one", "cluster"], default="one")
    parser.add_argument("--replica", action="store_true", help="read from a streaming replica")
    parser.add_argument("--output", type=Path, help="file of the summary; default: a temporary one")
    options = parser.parse_args()
    plan = Plan(
        seconds=60 * options.minutes, clients=options.clients, stress_pause=STRESS_SECONDS,
        server=options.server,
    )  # fmt: skip
    with TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        written.begin(folder / "written")
        running = stack.enter_context(servers(folder / "servers"))
        redis_url, redis_urls = running.redis_url, [running.redis_url]
        if options.redis == "cluster":
            nodes = stack.enter_context(cluster(folder / "redis"))
            redis_url, redis_urls = nodes.url, [each.url for each in nodes.masters]
        database_url, read_url = running.database_url, ""
        if options.replica:
            (folder / "database").mkdir()
            pair = stack.enter_context(streamed(folder / "database", running.redis_url, 1))
            database_url, read_url = (each.url for each in pair)
        migrate(database_url, database_url)
        deployment = Deployment(database_url, redis_url)
        outcome = soak(deployment, folder, plan, read_url, redis_urls)
    report.write("soak", report.summary(outcome), outcome.clients.errors, options.output)
    return 1 if outcome.clients.error_count else 0


if __name__ == "__main__":
    sys.exit(main())
