"""What answers cost on Citus: python -m bench.citus [--rounds 40].

The same data in two databases of one coordinator's server, one of them distributed. Every
operation, plain and with terms, is asked of both in turn. Printed are the medians and their ratio.
The cluster is that of ORGCTX_TEST_CITUS_URL.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import psycopg

from bench import cluster
from bench.dataset import SCALES, identity, records, user
from bench.report import machine, table
from bench.scale import Asked
from orgctx.cli.database.migrations import migrate
from orgctx.embedded import servers
from tests.support import citus
from tests.support.deployment import Deployment
from tests.support.written import written

SCALE = "small"
# Not counted: connections are opened and statements prepared.
FIRST_ROUNDS = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=40)
    options = parser.parse_args()
    for name, value in machine("bench.citus").items():
        print(f"{name}: {value}  ")
    with both() as (one, many):
        rows = [
            [name, f"{here:.2f}", f"{there:.2f}", f"{there / here:.2f}"]
            for name, here, there in measured(one, many, options.rounds)
        ]
    print("\n".join(["", *table(["request", "one server, ms", "Citus, ms", "times"], rows)]))


@contextmanager
def both() -> Iterator[tuple[Asked, Asked]]:
    """A service on one server, and one on the cluster."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        written.begin(folder / "written")
        redis = [
            stack.enter_context(servers(folder / name, durable=False, database_url="given"))
            for name in ("one", "many")
        ]
        here = stack.enter_context(citus.database(None, citus.servers()[-1:]))
        migrate(here, here)
        there, service = stack.enter_context(cluster.distributed())
        one = Deployment(here, redis[0].redis_url)
        many = Deployment(service, redis[1].redis_url, there)
        yield asked(stack, one, is_distributed=False), asked(stack, many, is_distributed=True)


def asked(stack: ExitStack, deployment: Deployment, *, is_distributed: bool) -> Asked:
    """A service on this deployment, loaded and approved."""
    deployment.load(records(SCALE))
    for number in range(1, SCALES[SCALE][0] + 1):
        deployment.approve(identity(number), user(number))
    with psycopg.connect(deployment.admin_url, autocommit=True) as connection:
        connection.execute("VACUUM (ANALYZE)")
    key = deployment.issue_key(identity(1), user(1))
    app = stack.enter_context(deployment.app(log_level="CRITICAL"))
    return Asked(app.test_client(), key, deployment.database_url, is_distributed)


def measured(one: Asked, many: Asked, rounds: int) -> Iterator[tuple[str, float, float]]:
    """Each request with its medians, in milliseconds."""
    requests = dict(one.requests())
    times: dict[tuple[str, Any], list[float]] = {}
    for _ in range(rounds + FIRST_ROUNDS):
        for name, path in requests.items():
            for service in (one, many):
                times.setdefault((name, service), []).append(service.milliseconds(path))
    for name in requests:
        here, there = (median(times[name, each][FIRST_ROUNDS:]) for each in (one, many))
        yield name, here, there


if __name__ == "__main__":
    main()
