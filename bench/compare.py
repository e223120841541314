"""orgctx beside its peers: python -m bench.compare [--scale full] [--quick] [--only CASE].

All servers run at once and take turns of a few hundred milliseconds, so that a machine that
slows down slows all of them. A ratio is the median of the ratios of each round. Results go to
bench/results/: a table, the numbers and plots.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from bench import report
from bench.cases import CONNECTIONS, UNKNOWN_KEY, Case, cases
from bench.contenders import PEERS, SERVERS, Contender, running
from bench.dataset import SCALES
from bench.equality import check
from bench.load_generator import BadAnswer, exchange, run
from bench.prepare import prepared
from orgctx.keys import checksum

WARM_SECONDS = 0.3
# The targets concern these cases.
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
    with ExitStack() as stack:
        ready = stack.enter_context(prepared(options.data_dir, options.scale))
        names = [*PEERS, *(name for name in SERVERS if name in options.with_)]
        contenders = [stack.enter_context(running(name, ready)) for name in names]
        chosen = [
            case
            for case in cases(options.scale)
            if not options.only or any(only in case.name for only in options.only)
        ]
        check([case for case in chosen if case.is_everywhere], contenders, ready.key)
        samples = list(_measure(chosen, contenders, ready.key, options))
        memory = {contender.name: contender.worker_mebibytes() for contender in contenders}
    report.write(options.results, samples, memory, names)
    print(options.results.joinpath("results.md").read_text("utf-8"))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", choices=SCALES, default="small")
    parser.add_argument("--seconds", type=float, default=0.5, help="of one turn")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--connections", type=int, nargs="+", default=CONNECTIONS)
    parser.add_argument("--only", nargs="+", metavar="CASE", help="cases whose names hold these")
    parser.add_argument("--with", dest="with_", nargs="+", default=[], choices=SERVERS)
    parser.add_argument("--data-dir", type=Path, default=Path(".orgctx/bench"))
    parser.add_argument("--results", type=Path, default=Path("bench/results"))
    parser.add_argument("--quick", action="store_true", help="a few cases, in some minutes")
    options = parser.parse_args()
    if options.quick:
        options.only = options.only or QUICK
        options.connections = [1, 8]
    return options


def _measure(
    chosen: list[Case], contenders: list[Contender], key: str, options: argparse.Namespace
) -> Iterator[Sample]:
    for case in chosen:
        able = [one for one in contenders if case.is_everywhere or one.is_orgctx]
        requests = {one.name: _request(case, one, key) for one in able}
        for connections in options.connections:
            print(f"{case.name}, {connections} connections", file=sys.stderr, flush=True)
            for number in range(-1, options.rounds):
                # The order changes, so that no server always follows the same one.
                turn = number % len(able)
                for one in able[turn:] + able[:turn]:
                    seconds = options.seconds if number >= 0 else WARM_SECONDS
                    sample = _turn(case, one, requests[one.name], connections, number, seconds)
                    if number >= 0:
                        yield sample


def _request(case: Case, contender: Contender, key: str) -> bytes:
    if case.is_unauthorized:
        return case.request(UNKNOWN_KEY + checksum(UNKNOWN_KEY))
    if not case.is_conditional:
        return case.request(key)
    _, headers, _ = exchange(contender.address, case.request(key))
    return case.request(key, headers["etag"])


def _turn(
    case: Case, one: Contender, request: bytes, connections: int, number: int, seconds: float
) -> Sample:
    before = one.cpu_seconds()
    address = one.address
    try:
        load = run(address, request, status=case.status, connections=connections, seconds=seconds)
    except (BadAnswer, OSError) as error:
        raise BadAnswer(f"{one.name}: {error}") from error
    used = one.cpu_seconds() - before
    return Sample(
        case.name,
        connections,
        one.name,
        number,
        load.requests_per_second,
        load.percentile(0.5),
        load.percentile(0.99),
        used / len(load.latencies) * 1e6,
    )


if __name__ == "__main__":
    sys.exit(main())
