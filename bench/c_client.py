"""Measure what a C client reaches with the same statements: python -m bench.c_client [--scale …].

A client that charges a request in Redis, then sends its statements to PostgreSQL, and does nothing
else, answers 1 / (1 / R + 1 / P) requests a second. R and P are what redis-benchmark and pgbench
reach with the script and the statements of one request of orgctx. All three take turns.
"""

import argparse
import csv
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import NamedTemporaryFile
from time import sleep
from urllib.parse import urlsplit

import psycopg
import redis

from bench.cases import cases
from bench.dataset import SCALES
from bench.load_generator import exchange, run
from bench.prepare import DATA_DIR, Prepared, prepared
from bench.report import machine, table
from bench.server_process import ORGCTX, running

CASES = ("small object", "50 messages")
SECONDS, ROUNDS, CHARGES = 2, 5, 30_000
# psycopg prepares statements and orgctx caches the caller before the request that is recorded.
WARM_COUNT = 30
LOG_ALL = "ALTER SYSTEM SET log_min_duration_statement = 0"
LOG_NONE = "ALTER SYSTEM RESET log_min_duration_statement"
EXECUTED = re.compile(r" execute \S+: (.*?)\n[^\n]* DETAIL: +Parameters: ([^\n]*)\n", re.DOTALL)
PARAMETER = re.compile(r"\$(\d+) = '((?:[^']|'')*)'")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--scale", choices=SCALES, default="small", help="size of the data set")
    scale = parser.parse_args().scale
    if missing := [name for name in ("pgbench", "redis-benchmark") if not shutil.which(name)]:
        parser.error(
            f"Not found: {', '.join(missing)}. Debian has postgresql-contrib, redis-tools."
        )
    print(*(f"{name}: {value}  " for name, value in machine().items()), sep="\n")
    rows = []
    with prepared(scale) as data, running(ORGCTX["orgctx"], data) as server:
        for case in (case for case in cases(scale) if case.name in CASES):
            request = case.request(data.key)
            ask = partial(exchange, server.address, request)
            for _ in range(WARM_COUNT):
                ask()
            statements = _statements(data, DATA_DIR / scale / "postgres.log", ask)
            charge = _charge(data, ask)
            for connections in (1, 8):
                options = {"status": case.status, "connections": connections, "seconds": SECONDS}
                turns = [
                    (
                        _redis(data, charge, connections),
                        _postgres(data, statements, connections),
                        run(server.address, request, **options).requests_per_second,
                    )
                    for _ in range(ROUNDS)
                ]
                charges, postgres, orgctx = map(median, zip(*turns, strict=True))
                both = 1 / (1 / charges + 1 / postgres)
                reached = [f"{each:,.0f}" for each in (charges, postgres, both, orgctx)]
                rows.append([case.name, str(connections), *reached, f"{orgctx / both:.2f}"])
    heads = ["request", "connections", "Redis", "PostgreSQL", "both", "orgctx", "of both"]
    print("", *table(heads, rows), sep="\n")


def _statements(data: Prepared, log: Path, ask: Callable[[], object]) -> list[str]:
    """Return the statements of a request, with their parameters in them, from PostgreSQL's log."""
    with psycopg.connect(data.database_url, autocommit=True) as connection:
        start = log.stat().st_size
        for setting in (LOG_ALL, LOG_NONE):
            connection.execute(setting)
            connection.execute("SELECT pg_reload_conf()")
            sleep(0.5)
            ask()
    return [_filled(*found) for found in EXECUTED.findall(log.read_text()[start:])]


def _filled(statement: str, parameters: str) -> str:
    """Return a statement without comments, with its parameters as literals."""
    lines = (line.strip() for line in statement.splitlines())
    text = " ".join(line for line in lines if not line.startswith("--")).rstrip("; ")
    # pgbench takes `:name` for a variable of its own, also in a literal.
    values = {
        number: value.replace("\\", r"\\").replace(":", r"\x3a")
        for number, value in PARAMETER.findall(parameters)
    }
    return re.sub(r"\$(\d+)", lambda found: f"E'{values[found[1]]}'", text) + ";"


def _charge(data: Prepared, ask: Callable[[], object]) -> list[str]:
    """Return the command that a request sends to Redis."""
    with redis.Redis.from_url(data.redis_url) as client, client.monitor() as monitor:
        ask()
        commands = (each["command"] for each in monitor.listen())
        return shlex.split(next(each for each in commands if each.startswith("EVALSHA")))


def _redis(data: Prepared, charge: list[str], connections: int) -> float:
    """Return how many charges redis-benchmark makes a second."""
    socket = urlsplit(data.redis_url).path
    options = ["-s", socket, "-c", str(connections), "-n", str(CHARGES), "--csv"]
    lines = _output("redis-benchmark", *options, *charge).splitlines()
    return float(next(csv.DictReader(lines))["rps"])


def _postgres(data: Prepared, statements: list[str], connections: int) -> float:
    """Return how many times a second pgbench runs the statements, prepared and in one pipeline."""
    with NamedTemporaryFile("w") as script:
        script.write("\n".join(["\\startpipeline", *statements, "\\endpipeline", ""]))
        script.flush()
        options = ["-n", "-M", "prepared", "-c", str(connections), "-T", str(SECONDS)]
        output = _output("pgbench", *options, "-f", script.name, data.database_url)
    return float(output.partition("tps = ")[2].split()[0])


def _output(*command: str) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


if __name__ == "__main__":
    main()
