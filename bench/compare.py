"""Compare orgctx with its peers, or with another commit: python -m bench.compare [--quick].

`--against PATH` measures another checkout of orgctx instead of the peers, for example one that
`git worktree add PATH HEAD~1` made. Both checkouts read the same database, so their schemas must
be compatible.

All servers run at the same time and take turns of half a second, so a machine that slows down
slows down all of them. A ratio is the median of the ratios of all rounds.
"""

import argparse
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path

from bench import bill, report
from bench.cases import CONNECTIONS, UNKNOWN_KEY, Case, cases
from bench.dataset import SCALES
from bench.equality import check
from bench.load_generator import BadAnswer, Load, exchange, run
from bench.prepare import Prepared, prepared
from bench.server_process import CORES, ORGCTX, PEERS, SERVERS, ServerProcess, running
from orgctx.key_format import checksum

WARM_SECONDS = 0.3
OTHER = "other checkout"
# docs/performance.md states targets for these cases.
QUICK = ["small object", "50 messages", "context", "304", "search common", "tools/call"]


@dataclass(frozen=True)
class Sample:
    """One turn of one server."""

    case: str
    connections: int
    server: str
    round: int
    requests_per_second: float
    p50_ms: float
    p99_ms: float
    cpu_us: float


def main() -> int:
    options = _options()
    chosen = [
        case
        for case in cases(options.scale)
        if not options.only or any(part in case.name for part in options.only)
    ]
    with ExitStack() as stack:
        data = stack.enter_context(prepared(options.scale))
        peers = bill.SERVERS if options.bill else [] if options.against else PEERS
        names = ["orgctx", *peers, *options.with_]
        starts = [running(SERVERS[name], data, name, workers=options.workers) for name in names]
        if options.against:
            launch = ORGCTX["orgctx"]
            starts.append(running(launch, data, OTHER, options.against, options.workers))
        servers = [stack.enter_context(start) for start in starts]
        check(chosen, servers, data.key)
        if options.bill:
            _print_bills(data, servers, chosen, options)
            return 0
        samples = list(_measure(chosen, servers, data.key, options))
        memory = {server.name: server.worker_mebibytes() for server in servers}
    print(report.write(options.results, samples, memory))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--scale", choices=SCALES, default="small", help="size of the data set")
    parser.add_argument("--seconds", type=float, default=0.5, help="length of one turn")
    parser.add_argument("--rounds", type=int, default=5, help="turns of each server")
    parser.add_argument("--connections", type=int, nargs="+", default=CONNECTIONS)
    parser.add_argument("--workers", type=int, default=CORES, help="of each server")
    parser.add_argument("--only", nargs="+", metavar="TEXT", help="cases whose names contain these")
    parser.add_argument("--quick", action="store_true", help="six cases, 1 and 8 connections")
    parser.add_argument("--bill", action="store_true", help="what each process spends on a request")
    parser.add_argument("--against", type=Path, metavar="PATH", help="another checkout of orgctx")
    parser.add_argument("--with", dest="with_", nargs="+", default=[], choices=[*ORGCTX][1:])
    parser.add_argument("--results", type=Path, default=Path("dist/bench"), help="output folder")
    options = parser.parse_args()
    if options.quick or options.bill:
        options.only = options.only or (bill.CASES if options.bill else QUICK)
        options.connections = [1, 8]
    return options


def _print_bills(
    data: Prepared, servers: list[ServerProcess], chosen: list[Case], options: argparse.Namespace
) -> None:
    print(*(f"{name}: {value}  " for name, value in report.machine().items()), sep="\n")
    for case, connections in product(chosen, options.connections):
        print(f"\n## {case.name}, {connections} connections\n", flush=True)
        load = partial(_load, case, data.key, connections)
        lines = bill.bill(data, servers, load, options.rounds, options.seconds)
        print(*lines, sep="\n", flush=True)


def _load(case: Case, key: str, connections: int, server: ServerProcess, seconds: float) -> Load:
    return run(
        server.address,
        _request(case, server, key),
        status=case.status,
        connections=connections,
        seconds=seconds,
    )


def _measure(
    chosen: list[Case], servers: list[ServerProcess], key: str, options: argparse.Namespace
) -> Iterator[Sample]:
    for case in chosen:
        able = [server for server in servers if case.is_for(server)]
        requests = {server.name: _request(case, server, key) for server in able}
        for connections in options.connections:
            print(f"{case.name}, {connections} connections", file=sys.stderr, flush=True)
            for number in range(-1, options.rounds):
                # The order rotates, so that no server always follows the same one.
                first = number % len(able)
                for server in able[first:] + able[:first]:
                    seconds = options.seconds if number >= 0 else WARM_SECONDS
                    request = requests[server.name]
                    sample = _turn(case, server, request, connections, number, seconds)
                    if number >= 0:
                        yield sample


def _request(case: Case, server: ServerProcess, key: str) -> bytes:
    if case.is_unauthorized:
        return case.request(UNKNOWN_KEY + checksum(UNKNOWN_KEY))
    if not case.is_conditional:
        return case.request(key)
    _, headers, _ = exchange(server.address, case.request(key))
    return case.request(key, headers["etag"])


def _turn(
    case: Case, server: ServerProcess, request: bytes, connections: int, number: int, seconds: float
) -> Sample:
    cpu_seconds = server.cpu_seconds()
    try:
        load = run(
            server.address, request, status=case.status, connections=connections, seconds=seconds
        )
    except (BadAnswer, OSError) as error:
        raise BadAnswer(f"{server.name}: {error}") from error
    return Sample(
        case.name,
        connections,
        server.name,
        number,
        load.requests_per_second,
        load.percentile(0.5),
        load.percentile(0.99),
        (server.cpu_seconds() - cpu_seconds) / len(load.latencies) * 1e6,
    )


if __name__ == "__main__":
    sys.exit(main())
