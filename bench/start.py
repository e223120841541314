"""Measure a cold start, as medians of separate processes: python -m bench.start [--runs N]."""

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
COMMANDS = {
    "python -c ''": ["-c", ""],
    "import orgctx.app and create_app": ["-c", "from orgctx.app import create_app; create_app()"],
    "orgctx --help": ["-m", "orgctx.cli", "--help"],
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9)
    runs = parser.parse_args().runs
    for name, arguments in COMMANDS.items():
        print(f"{name}: {median(_seconds(arguments) for _ in range(runs)):.3f} s")
    return 0


def _seconds(arguments: list[str]) -> float:
    began_at = perf_counter()
    environment = os.environ | ENVIRONMENT
    command = [sys.executable, *arguments]
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - began_at


if __name__ == "__main__":
    sys.exit(main())
