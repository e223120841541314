"""How fast a bundle loads, and in how much memory: python -m bench.load [--messages 1000000],
or --documents MEGABYTES of Markdown instead.

Starts a PostgreSQL of its own with the durability that it ships with, loads the
same file twice through `orgctx load`, and prints messages or megabytes a second
with the processor time and the peak memory of the loading process.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from orgctx.cli.database.migrations import migrate
from orgctx.embedded import servers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--documents", type=float, metavar="MEGABYTES")
    given = parser.parse_args()
    what, unit = ("documents", "MB") if given.documents else ("messages", "messages")
    number = getattr(given, what)
    with TemporaryDirectory() as folder, servers(Path(folder, "servers")) as running:
        migrate(running.database_url, running.database_url)
        bundle = Path(folder, "bundle.jsonl")
        with bundle.open("wb") as file:
            _run("bench.bundle", f"--{what}", str(number), stdout=file)
        os.environ["ORGCTX_DATABASE_URL"] = running.database_url
        os.environ["ORGCTX_REDIS_URL"] = running.redis_url
        for which in ("first load", "same again"):
            began, busy = perf_counter(), _processor_seconds()
            _run("orgctx.cli", "load", str(bundle), "--json", stdout=subprocess.DEVNULL)
            seconds, busy = perf_counter() - began, _processor_seconds() - busy
            print(
                f"{which}: {number} {unit} in {seconds:.1f} s, {number / seconds:,.1f} a second;"
                f" loading process {busy:.1f} s of a processor"
            )
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"peak memory of a loading process: {peak:.0f} MiB")


def _processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _run(module: str, *arguments: str, stdout: object) -> None:
    subprocess.run([sys.executable, "-m", module, *arguments], stdout=stdout, check=True)  # type: ignore[call-overload]


if __name__ == "__main__":
    main()
