"""What metrics cost a request: python -m bench.metrics [--rounds N].

Two servers, one with ORGCTX_METRICS_BIND and one without, take turns of a few hundred
milliseconds; both log as in production. Printed are the medians of the processor time of a
request, and the median of the ratios of each round: a noisy machine needs more rounds.
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
from bench.prepare import prepared

SCALE, CASE = "small", "small object"
CONNECTIONS = 8


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=0.5, help="of one turn")
    parser.add_argument("--data-dir", type=Path, default=Path(".orgctx/bench"))
    options = parser.parse_args()
    (case,) = (one for one in cases(SCALE) if one.name == CASE)
    with ExitStack() as stack:
        ready = stack.enter_context(prepared(options.data_dir, SCALE))
        measured = ready.environment | {"ORGCTX_METRICS_BIND": f"127.0.0.1:{_free_port()}"}
        off = stack.enter_context(running("orgctx", ready))
        on = stack.enter_context(running("orgctx", replace(ready, environment=measured)))
        request = case.request(ready.key)
        for server in (off, on):
            _cpu_us(server, request, options.seconds)
        rounds = [
            {one: _cpu_us(one, request, options.seconds) for one in order}
            for order in [[off, on], [on, off]] * (options.rounds // 2)
        ]
    without, with_ = (median(one[server] for one in rounds) for server in (off, on))
    ratios = sorted(one[on] / one[off] for one in rounds)
    quarter = len(ratios) // 4
    print(
        f"{CASE}: {without:.0f} µs of a processor without metrics, {with_:.0f} µs with; ratio"
        f" {median(ratios):.3f} (middle half {ratios[quarter]:.3f} to {ratios[-1 - quarter]:.3f})"
    )
    return 0


def _cpu_us(server: Contender, request: bytes, seconds: float) -> float:
    before = server.cpu_seconds()
    load = run(server.address, request, status=200, connections=CONNECTIONS, seconds=seconds)
    return (server.cpu_seconds() - before) / len(load.latencies) * 1e6


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    return port


if __name__ == "__main__":
    sys.exit(main())
