"""What is measured, as a page, and what that projects to: python -m bench.project.

Reads growth.json (bench.scale) and hosts.json (bench.hosts) in --folder, and writes the page
beside it and the plots. What is assumed is in `Assumed`; whoever expects something else changes it.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from statistics import fmean
from typing import Any

import orjson

from orgctx.stores.quota import USAGE_SECONDS

GIB, TIB, DAY = 2**30, 2**40, 86_400
USAGE_DAYS = USAGE_SECONDS // DAY
AXES = ("messages", "organizations")


@dataclass(frozen=True)
class Assumed:
    """What nobody has measured. Prices: US dollars a month, as of 2026-11, rounded."""

    organizations: int = 10**6
    messages: int = 10**11
    chats: int = 5  # of an organization, of which searches examine 10,000 messages each
    keys: int = 3  # of an organization
    requests_a_day: int = 1_000  # of an organization
    peak: float = 4  # times the mean
    active: float = 0.1  # the part of all organizations whose pages are to be in memory
    growth_days: int = 365  # in which all messages arrive
    busy: float = 0.6  # the part of a core or a disk that may be used
    copies: int = 2  # of each PostgreSQL and Redis server
    server_cores: int = 16
    server_gib: int = 128
    server_tib: float = 4
    price_core: float = 25
    price_gib_memory: float = 3
    price_gib_disk: float = 0.1


@dataclass(frozen=True)
class Measured:
    """Bytes, seconds and records a second, from the two files."""

    message_bytes: float
    searched_bytes: float
    organization_bytes: float
    touched_bytes: float
    records_a_second: float
    host_seconds: float
    postgresql_seconds: float
    redis_seconds: float
    redis_minute_bytes: float
    redis_key_bytes: float


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=Path("docs/operations/growth"))
    options = parser.parse_args()
    growth, hosts = (
        orjson.loads(options.folder.joinpath(name).read_bytes())
        for name in ("growth.json", "hosts.json")
    )
    options.folder.with_suffix(".md").write_text(page(growth, hosts, Assumed()), "utf-8")
    for axis in AXES:
        plot(options.folder / f"{axis}.svg", axis, points_of(growth, axis))
    return 0


def points_of(
    growth: dict[str, Any], axis: str, *, is_distributed: bool = False
) -> list[dict[str, Any]]:
    """Those of one server or of Citus, by what grows."""
    wanted = axis, is_distributed
    found = [one for one in growth["points"] if (one["axis"], one["is_distributed"]) == wanted]
    return sorted(found, key=lambda one: int(one["number"]))


def measured(growth: dict[str, Any], hosts: dict[str, Any]) -> Measured:
    messages, organizations = (points_of(growth, axis) for axis in AXES)
    large = slope(messages[-2:])
    # In chats of fewer than 10,000, all messages may be searched.
    small = slope(messages[:2])
    cases, stored = list(hosts["cases"].values()), hosts["redis_bytes"]
    return Measured(
        message_bytes=large,
        searched_bytes=max(0, small - large),
        organization_bytes=without_messages(organizations, large + max(0, small - large)),
        touched_bytes=messages[-1]["read_mib"] * 2**20,
        # Loader and database take turns, so a load lasts as long as both compute.
        records_a_second=min(filter(None, map(speed, messages[-2:]))),
        host_seconds=fmean(one["host ms"] for one in cases) / 1e3,
        postgresql_seconds=fmean(one["PostgreSQL ms"] for one in cases) / 1e3,
        redis_seconds=fmean(one["Redis ms"] for one in cases) / 1e3,
        redis_minute_bytes=stored["counter"] + stored["counter of a key"],
        redis_key_bytes=stored["mark"] + stored["day"] * USAGE_DAYS,
    )


def without_messages(points: list[dict[str, Any]], message_bytes: float) -> float:
    """Bytes of a small organization beside its messages; 0 where only one number was measured."""
    first, last = points[0], points[-1]
    if first is last:
        return 0.0
    grown = float(last["database_mib"] - first["database_mib"]) * 2**20
    messages = int(last["shared"]) * message_bytes
    return max(0.0, grown - messages) / int(last["number"] - first["number"])


def speed(point: dict[str, Any]) -> float | None:
    """Records that are loaded in a second of processor time; None where it was not noted."""
    used = point["load_cpu_seconds"]
    return int(point["record_count"]) / float(used) if used else None


def slope(points: list[dict[str, Any]]) -> float:
    """Bytes of the database for one more."""
    first, last = points[0], points[-1]
    grown = float(last["database_mib"] - first["database_mib"])
    return grown * 2**20 / int(last["number"] - first["number"])


@dataclass(frozen=True)
class Projection:
    """What the assumed size takes."""

    disk_bytes: float
    memory_bytes: float
    peak_requests: float
    postgresql_cores: float
    host_cores: float
    redis_cores: float
    redis_bytes: float
    loaders: float

    @classmethod
    def of(cls, known: Measured, assumed: Assumed) -> Projection:
        each = assumed.messages / assumed.organizations
        searched = min(each, 10_000 * assumed.chats)
        own = (
            each * known.message_bytes + searched * known.searched_bytes + known.organization_bytes
        )
        peak = assumed.organizations * assumed.requests_a_day * assumed.peak / DAY
        keys = assumed.organizations * assumed.keys
        return cls(
            disk_bytes=assumed.organizations * own,
            memory_bytes=assumed.organizations * assumed.active * known.touched_bytes,
            peak_requests=peak,
            postgresql_cores=peak * known.postgresql_seconds / assumed.busy,
            host_cores=peak * known.host_seconds / assumed.busy,
            redis_cores=peak * known.redis_seconds / assumed.busy,
            redis_bytes=keys * known.redis_key_bytes
            + assumed.organizations * assumed.active * known.redis_minute_bytes,
            loaders=assumed.messages / assumed.growth_days / DAY / known.records_a_second,
        )

    def servers(self, assumed: Assumed) -> dict[str, float]:
        """PostgreSQL servers, by what asks for them."""
        return {
            "disk": self.disk_bytes / (assumed.server_tib * TIB * assumed.busy),
            "memory": self.memory_bytes / (assumed.server_gib * GIB * assumed.busy),
            "cores": self.postgresql_cores / assumed.server_cores,
        }

    def workers(self, assumed: Assumed) -> int:
        return ceil(max(self.servers(assumed).values()))

    def money(self, assumed: Assumed) -> dict[str, float]:
        """Dollars a month."""
        workers = self.workers(assumed) * assumed.copies
        server = (
            assumed.server_cores * assumed.price_core
            + assumed.server_gib * assumed.price_gib_memory
            + assumed.server_tib * 1024 * assumed.price_gib_disk
        )
        redis = ceil(self.redis_cores) * assumed.price_core
        redis += self.redis_bytes / GIB * assumed.price_gib_memory
        return {
            "PostgreSQL": workers * server,
            "gunicorn": ceil(self.host_cores) * assumed.price_core,
            "Redis": redis * assumed.copies,
        }


def page(growth: dict[str, Any], hosts: dict[str, Any], assumed: Assumed) -> str:
    """The page in Markdown. It follows from the files and the assumptions."""
    known = measured(growth, hosts)
    whole = Projection.of(known, assumed)
    lines = [
        "# Growth",
        "",
        "This page is written by `python -m bench.project` from what was measured:"
        f" `python -m bench.scale` on {growth['machine']['date']} and `python -m bench.hosts` on"
        f" {hosts['machine']['date']}, {growth['machine']['cores']} cores of an"
        f" {growth['machine']['processor']}. [Scale](scale.md#growth) says what the figures mean.",
    ]
    if not all(one["cores left"] > 0 for one in hosts["cases"].values()):
        lines += [
            "",
            "The machine had no core to spare, because other work shared it: only buffers,"
            " rows, bytes, processor time and ratios among the sets say something.",
        ]
    for axis in AXES:
        lines += ["", f"## {axis.capitalize()}", *tables(axis, points_of(growth, axis))]
        lines += ["", f"![Medians](growth/{axis}.svg)"]
        if distributed := points_of(growth, axis, is_distributed=True):
            lines += ["", f"### {axis.capitalize()} on Citus", *tables(axis, distributed)]
    lines += [*of_hosts(hosts), *projected(known, whole, assumed), *by_size(known, assumed)]
    return "\n".join(lines) + "\n"


def tables(axis: str, points: list[dict[str, Any]]) -> list[str]:
    """How they loaded, and what each request costs at each number."""
    loads = [
        [
            f"{one['number']:,}", f"{one['record_count']:,}",
            f"{speed(one):,.0f}" if speed(one) else "-", f"{one['load_mib']:,.0f}",
            f"{one['database_mib']:,.0f}",
            f"{one['read_mib']:,.1f}" if one["read_mib"] is not None else "-",
        ]
        for one in points
    ]  # fmt: skip
    costs = []
    for name, first in points[0]["figures"].items():
        cells = [one["figures"][name] for one in points]
        shown = [
            f"{cell['median_ms']:.1f} ({cell['buffers']:,}, {cell['rows']:,})" for cell in cells
        ]
        costs.append([name, *shown, f"{cells[-1]['median_ms'] / first['median_ms']:.2f}"])
    head = [
        axis, "records", "loaded in a second of processor time", "loader, MiB", "database, MiB",
        "pages touched, MiB",
    ]  # fmt: skip
    return [
        "", *table(head, loads), "",
        "Median milliseconds of a request, and buffers and rows of its costliest statement:", "",
        *table(["request", *(f"{one['number']:,}" for one in points), "last to first"], costs),
    ]  # fmt: skip


def of_hosts(hosts: dict[str, Any]) -> list[str]:
    rows = [
        [name, f"{one['one host']:,.0f}", f"{one['two hosts']:,.0f}", f"**{one['times']:.2f}**",
         f"{one['share used']:.2f}", f"{one['cores left']:.2f}", f"{one['host ms']:.2f}",
         f"{one['PostgreSQL ms']:.2f}", f"{one['Redis ms']:.2f}"]
        for name, one in hosts["cases"].items()
    ]  # fmt: skip
    head = [
        "request", "one host, a second", "two", "times", "of its share used", "cores left",
        "host, ms", "PostgreSQL, ms", "Redis, ms",
    ]  # fmt: skip
    return ["", "## Hosts", "", *table(head, rows)]


def projected(known: Measured, whole: Projection, assumed: Assumed) -> list[str]:
    """The target, and which formula gives each figure."""
    servers, money = whole.servers(assumed), whole.money(assumed)
    redis = max(ceil(whole.redis_cores), ceil(whole.redis_bytes / (assumed.server_gib * GIB)))
    rows = [
        ["disk", f"{whole.disk_bytes / TIB:,.0f} TiB",
         f"messages × {known.message_bytes:,.0f} B + searched messages ×"
         f" {known.searched_bytes:,.0f} B + organizations × {known.organization_bytes:,.0f} B"],
        ["pages in memory", f"{whole.memory_bytes / TIB:,.1f} TiB",
         f"organizations × {assumed.active:g} × {known.touched_bytes / 2**20:,.1f} MiB"],
        ["requests a second, at the peak", f"{whole.peak_requests:,.0f}",
         f"organizations × {assumed.requests_a_day:,} / 86,400 s × {assumed.peak:g}"],
        ["cores of PostgreSQL", f"{whole.postgresql_cores:,.0f}",
         f"peak × {known.postgresql_seconds * 1e3:,.2f} ms / {assumed.busy:g}"],
        ["PostgreSQL servers (Citus)", f"**{whole.workers(assumed):,}**, each with a standby",
         "the most of " + ", ".join(f"{what} {number:,.1f}" for what, number in servers.items())
         + f", at {assumed.server_cores} cores, {assumed.server_gib} GiB and"
         f" {assumed.server_tib:g} TiB each, {assumed.busy:g} of it used"],
        ["gunicorn workers, a core each", f"**{ceil(whole.host_cores):,}**",
         f"peak × {known.host_seconds * 1e3:,.2f} ms / {assumed.busy:g}"],
        ["Redis", f"{whole.redis_bytes / GIB:,.1f} GiB, **{redis:,}** masters",
         f"keys × {known.redis_key_bytes:,.0f} B + active organizations ×"
         f" {known.redis_minute_bytes:,.0f} B; peak × {known.redis_seconds * 1e3:,.2f} ms /"
         f" {assumed.busy:g}"],
        ["loaders at work at once", f"**{ceil(whole.loaders):,}**",
         f"messages / {assumed.growth_days} days / {known.records_a_second:,.0f} a second"],
        ["dollars a month", f"**{sum(money.values()):,.0f}**",
         ", ".join(f"{name} {value:,.0f}" for name, value in money.items())
         + f", at {assumed.price_core:g} a core, {assumed.price_gib_memory:g} a GiB of memory and"
         f" {assumed.price_gib_disk:g} a GiB of disk"],
    ]  # fmt: skip
    return [
        "", f"## {assumed.organizations:,} organizations, {assumed.messages:,} messages", "",
        f"Assumed, not measured: {assumed.chats} chats and {assumed.keys} keys an organization,"
        f" {assumed.requests_a_day:,} requests a day with a peak of {assumed.peak:g} times the"
        f" mean, all cases of [Hosts](#hosts) equally often, {assumed.active:g} of all"
        " organizations active at once, prices of November 2026. They are fields of `Assumed` in"
        " `bench/project.py`; change them there and run it for figures of your own.", "",
        *table(["", "takes", "by"], rows),
    ]  # fmt: skip


def by_size(known: Measured, assumed: Assumed) -> list[str]:
    """What fills one server first, and how many there are, at smaller sizes."""
    rows = []
    for exponent in range(3, 7):
        size = Assumed(
            organizations=10**exponent,
            messages=assumed.messages // 10 ** (6 - exponent),
        )
        whole = Projection.of(known, size)
        servers, money = whole.servers(size), sum(whole.money(size).values())
        first = max(servers, key=lambda what: servers[what])
        rows.append(
            [f"{size.organizations:,}", f"{size.messages:,}", f"{whole.disk_bytes / TIB:,.2f} TiB",
             f"{max(servers.values()):,.2f}, {first}", f"{whole.host_cores:,.1f}",
             f"{whole.redis_cores:,.2f}", f"{whole.loaders:,.2f}", f"{money:,.0f}"]
        )  # fmt: skip
    head = [
        "organizations", "messages", "disk", "PostgreSQL servers, by what fills first",
        "gunicorn workers", "Redis cores", "loaders", "dollars a month",
    ]  # fmt: skip
    return ["", "## By size", "", *table(head, rows)]


def table(head: list[str], rows: list[list[str]]) -> list[str]:
    return [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows)]


def plot(file: Path, axis: str, points: list[dict[str, Any]]) -> None:
    """The median of each request over what grows."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(9, 6))
    for name in points[0]["figures"]:
        medians = [one["figures"][name]["median_ms"] for one in points]
        axes.plot([one["number"] for one in points], medians, marker="o", label=name, linewidth=1)
    axes.set(xscale="log", yscale="log", xlabel=axis, ylabel="median, ms")
    axes.legend(fontsize=6, ncols=2)
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})
    pyplot.close(figure)


if __name__ == "__main__":
    sys.exit(main())
