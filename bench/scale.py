"""How answers, loads and disk grow: python -m bench.scale [--messages N…] [--organizations N…].

For each number of messages one organization among few, and for each number of organizations as
many small ones beside one of 10,000 messages: loaded into an empty database by the service's own
loader. Each operation is then asked through the service, plain and with a common, a rare and an
absent term; its median, and for its slowest statement the buffers and rows, are written to
growth.json and growth.md in --folder, with a plot for each of the two. Every median is compared
with that of the smallest number.

--citus: the database is that of ORGCTX_ADMIN_DATABASE_URL, empty, with Citus and its servers; one
number at a time. Otherwise an embedded server holds it, in --data-dir, until the next is loaded.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from math import ceil
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from shutil import rmtree
from statistics import median
from time import perf_counter
from typing import Any
from unittest.mock import patch
from urllib.parse import quote

import orjson
import psycopg
from psycopg import ClientCursor

from bench.dataset import ABSENT, COMMON, RARE, Record, Size, of_sizes
from bench.prepare import by, command, environment
from bench.report import machine, table
from orgctx.app import create_app
from orgctx.bundle import load_records
from orgctx.catalog import OPERATIONS
from orgctx.cli.admin import connect
from orgctx.cli.distribution import distribute
from orgctx.cli.migrations import migrate
from orgctx.embedded import servers
from orgctx.exposure import SCOPES
from orgctx.operation import Operation
from orgctx.stores.db import Pool, Statement, numbered, sql

PREFIX = "/api/v1"
# Beside the messages, which grow, everything else stays.
LARGE = Size(10_000, 20, 300, 100_000, 1_000, 500, 3_000)
SMALL = Size(50, 1, 2, 2_000, 4, 4, 5)
NEIGHBOURS = 3
TIMES = 30
# What is projected, and on servers of which size.
TARGET = 10**11
WORKER_TIB = 4
# Goes with the statements of each request.
LOOK_UP = "gate/find_key"
# Bytes on disk; by whether the database is distributed.
SIZES = {
    False: "SELECT pg_database_size(current_database())",
    True: "SELECT sum(citus_total_relation_size(logicalrelid)) FROM pg_dist_partition",
}
FIGURES = ("median_ms", "statement", "buffers", "rows")


@dataclass(frozen=True)
class Point:
    """What was loaded, and how. axis: what grows, `messages` or `organizations`."""

    axis: str
    number: int
    is_distributed: bool
    load_seconds: float
    load_mib: float
    record_count: int
    database_mib: float
    figures: dict[str, dict[str, Any]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--messages", type=int, nargs="*", default=[10**4, 10**5, 10**6])
    parser.add_argument("--organizations", type=int, nargs="*", default=[1, 100, 10_000])
    parser.add_argument("--citus", action="store_true")
    parser.add_argument("--data-dir", type=Path, default=Path(".orgctx/growth"))
    parser.add_argument("--folder", type=Path, default=Path("docs/performance/growth"))
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    file = options.folder / "growth.json"
    points = [Point(**one) for one in orjson.loads(file.read_bytes())] if file.exists() else []
    for axis in ("messages", "organizations"):
        for number in getattr(options, axis):
            print(f"{axis}: {number:,}", file=sys.stderr, flush=True)
            with empty(options.data_dir, is_distributed=options.citus) as urls:
                point = measure(axis, number, options.citus, *urls)
            same = (axis, number, options.citus)
            points = [one for one in points if (one.axis, one.number, one.is_distributed) != same]
            points.append(point)
            file.write_bytes(orjson.dumps([*map(asdict, points)], option=orjson.OPT_INDENT_2))
    options.folder.joinpath("growth.md").write_text(report(points), "utf-8")
    for axis in ("messages", "organizations"):
        plot(options.folder / f"{axis}.svg", axis, points)
    return 0


@contextmanager
def empty(data_dir: Path, *, is_distributed: bool) -> Iterator[tuple[str, str, str]]:
    """URLs of an empty, migrated database, for the admin and the service, and of Redis."""
    rmtree(data_dir, ignore_errors=True)
    given = os.environ["ORGCTX_ADMIN_DATABASE_URL"] if is_distributed else ""
    with servers(data_dir, database_url=given) as running:
        admin = running.database_url
        service = os.environ["ORGCTX_DATABASE_URL"] if is_distributed else admin
        migrate(admin, service)
        if is_distributed:
            with connect(admin) as connection:
                distribute(connection)
        yield admin, service, running.redis_url
    rmtree(data_dir, ignore_errors=True)


def records(axis: str, number: int) -> Iterator[Record]:
    """Of one organization that grows among few, or of one among many."""
    large, others = LARGE, NEIGHBOURS
    if axis == "messages":
        large = Size(**{**asdict(LARGE), "messages": number})
    else:
        others = number - 1
    return of_sizes([large, *[SMALL] * others])


def measure(
    axis: str, number: int, is_distributed: bool, admin: str, service: str, redis_url: str
) -> Point:
    """Load, and ask everything."""
    began = perf_counter()
    summary = load_records(admin, records(axis, number))
    seconds = perf_counter() - began
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute("VACUUM (ANALYZE)")
        ((size,),) = connection.execute(SIZES[is_distributed]).fetchall()
    variables = environment(service, redis_url) | {"ORGCTX_ADMIN_DATABASE_URL": admin}
    command(variables, "sources", "approve", "--all", *by(1))
    scopes = ["--scope", ",".join(SCOPES), "--access", "both", "--expires-in-days", "7"]
    issued = command(variables, "keys", "issue", "--json", *scopes, *by(1))
    key = orjson.loads(issued)["key"]
    with patch.dict(os.environ, variables):
        asked = Asked(create_app().test_client(), key, service, is_distributed)
        figures = {name: asked.figures(path) for name, path in asked.requests()}
    return Point(
        axis=axis,
        number=number,
        is_distributed=is_distributed,
        load_seconds=round(seconds, 1),
        load_mib=round(getrusage(RUSAGE_SELF).ru_maxrss / 1024),
        record_count=sum(counts["read"] for counts in summary.values()),
        database_mib=round(size / 2**20),
        figures=figures,
    )


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

    def figures(self, path: str) -> dict[str, Any]:
        """Milliseconds of a request, the median; of its costliest statement, what it touched."""
        sent: list[Statement] = []
        run = Pool._run

        def noting(pool: Pool, statements: Any, *rest: Any) -> Any:
            sent.extend(statements)
            return run(pool, statements, *rest)

        times = [self.milliseconds(path) for _ in range(TIMES)]
        with patch.object(Pool, "_run", noting):
            self._client.get(path, headers=self._headers)
        own = [one for one in sent if one[0] != LOOK_UP] or sent
        buffers, rows, name = max(self._explain(one) for one in own)
        found = (round(median(times), 2), name, buffers, rows)
        return dict(zip(FIGURES, found, strict=True))

    def milliseconds(self, path: str) -> float:
        """The time of one request."""
        began = perf_counter()
        answer = self._client.get(path, headers=self._headers)
        taken = (perf_counter() - began) * 1e3
        assert answer.status_code == 200, (path, answer.text)
        return taken

    def _path(self, operation: Operation) -> str:
        """Its path, for a record that the list before it shows."""
        before, brace, after = operation.path.partition("{")
        if not brace:
            return before
        name, _, after = after.partition("}")
        answer = self._client.get(PREFIX + before.rstrip("/"), headers=self._headers)
        return before + quote(str(answer.json["data"][0][name]), safe="") + after

    def _explain(self, statement: Statement) -> tuple[int, int, str]:
        """Buffers and rows of a statement with these parameters, and its name.

        Of a distributed one no more than its name: what its server touched is not told as JSON.
        """
        name, parameters = statement
        if self._is_distributed:
            return 0, 0, name
        text, names = numbered(sql(name))
        with psycopg.connect(self._url, autocommit=True, cursor_factory=ClientCursor) as connection:
            mode = "SET plan_cache_mode = auto; SET jit = off"
            connection.execute(mode)
            connection.execute(f"PREPARE asked AS {text.decode()}")  # type: ignore[arg-type]
            given = [parameters[each] for each in names]
            run = f"EXECUTE asked({', '.join(['%s'] * len(names))})"
            explain = f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {run}"
            # The first time the catalog is looked at as well.
            for _ in range(2):
                ((told,),) = connection.execute(explain, given).fetchall()[0]  # type: ignore[arg-type]
        top = told["Plan"]
        touched = top.get("Shared Hit Blocks", 0) + top.get("Shared Read Blocks", 0)
        return touched, round(top.get("Actual Rows", 0)), name


def report(points: list[Point]) -> str:
    """Tables of all points."""
    lines = [f"{name}: {value}  " for name, value in machine("bench.scale").items()]
    for axis in ("messages", "organizations"):
        for is_distributed in (False, True):
            lines += _tables(
                axis,
                [
                    one
                    for one in sorted(points, key=lambda one: one.number)
                    if (one.axis, one.is_distributed) == (axis, is_distributed)
                ],
                "on Citus" if is_distributed else "on one server",
            )
    return "\n".join([*lines, *projection(points)]) + "\n"


def projection(points: list[Point]) -> list[str]:
    """What 10^11 messages would take if the growth between the two largest numbers went on."""
    alone = [one for one in points if one.axis == "messages" and not one.is_distributed]
    if len(alone) < 2:
        return []
    less, more = sorted(alone, key=lambda one: one.number)[-2:]
    each = (more.database_mib - less.database_mib) * 2**20 / (more.number - less.number)
    disk = each * TARGET / 2**40
    days = TARGET / (more.record_count / more.load_seconds) / 86_400
    return [
        "", f"## {TARGET:,} messages, by the growth from {less.number:,} to {more.number:,}", "",
        f"- {each:,.0f} bytes a message with its indexes: {disk:,.1f} TiB, twice with standbys",
        f"- {ceil(disk / WORKER_TIB):,} workers of {WORKER_TIB} TiB, each with a standby",
        f"- {days:,.0f} days for one loader at this speed",
    ]  # fmt: skip


def _tables(axis: str, points: list[Point], where: str) -> list[str]:
    if not points:
        return []
    numbers = [f"{one.number:,}" for one in points]
    loads = [
        [f"{one.number:,}", f"{one.record_count:,}", f"{one.load_seconds:,.0f}",
         f"{one.record_count / one.load_seconds:,.0f}", f"{one.load_mib:,.0f}",
         f"{one.database_mib:,.0f}"]
        for one in points
    ]  # fmt: skip
    costs = []
    for name, first in points[0].figures.items():
        cells = [one.figures.get(name, {}) for one in points]
        last = cells[-1].get("median_ms", 0) / first["median_ms"]
        shown = [
            f"{cell['median_ms']:.1f} ({cell['buffers']:,}, {cell['rows']:,})" for cell in cells
        ]
        costs.append([name, *shown, f"{last:.2f}"])
    head = [axis, "records", "load s", "records a second", "loader MiB", "database MiB"]
    return [
        "", f"## {axis.capitalize()} {where}", "", *table(head, loads),
        "", "Median ms of a request (buffers and rows of its costliest statement).", "",
        *table(["request", *numbers, "last / first"], costs),
    ]  # fmt: skip


def plot(file: Path, axis: str, points: list[Point]) -> None:
    """The median of each request over what grows."""
    from matplotlib import pyplot

    own = sorted(
        (one for one in points if one.axis == axis and not one.is_distributed),
        key=lambda one: one.number,
    )
    if not own:
        return
    figure, axes = pyplot.subplots(figsize=(9, 6))
    for name in own[0].figures:
        medians = [one.figures[name]["median_ms"] for one in own]
        axes.plot([one.number for one in own], medians, marker="o", label=name, linewidth=1)
    axes.set(xscale="log", yscale="log", xlabel=axis, ylabel="median, ms")
    axes.legend(fontsize=6, ncols=2)
    figure.tight_layout()
    figure.savefig(file)
    pyplot.close(figure)


if __name__ == "__main__":
    sys.exit(main())
