"""What a start costs: python -m bench.start [--runs N].

Medians of processes of their own; the memory of a worker is read by bench.compare.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from statistics import median
from time import perf_counter

ENVIRONMENT = {
    "ORGCTX_DATABASE_URL": "postgresql://nobody@127.0.0.1/none",
    "ORGCTX_REDIS_URL": "redis://127.0.0.1:1",
}
# The process itself prints it, so that the start of Python does not count.
CREATE_APP = """
from time import perf_counter
began = perf_counter()
from orgctx.app import create_app
create_app()
print(perf_counter() - began)
"""
COMMANDS = {
    "an empty Python": ["-c", ""],
    "orgctx --help": ["-m", "orgctx.cli", "--help"],
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9)
    runs = range(parser.parse_args().runs)
    inside = median(float(_run(["-c", CREATE_APP])) for _ in runs)
    print(f"import orgctx.app and create_app: {inside:.3f} s")
    for name, command in COMMANDS.items():
        print(f"{name}: {median(_timed(command) for _ in runs):.3f} s")
    return 0


def _timed(command: list[str]) -> float:
    began = perf_counter()
    _run(command)
    return perf_counter() - began


def _run(command: list[str]) -> bytes:
    environment = os.environ | ENVIRONMENT
    return subprocess.run(
        [sys.executable, *command], env=environment, check=True, stdout=subprocess.PIPE
    ).stdout


if __name__ == "__main__":
    sys.exit(main())
