"""What read replicas take off the primary: python -m bench.replicas [--requests 300].

For each case it measures the processor time that the primary and each of two replicas spend on a
request, without replicas and with them. Other work on the machine does not count in that.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlencode

from bench.cases import Case, cases
from bench.dataset import SCALES, identity, records, user
from orgctx.cli.database.migrations import migrate
from orgctx.embedded import servers
from orgctx.stores.replicas import OK
from tests.support.deployment import Deployment
from tests.support.programs import descendants
from tests.support.replication import Server, all_of, streamed
from tests.support.written import written

SCALE = "small"
NAMES = ("small object", "100 messages", "search common", "search rare", "document segment")
PATIENCE_SECONDS = 60


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=300)
    options = parser.parse_args()
    with TemporaryDirectory() as folder, loaded(Path(folder)) as (deployment, key, found):
        read_url = all_of([server.url for server in found[1:]])
        print("| ms of a request | primary | with replicas: primary | each replica |")
        print("|---|---|---|---|")
        for case in cases(SCALE):
            if case.name in NAMES:
                whole, *_ = spent(found, deployment, key, case, options.requests)
                settings = {"database_read_url": read_url}
                first, *others = spent(found, deployment, key, case, options.requests, **settings)
                replica = sum(others) / len(others)
                print(f"| {case.name} | {whole:.2f} | {first:.2f} | {replica:.2f} |", flush=True)


@contextmanager
def loaded(folder: Path) -> Iterator[tuple[Deployment, str, tuple[Server, ...]]]:
    """A primary with the data of the benches, a key to them, and all servers."""
    written.begin(folder / "written")
    with (
        servers(folder / "redis", durable=False, database_url="given") as running,
        streamed(folder / "servers", running.redis_url, 2) as found,
    ):
        url = found[0].url
        migrate(url, url)
        deployment = Deployment(url, running.redis_url)
        deployment.load(records(SCALE))
        found[0].execute("VACUUM (ANALYZE)")
        for number in range(1, SCALES[SCALE][0] + 1):
            deployment.approve(identity(number), user(number))
        yield deployment, deployment.issue_key(identity(1), user(1)), found


def spent(
    found: tuple[Server, ...],
    deployment: Deployment,
    key: str,
    case: Case,
    requests: int,
    **settings: Any,
) -> list[float]:
    """The processor time of each server for a request, in milliseconds."""
    with deployment.app(log_level="CRITICAL", **settings) as app:
        client, headers = app.test_client(), {"Authorization": f"Bearer {key}"}

        def ask(count: int) -> None:
            for _ in range(count):
                answer = client.get(f"{case.path}?{urlencode(case.query)}", headers=headers)
                assert answer.status_code == 200

        until = monotonic() + PATIENCE_SECONDS
        while {*client.get("/readyz").json.get("replicas", ())} - {OK}:
            assert monotonic() < until, "a replica does not follow"
            sleep(0.1)
        # The first requests open connections and prepare statements.
        ask(20)
        before = [processor_seconds(server) for server in found]
        ask(requests)
        after = [processor_seconds(server) for server in found]
    return [(then - first) / requests * 1e3 for first, then in zip(before, after, strict=True)]


def processor_seconds(server: Server) -> float:
    """What the processes of a server have spent."""
    first = int((server.directory / "postmaster.pid").read_text().split()[0])
    ticks = 0
    for pid in (first, *descendants(first)):
        _, _, rest = Path(f"/proc/{pid}/stat").read_text().rpartition(")")
        ticks += sum(map(int, rest.split()[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
