"""Others beside clients that stop: python -m bench.slow_clients [--scale full] [--clients 20].

Requests a second at 8 connections, in turns without and with clients that have sent half a
request and wait; the median of the ratios of each round.
"""

from __future__ import annotations

import argparse
import socket
import sys
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from bench.cases import Case, cases
from bench.contenders import PEERS, SERVERS, Contender, running
from bench.dataset import SCALES
from bench.load_generator import run
from bench.prepare import prepared

CONNECTIONS = 8
HALVES = {
    "half a head": b"GET /api/v1/sources HTTP/1.1\r\nHost: a\r\nX-A: ",
    "half a message": b"POST /api/mcp HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf",
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", choices=SCALES, default="small")
    parser.add_argument("--server", choices=PEERS | SERVERS, default="orgctx")
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--data-dir", type=Path, default=Path(".orgctx/bench"))
    options = parser.parse_args()
    with (
        prepared(options.data_dir, options.scale) as ready,
        running(options.server, ready) as contender,
    ):
        (case,) = (case for case in cases(options.scale) if case.name == "50 messages")
        for name, half in HALVES.items():
            ratios = [
                _ratio(contender, case, ready.key, half, options) for _ in range(options.rounds + 1)
            ]
            # The first round warms up.
            print(f"{options.clients} clients, {name}: {median(ratios[1:]):.2f} of the requests")
    return 0


def _ratio(
    contender: Contender, case: Case, key: str, half: bytes, options: argparse.Namespace
) -> float:
    without = _throughput(contender, case, key, options.seconds)
    with ExitStack() as stack:
        for _ in range(options.clients):
            client = socket.create_connection(contender.address)
            stack.enter_context(client).sendall(half)
        return _throughput(contender, case, key, options.seconds) / without


def _throughput(contender: Contender, case: Case, key: str, seconds: float) -> float:
    load = run(
        contender.address,
        case.request(key),
        status=case.status,
        connections=CONNECTIONS,
        seconds=seconds,
    )
    return load.requests_per_second


if __name__ == "__main__":
    sys.exit(main())
