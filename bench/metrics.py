"""Measure what metrics add to a request: python -m bench.metrics [--starts N] [--rounds N].

Two servers, one of them with metrics, take turns of a few hundred milliseconds. One of two equal
servers may be faster as long as it lives, so both start several times. The output is the processor
time of a request without and with metrics, the median ratio of all rounds, and the lowest and
highest median ratio of a start, which shows how far to trust it.
"""

import argparse
import sys
from contextlib import ExitStack
from statistics import median

from bench.cases import cases
from bench.load_generator import run
from bench.prepare import Prepared, prepared
from bench.server_process import ORGCTX, ServerProcess, running

SCALE, CASE = "small", "small object"
CONNECTIONS = 8
NAMES = ("orgctx", "with metrics")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--starts", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=30, help="turns of each server in a start")
    parser.add_argument("--seconds", type=float, default=0.3, help="length of one turn")
    options = parser.parse_args()
    (case,) = (case for case in cases(SCALE) if case.name == CASE)
    with prepared(SCALE) as data:
        request = case.request(data.key)
        starts = [
            _start(data, request, options.rounds, options.seconds) for _ in range(options.starts)
        ]
    rounds = [each for start in starts for each in start]
    without, with_ = (median(column) for column in zip(*rounds, strict=True))
    ratios = sorted(_ratio(start) for start in starts)
    print(
        f"{CASE}: {without:.0f} µs of processor time without metrics, {with_:.0f} µs with them;"
        f" ratio {_ratio(rounds):.3f}, in {len(starts)} starts {ratios[0]:.3f} to {ratios[-1]:.3f}"
    )
    return 0


def _start(data: Prepared, request: bytes, rounds: int, seconds: float) -> list[tuple[float, ...]]:
    """Start both servers and measure them in turns."""
    with ExitStack() as stack:
        servers = [stack.enter_context(running(ORGCTX[name], data, name)) for name in NAMES]
        for server in servers:
            _cpu_us(server, request, seconds)
        return [
            tuple(_cpu_us(server, request, seconds) for server in servers) for _ in range(rounds)
        ]


def _ratio(rounds: list[tuple[float, ...]]) -> float:
    return median(with_ / without for without, with_ in rounds)


def _cpu_us(server: ServerProcess, request: bytes, seconds: float) -> float:
    before = server.cpu_seconds()
    load = run(server.address, request, status=200, connections=CONNECTIONS, seconds=seconds)
    return (server.cpu_seconds() - before) / len(load.latencies) * 1e6


if __name__ == "__main__":
    sys.exit(main())
