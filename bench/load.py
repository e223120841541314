"""How fast a bundle loads, and in how much memory: python -m bench.load [--messages 1000000].

Starts a PostgreSQL of its own with the durability that it ships with, loads the
same file twice through `orgctx load`, and prints records a second and the
peak memory of the loading process.
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

from orgctx.cli.migrations import migrate
from orgctx.embedded import servers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=1_000_000)
    messages = parser.parse_args().messages
    with TemporaryDirectory() as folder, servers(Path(folder, "servers")) as running:
        migrate(running.database_url, running.database_url)
        bundle = Path(folder, "bundle.jsonl")
        with bundle.open("wb") as file:
            _run("bench.bundle", "--messages", str(messages), stdout=file)
        os.environ["ORGCTX_DATABASE_URL"] = running.database_url
        os.environ["ORGCTX_REDIS_URL"] = running.redis_url
        for what in ("first load", "same again"):
            began = perf_counter()
            _run("orgctx.cli", "load", str(bundle), "--json", stdout=subprocess.DEVNULL)
            seconds = perf_counter() - began
            print(
                f"{what}: {messages} messages in {seconds:.1f} s,"
                f" {messages / seconds:,.0f} a second"
            )
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"peak memory of a loading process: {peak:.0f} MiB")


def _run(module: str, *arguments: str, stdout: object) -> None:
    subprocess.run([sys.executable, "-m", module, *arguments], stdout=stdout, check=True)  # type: ignore[call-overload]


if __name__ == "__main__":
    main()
