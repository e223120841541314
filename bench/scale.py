"""Measure how answers, loads and disk use grow: python -m bench.scale [--messages N …].

A set for a number of messages has one organization of that size and three small ones; a set for a
number of chats has that many beside six other sources, and 10,000 messages. A set for a number of
organizations has one of 10,000 messages, and the others share 990,000 messages. Every
operation is requested of all sets in turns, without a term and with a common, a rare and an absent
one. The output is the median time of each request in each set.

Every set has its own PostgreSQL below DATA_DIR, where the next run finds it. --citus adds each set
on the cluster that ORGCTX_TEST_CITUS_URL names; its database is dropped at the end.
"""

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from shutil import rmtree
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple
from unittest.mock import patch
from urllib.parse import quote

import orjson
import psycopg
from psycopg import sql

from bench.dataset import ABSENT, COMMON, RARE, Size, of_sizes
from bench.prepare import SCHEMA, by, command, environment, issue_key
from bench.report import machine, table
from orgctx.app import create_app
from orgctx.bundle.loader import load_records
from orgctx.cli.database.migrations import migrate
from orgctx.embedded import servers
from orgctx.operations.operation import Operation
from orgctx.resources.catalog import OPERATIONS
from tests.support import citus

PREFIX = "/api/v1"
DATA_DIR = Path(".orgctx/growth") / SCHEMA
LARGE = Size(10_000, 20, 300, 100_000, 1_000, 500, 3_000)
SMALL = Size(50, 1, 2, 2_000, 4, 4, 5)
SHARED_MESSAGES = 990_000
# Requests of a turn that do not count, requests that count, and turns of each set.
WARM_COUNT, REQUEST_COUNT, TURN_COUNT = 2, 10, 3
TERMS = {"common": COMMON, "rare": RARE, "absent": ABSENT}
DATABASE_SIZE = "SELECT pg_database_size(current_database())"
CITUS_SIZE = "SELECT sum(citus_total_relation_size(logicalrelid)) FROM pg_dist_partition"
CITUS_TABLES = "SELECT logicalrelid::text FROM pg_dist_partition"


class Load(NamedTuple):
    """What a load took."""

    record_count: int
    seconds: float
    mebibytes: float  # of the database


class Service:
    """The service on one data set, called in this process."""

    def __init__(self, admin_url: str, url: str, redis_url: str) -> None:
        variables = environment(url, redis_url) | {"ORGCTX_ADMIN_DATABASE_URL": admin_url}
        command(variables, "sources", "approve", "--all", *by(1))
        self._headers = {"Authorization": f"Bearer {issue_key(variables, by(1))}"}
        with patch.dict(os.environ, variables):
            self._client = create_app().test_client()

    def requests(self) -> Iterator[tuple[str, str]]:
        """Yield a name and a path for each operation and each term that it can search."""
        for operation in OPERATIONS:
            path = PREFIX + self._path(operation)
            yield operation.name, path
            if "q" in operation.arguments().fields:
                for kind, term in TERMS.items():
                    yield f"{operation.name}, {kind}", f"{path}?q={term}"

    def times(self, path: str) -> list[float]:
        """Return the milliseconds of each request of a turn."""
        return [self._milliseconds(path) for _ in range(WARM_COUNT + REQUEST_COUNT)][WARM_COUNT:]

    def _milliseconds(self, path: str) -> float:
        began_at = perf_counter()
        response = self._client.get(path, headers=self._headers)
        milliseconds = (perf_counter() - began_at) * 1e3
        assert response.status_code == 200, (path, response.text)
        return milliseconds

    def _path(self, operation: Operation) -> str:
        """Return the path of an operation, with the id of the first record of the matching list."""
        collection, brace, rest = operation.path.partition("{")
        if not brace:
            return collection
        name, _, rest = rest.partition("}")
        response = self._client.get(PREFIX + collection.rstrip("/"), headers=self._headers)
        id_ = str(response.get_json()["data"][0][name])
        return collection + quote(id_, safe="") + rest


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--messages", type=int, nargs="*", default=[10**4, 10**5, 10**6])
    parser.add_argument("--chats", type=int, nargs="*", default=[1, 20, 200])
    parser.add_argument("--organizations", type=int, nargs="*", default=[1, 100, 10_000])
    parser.add_argument("--citus", action="store_true", help="measure each set on Citus as well")
    options = parser.parse_args()
    print("\n".join(f"{name}: {value}  " for name, value in machine().items()))
    for axis in ("messages", "chats", "organizations"):
        if numbers := getattr(options, axis):
            print("\n".join(["", f"## {axis.capitalize()}", ""]))
            print("\n".join(_measure(axis, numbers, is_on_citus=options.citus)))
    return 0


def sizes_of(axis: str, number: int) -> list[Size]:
    """Return the organizations of the set with this number of messages, chats or organizations."""
    if axis != "organizations":
        return [replace(LARGE, **{axis: number}), *[SMALL] * 3]
    others = replace(SMALL, messages=SHARED_MESSAGES // max(1, number - 1))
    return [LARGE, *[others] * (number - 1)]


def _measure(axis: str, numbers: list[int], *, is_on_citus: bool) -> Iterator[str]:
    """Yield the lines of both tables."""
    with ExitStack() as stack:
        loads, services = {}, []
        for number in numbers:
            print(f"{number:,} {axis}", file=sys.stderr, flush=True)
            sizes, folder = sizes_of(axis, number), DATA_DIR / f"{axis}-{number}"
            sets = {f"{number:,}": on_server(folder, sizes)}
            if is_on_citus:
                sets[f"{number:,} on Citus"] = on_citus(sizes)
            for name, data in sets.items():
                service, loads[name] = stack.enter_context(data)
                services.append(service)
        rows = [
            [name, f"{load.record_count:,}", f"{load.seconds:,.1f}", f"{load.mebibytes:,.0f}"]
            for name, load in loads.items()
        ]
        yield from table([axis, "records", "load, s", "database, MiB"], rows)
        yield from ["", "Median milliseconds of a request:", ""]
        yield from table(["request", *loads, "last / first"], _in_turns(services))


def _in_turns(services: list[Service]) -> Iterator[list[str]]:
    for requests in zip(*(service.requests() for service in services), strict=True):
        times: list[list[float]] = [[] for _ in services]
        for _ in range(TURN_COUNT):
            for service, (_, path), measured in zip(services, requests, times, strict=True):
                measured += service.times(path)
        medians = [median(measured) for measured in times]
        ratio = medians[-1] / medians[0]
        yield [requests[0][0], *(f"{each:.1f}" for each in medians), f"{ratio:.2f}"]


@contextmanager
def on_server(folder: Path, sizes: list[Size]) -> Iterator[tuple[Service, Load]]:
    """Run PostgreSQL with a set, which is loaded unless an earlier run has done it."""
    file = folder / "loaded.json"
    if not file.exists():
        rmtree(folder, ignore_errors=True)
    with servers(folder) as running:
        url = running.database_url
        if not file.exists():
            migrate(url, url)
            counts = _load(sizes, url)
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute("VACUUM (ANALYZE)")
            file.write_bytes(orjson.dumps([*counts, _mebibytes(url, DATABASE_SIZE)]))
        yield Service(url, url, running.redis_url), Load(*orjson.loads(file.read_bytes()))


@contextmanager
def on_citus(sizes: list[Size]) -> Iterator[tuple[Service, Load]]:
    """Load a set into a new database of the cluster."""
    with (
        TemporaryDirectory() as folder,
        citus.distributed(options="") as url,
        servers(Path(folder), database_url=url) as running,
    ):
        counts = _load(sizes, url)
        with psycopg.connect(url, autocommit=True) as connection:
            # Citus vacuums the shards of a table only if the command names the table.
            for (name,) in connection.execute(CITUS_TABLES).fetchall():
                connection.execute(sql.SQL("VACUUM (ANALYZE) {}").format(sql.Identifier(name)))
        load = Load(*counts, _mebibytes(url, CITUS_SIZE))
        yield Service(url, citus.reader_url(url), running.redis_url), load


def _load(sizes: list[Size], url: str) -> tuple[int, float]:
    """Load a set. Returns the number of records and the seconds."""
    began_at = perf_counter()
    summary = load_records(url, of_sizes(sizes))
    seconds = perf_counter() - began_at
    return sum(counts["read"] for counts in summary.values()), seconds


def _mebibytes(url: str, query: str) -> float:
    with psycopg.connect(url, autocommit=True) as connection:
        ((size,),) = connection.execute(query.encode()).fetchall()
    return float(size / 2**20)


if __name__ == "__main__":
    sys.exit(main())
