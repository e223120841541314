"""What metrics cost a request: python -m bench.metrics [--starts N] [--rounds N].

One server, which logs as in production, counts in turns and does not in others, of a few hundred
milliseconds each: of two servers one may be faster than its twin for as long as both live. Printed
are the medians of the processor time of a request without and with metrics, the median of the
differences and of the ratios of all rounds, and the lowest and highest median ratio of a start: how
far to trust it. On a busy machine each request takes longer, and so do metrics.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import sleep

from bench.cases import cases
from bench.contenders import Contender, running
from bench.load_generator import run
from bench.prepare import Prepared, prepared

SCALE, CASE = "small", "small object"
CONNECTIONS = 8
OFF, ON = signal.SIGUSR1, signal.SIGUSR2
SWITCH_SECONDS = 0.05
# Microseconds of a request without metrics and with.
Round = tuple[float, float]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--starts", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=50, help="of each start")
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
    added = median(with_ - without for without, with_ in rounds)
    ratios = [_ratio(start) for start in starts]
    print(
        f"{CASE}: {without:.0f} µs of a processor without metrics, {with_:.0f} µs with; they add"
        f" {added:.1f} µs, ratio {_ratio(rounds):.4f}"
        f" (of {len(starts)} starts {min(ratios):.4f} to {max(ratios):.4f})"
    )
    return 0


def _start(ready: Prepared, request: bytes, rounds: int, seconds: float) -> list[Round]:
    """Start the server and measure it off and on in turn, each as often first as second."""
    # Nobody asks this address, because only the cost of a request is measured.
    measured = ready.environment | {"ORGCTX_METRICS_BIND": "127.0.0.1:9"}
    with running("metrics switched", replace(ready, environment=measured)) as server:
        for state in (OFF, ON):
            _cpu_us(server, state, request, seconds)
        found = [
            {state: _cpu_us(server, state, request, seconds) for state in order}
            for order in [[OFF, ON], [ON, OFF]] * (rounds // 2)
        ]
    return [(one[OFF], one[ON]) for one in found]


def _ratio(rounds: list[Round]) -> float:
    return median(with_ / without for without, with_ in rounds)


def _cpu_us(server: Contender, state: signal.Signals, request: bytes, seconds: float) -> float:
    for worker in server.pids()[1:]:
        os.kill(worker, state)
    sleep(SWITCH_SECONDS)
    before = _cpu_nanoseconds(server)
    load = run(server.address, request, status=200, connections=CONNECTIONS, seconds=seconds)
    return (_cpu_nanoseconds(server) - before) / len(load.latencies) / 1e3


def _cpu_nanoseconds(server: Contender) -> int:
    """Of its processes, which have one thread each; ticks are too coarse for a short turn."""
    return sum(int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) for pid in server.pids())


if __name__ == "__main__":
    sys.exit(main())
