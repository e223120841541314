"""How fast a Telegram export imports, and in how much memory: python -m bench.imports [--size 1.0].

Starts a PostgreSQL of its own with the durability that it ships with, generates an export
of so many GB, imports it twice through `orgctx import telegram`, and prints messages a
second and the peak memory of the importing process. The converter runs first, by itself.
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

import orjson

from bench.bundle import AT, ORGANIZATION
from bench.telegram_export import write
from orgctx.bundle import load_records
from orgctx.cli.database.migrations import migrate
from orgctx.embedded import servers

# A message of the generator takes this many bytes in UTF-8, roughly.
BYTES_PER_MESSAGE = 499
IDENTITY = {"displayName": "Bench", "slug": "bench", "createdAt": AT, "updatedAt": AT}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=float, default=1.0, help="of the export, in GB")
    messages = int(parser.parse_args().size * 1e9 / BYTES_PER_MESSAGE)
    with TemporaryDirectory() as folder, servers(Path(folder, "servers")) as running:
        migrate(running.database_url, running.database_url)
        organization = {"type": "organization", "organizationId": ORGANIZATION, "data": IDENTITY}
        load_records(running.database_url, [organization])
        export = Path(folder, "result.json")
        with export.open("w", encoding="utf-8") as file:
            write(file, messages)
        print(f"{messages:,} messages in {export.stat().st_size / 1e9:.2f} GB")
        os.environ["ORGCTX_DATABASE_URL"] = running.database_url
        os.environ["ORGCTX_REDIS_URL"] = running.redis_url
        for what, options in (
            ("converter alone", ["--as-bundle"]),
            ("first import", ["--json"]),
            ("same again", ["--json"]),
        ):
            _measure(what, messages, export, options)


def _measure(what: str, messages: int, export: Path, options: list[str]) -> None:
    where = ["--organization", "bench", "--source", "telegram:bench"]
    command = [sys.executable, "-m", "orgctx.cli", "import", "telegram", str(export)]
    began = perf_counter()
    out = None if "--json" not in options else subprocess.PIPE
    done = subprocess.run(
        [*command, *where, *options], stdout=out or subprocess.DEVNULL, check=True
    )
    seconds = perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(
        f"{what}: {seconds:.1f} s, {messages / seconds:,.0f} a second, peak {peak:.0f} MiB so far"
    )
    if out:
        report = orjson.loads(done.stdout)
        print(
            "  ", {name: report[name] for name in ("created", "updated", "unchanged", "repaired")}
        )


if __name__ == "__main__":
    main()
