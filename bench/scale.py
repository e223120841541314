"""How answers, loads and disk grow: python -m bench.scale [--messages N…] [--organizations N…].

For each number of messages one organization among few, and for each number of organizations one of
10,000 messages beside others that share 990,000 (--shared): loaded into an empty database by the
service's own loader. All sets are then asked at once and in turns, so that a machine that slows
down slows all of them: each operation through the service, plain and with a common, a rare and an
absent term. Its median, and for its costliest statement the buffers and rows, go to growth.json in
--folder, from which bench.project writes tables, plots and the projection.

An embedded server holds each set in a folder of its own below --data-dir, where the next run finds
it. --citus: each set is loaded into a new database of the cluster of ORGCTX_TEST_CITUS_URL, which
is dropped in the end.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from shutil import rmtree
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, sleep
from typing import Any
from unittest.mock import patch
from urllib.parse import quote

import orjson
import psycopg
from psycopg import ClientCursor

from bench import cluster
from bench.dataset import ABSENT, COMMON, LARGE, MESSAGES, NEIGHBOURS, RARE, SMALL, Record, of_sizes
from bench.hosts import spent
from bench.prepare import by, command, environment
from bench.report import where
from orgctx.app import create_app
from orgctx.bundle import load_records
from orgctx.cli.database.migrations import migrate
from orgctx.embedded import servers
from orgctx.operations.exposure import SCOPES
from orgctx.operations.operation import Operation
from orgctx.resources.catalog import OPERATIONS
from orgctx.stores.db import Statement, numbered, sql
from orgctx.stores.pool import Pool

PREFIX = "/api/v1"
# Pages of 8 KiB.
READ = "SELECT blks_read FROM pg_stat_database WHERE datname = current_database()"
AXES = ("messages", "organizations")
# How many requests of a turn do not count, how many do, and how many turns each set has.
WARM, ASKED, TURNS = 2, 10, 3
# This statement comes along with those of each request.
LOOK_UP = "gate/find_key"
# How statements are planned, by whether they run on a shard, as citus/create_run_on_shard says.
MODES = {
    False: "SET plan_cache_mode = auto; SET jit = off",
    True: "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET jit = off",
}
# Bytes on disk; the key says whether the database is distributed.
SIZES = {
    False: "SELECT pg_database_size(current_database())",
    True: "SELECT sum(citus_total_relation_size(logicalrelid)) FROM pg_dist_partition",
}
APPROVE = ["sources", "approve", "--all", *by(1)]
# URLs of a database (admin, service) and of Redis, and the members of a point about its load.
Loaded = tuple[tuple[str, str, str], dict[str, Any]]


@dataclass(frozen=True)
class Set:
    """One organization that grows among few, or one among many, which share `shared` messages."""

    axis: str
    number: int
    shared: int

    def records(self) -> Iterator[Record]:
        if self.axis == "messages":
            return of_sizes([replace(LARGE, messages=self.number), *[SMALL] * NEIGHBOURS])
        others = self.number - 1
        each = self.shared // max(1, others)
        return of_sizes([LARGE, *[replace(SMALL, messages=each)] * others])


@dataclass(frozen=True)
class Point:
    """What was loaded, and how. axis: what grows, `messages` or `organizations`. shared: messages
    of all small organizations together.

    load_cpu_seconds: of the loader, which makes the records up as well, and of the database.
    read_mib: the pages that all operations together touched, each counted once, as long as the
    server's cache was empty before and holds them; None where servers are not started for it.
    """

    axis: str
    number: int
    is_distributed: bool
    shared: int
    load_seconds: float
    load_cpu_seconds: float | None
    load_mib: float
    record_count: int
    database_mib: float
    read_mib: float | None
    figures: dict[str, dict[str, Any]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--messages", type=int, nargs="*", default=[10**4, 10**5, 10**6, 10**7])
    parser.add_argument("--organizations", type=int, nargs="*", default=[1, 100, 10_000])
    parser.add_argument("--shared", type=int, default=MESSAGES - LARGE.messages)
    parser.add_argument("--citus", action="store_true")
    parser.add_argument("--data-dir", type=Path, default=Path(".orgctx/growth"))
    parser.add_argument("--folder", type=Path, default=Path("docs/operations/growth"))
    options = parser.parse_args()
    for axis in AXES:
        numbers = getattr(options, axis)
        with ExitStack() as stack:
            sets = []
            for number in numbers:
                print(f"{axis}: {number:,}", file=sys.stderr, flush=True)
                set_ = Set(axis, number, options.shared)
                kept = distributed(set_) if options.citus else loaded(options.data_dir, set_)
                sets.append(stack.enter_context(kept))
            urls = [urls for urls, _ in sets]
            before = [0.0 if options.citus else read_mib(admin) for admin, _, _ in urls]
            found = in_turns([serving(*one, is_distributed=options.citus) for one in urls])
            read = [
                None if options.citus else round(read_mib(admin) - first, 1)
                for (admin, _, _), first in zip(urls, before, strict=True)
            ]
        points = [
            Point(
                axis, number, options.citus, options.shared, figures=figures, read_mib=mib, **load
            )
            for number, (_, load), figures, mib in zip(numbers, sets, found, read, strict=True)
        ]
        note(options.folder / "growth.json", points)
    return 0


def note(file: Path, points: list[Point]) -> None:
    """Write them to the file, in place of those that were measured before."""
    file.parent.mkdir(parents=True, exist_ok=True)
    before = orjson.loads(file.read_bytes())["points"] if file.exists() else []
    known = {(one["axis"], one["number"], one["is_distributed"]): one for one in before}
    known |= {(one.axis, one.number, one.is_distributed): asdict(one) for one in points}
    document = {"machine": where(), "points": [known[one] for one in sorted(known)]}
    file.write_bytes(orjson.dumps(document, option=orjson.OPT_INDENT_2) + b"\n")


@contextmanager
def loaded(data_dir: Path, set_: Set) -> Iterator[Loaded]:
    """A set on a server of its own. What was loaded is kept with the figures of its load, and found
    by the next run."""
    folder = data_dir / f"{set_.axis}-{set_.number}"
    file = folder / "load.json"
    if not file.exists():
        rmtree(folder, ignore_errors=True)
    with servers(folder) as running:
        url = running.database_url
        urls = url, url, running.redis_url
        if not file.exists():
            migrate(url, url)
            before = used_seconds()
            load = _load(set_, url)
            used = used_seconds() - before
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute("VACUUM (ANALYZE)")
            file.write_bytes(orjson.dumps(_described(load, used, *urls, is_distributed=False)))
        yield urls, orjson.loads(file.read_bytes())


@contextmanager
def distributed(set_: Set) -> Iterator[Loaded]:
    """A set in a database of the cluster."""
    with (
        TemporaryDirectory() as folder,
        cluster.distributed() as (admin, service),
        servers(Path(folder), database_url=admin) as running,
    ):
        urls = admin, service, running.redis_url
        began = process_time()
        with cluster.metered(admin) as used:
            load = _load(set_, admin)
        seconds = sum(used.values()) + process_time() - began
        cluster.vacuum(admin)
        yield urls, _described(load, seconds, *urls, is_distributed=True)


def _load(set_: Set, admin: str) -> dict[str, Any]:
    """Load the set. Returns the members of a point about its load."""
    began = perf_counter()
    summary = load_records(admin, set_.records())
    return {
        "load_seconds": round(perf_counter() - began, 1),
        "load_mib": round(getrusage(RUSAGE_SELF).ru_maxrss / 1024),
        "record_count": sum(counts["read"] for counts in summary.values()),
    }


def _described(
    load: dict[str, Any], used: float, admin: str, service: str, redis_url: str, *,
    is_distributed: bool,
) -> dict[str, Any]:  # fmt: skip
    """A load with the processor time that it used and the space that it takes, once its sources are
    approved."""
    variables = environment(service, redis_url) | {"ORGCTX_ADMIN_DATABASE_URL": admin}
    command(variables, *APPROVE)
    with psycopg.connect(admin, autocommit=True) as connection:
        ((size,),) = connection.execute(SIZES[is_distributed]).fetchall()
    return load | {"load_cpu_seconds": round(used, 1), "database_mib": round(size / 2**20)}


def used_seconds() -> float:
    """Processor time of this process and of the servers that it runs."""
    return process_time() + sum(spent().values())


def read_mib(url: str) -> float:
    """What the server has read into its cache since it was made."""
    with psycopg.connect(url, autocommit=True) as connection:
        # PostgreSQL publishes a connection's counters once it has been idle for a moment.
        sleep(1.5)
        ((pages,),) = connection.execute(READ).fetchall()
    return float(pages / 128)


def serving(admin: str, service: str, redis_url: str, *, is_distributed: bool) -> Asked:
    """A service of a set, and a new key to it."""
    variables = environment(service, redis_url) | {"ORGCTX_ADMIN_DATABASE_URL": admin}
    scopes = ["--scope", ",".join(SCOPES), "--access", "both", "--expires-in-days", "7"]
    issued = command(variables, "keys", "issue", "--json", *scopes, *by(1))
    with patch.dict(os.environ, variables):
        client = create_app().test_client()
    return Asked(client, orjson.loads(issued)["key"], service, is_distributed)


def in_turns(asked: list[Asked]) -> list[dict[str, dict[str, Any]]]:
    """The figures of every request, by its name, for each set."""
    found: list[dict[str, dict[str, Any]]] = [{} for _ in asked]
    for requests in zip(*(one.requests() for one in asked), strict=True):
        times: list[list[float]] = [[] for _ in asked]
        for _ in range(TURNS):
            for one, (_, path), own in zip(asked, requests, times, strict=True):
                own += one.times(path)
        for one, (name, path), own, figures in zip(asked, requests, times, found, strict=True):
            figures[name] = {"median_ms": round(median(own), 2)} | one.costliest(path)
    return found


class Asked:
    """A service, and what its answers cost."""

    def __init__(self, client: Any, key: str, url: str, is_distributed: bool) -> None:
        self._client, self._url, self._is_distributed = client, url, is_distributed
        self._headers = {"Authorization": f"Bearer {key}"}

    def requests(self) -> Iterator[tuple[str, str]]:
        """A name and a path for each operation, and for each term that it can look for."""
        for operation in OPERATIONS:
            path = PREFIX + self._path(operation)
            yield operation.name, path
            if "q" in operation.arguments().fields:
                for kind, term in (("common", COMMON), ("rare", RARE), ("absent", ABSENT)):
                    yield f"{operation.name}, {kind}", f"{path}?q={term}"

    def milliseconds(self, path: str) -> float:
        """The time of one request."""
        began = perf_counter()
        answer = self._client.get(path, headers=self._headers)
        taken = (perf_counter() - began) * 1e3
        assert answer.status_code == 200, (path, answer.text)
        return taken

    def times(self, path: str) -> list[float]:
        """Milliseconds of the requests of a turn, but of those before which others had theirs."""
        return [self.milliseconds(path) for _ in range(WARM + ASKED)][WARM:]

    def costliest(self, path: str) -> dict[str, Any]:
        """The statement of a request that touches the most buffers, these and its rows."""
        sent: list[Statement] = []
        run = Pool._run

        def noting(pool: Pool, statements: Any, *rest: Any) -> Any:
            sent.extend(statements)
            return run(pool, statements, *rest)

        with patch.object(Pool, "_run", noting):
            self._client.get(path, headers=self._headers)
        own = [one for one in sent if one[0] != LOOK_UP] or sent
        buffers, rows, name = max(self._explain(one) for one in own)
        return {"statement": name, "buffers": buffers, "rows": rows}

    def _path(self, operation: Operation) -> str:
        """Its path, for a record that the list before it shows."""
        before, brace, after = operation.path.partition("{")
        if not brace:
            return before
        name, _, after = after.partition("}")
        answer = self._client.get(PREFIX + before.rstrip("/"), headers=self._headers)
        return before + quote(str(answer.get_json()["data"][0][name]), safe="") + after

    def _explain(self, statement: Statement) -> tuple[int, int, str]:
        """Buffers and rows of a statement with these parameters, and its name.

        A distributed one runs where its rows are.
        """
        name, parameters = statement
        text, names = numbered(sql(name))
        url, run = self._url, text.decode()
        if self._is_distributed:
            url, run = cluster.on_shard(url, parameters.get("organization_id"), run)
        with psycopg.connect(url, autocommit=True, cursor_factory=ClientCursor) as connection:
            connection.execute(MODES[self._is_distributed])
            connection.execute(f"PREPARE asked AS {run}")
            given = [parameters[each] for each in names]
            execute = f"EXECUTE asked({', '.join(['%s'] * len(names))})"
            explain = f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {execute}"
            # The first run also reads the catalog.
            for _ in range(2):
                ((told,),) = connection.execute(explain, given).fetchall()[0]
        top = told["Plan"]
        touched = top.get("Shared Hit Blocks", 0) + top.get("Shared Read Blocks", 0)
        return touched, round(top.get("Actual Rows", 0)), name


if __name__ == "__main__":
    sys.exit(main())
