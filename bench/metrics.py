"""What metrics cost a request: python -m bench.metrics [--starts N] [--rounds N].

Two servers, one with ORGCTX_METRICS_BIND and one without, take turns of a few hundred
milliseconds; both log as in production. One process may be faster than its twin for as long as it
lives, so both are started several times. Printed are the medians of the processor time of a
request, the median of the ratios of all rounds, and the lowest and highest median of a start: how
far to trust it.
"""

from __future__ import annotations

import argparse
import socket
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from statistics import median

from bench.cases import cases
from bench.contenders import Contender, running
from bench.load_generator import run
from bench.prepare import Prepared, prepared

SCALE, CASE = "small", "small object"
CONNECTIONS = 8
# Microseconds of a request without metrics and with.
Round = tuple[float, float]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--starts", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=20, help="of each start")
    parser.add_argument("--seconds", type=float, default=0.3, help="of one turn")
    parser.add_argument("--data-dir", type=Path, default=Path(".orgctx/bench"))
    options = parser.parse_args()
    (case,) = (one for one in cases(SCALE) if one.name == CASE)
    with prepared(options.data_dir, SCALE) as ready:
        request = case.request(ready.key)
        starts = [
            _start(ready, request, options.rounds, options.seconds) for _ in range(options.starts)
        ]
    rounds = [one for start in starts for one in start]
    without, with_ = (median(column) for column in zip(*rounds, strict=True))
    medians = [_ratio(start) for start in starts]
    print(
        f"{CASE}: {without:.0f} µs of a processor without metrics, {with_:.0f} µs with; ratio"
        f" {_ratio(rounds):.3f} (of {len(starts)} starts {min(medians):.3f} to {max(medians):.3f})"
    )
    return 0


def _start(ready: Prepared, request: bytes, rounds: int, seconds: float) -> list[Round]:
    """Start both servers and measure them in turn, each as often first as second."""
    measured = ready.environment | {"ORGCTX_METRICS_BIND": f"127.0.0.1:{_free_port()}"}
    with ExitStack() as stack:
        off = stack.enter_context(running("orgctx", ready))
        on = stack.enter_context(running("orgctx", replace(ready, environment=measured)))
        for server in (off, on):
            _cpu_us(server, request, seconds)
        found = [
            {one: _cpu_us(one, request, seconds) for one in order}
            for order in [[off, on], [on, off]] * (rounds // 2)
        ]
    return [(one[off], one[on]) for one in found]


def _ratio(rounds: list[Round]) -> float:
    return median(with_ / without for without, with_ in rounds)


def _cpu_us(server: Contender, request: bytes, seconds: float) -> float:
    before = _cpu_nanoseconds(server)
    load = run(server.address, request, status=200, connections=CONNECTIONS, seconds=seconds)
    return (_cpu_nanoseconds(server) - before) / len(load.latencies) / 1e3


def _cpu_nanoseconds(server: Contender) -> int:
    """Of its processes, which have one thread each; ticks are too coarse for a short turn."""
    return sum(int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) for pid in server.pids())


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    return port


if __name__ == "__main__":
    sys.exit(main())
