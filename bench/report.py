"""Writes samples as a table in Markdown, as JSON, and as plots in SVG."""

from __future__ import annotations

import os
import platform
import shlex
import sys
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

import matplotlib
import orjson

matplotlib.use("svg")
from matplotlib import pyplot

MEASURES = {
    "requests_per_second": "Requests a second",
    "p50_ms": "p50, ms",
    "p99_ms": "p99, ms",
    "cpu_us": "Server CPU, µs a request",
}


def write(
    folder: Path, samples: Sequence[Any], memory: dict[str, float], servers: list[str]
) -> None:
    """results.md, results.json and one plot for each number of connections."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = summarise(samples, servers)
    document = {
        "machine": machine(),
        "worker_mebibytes": memory,
        "summary": rows,
        "samples": [asdict(sample) for sample in samples],
    }
    folder.joinpath("results.json").write_bytes(orjson.dumps(document, option=orjson.OPT_INDENT_2))
    folder.joinpath("results.md").write_text(markdown(rows, memory, servers), "utf-8")
    for connections in sorted({row["connections"] for row in rows}):
        chosen = [row for row in rows if row["connections"] == connections]
        title = f"Requests a second at {connections} connections"
        plot(folder / f"throughput-{connections}.svg", chosen, servers, title)


def machine(module: str = "bench.compare") -> dict[str, str]:
    """What it ran on, and how it was called."""
    return where() | {"command": shlex.join(["python", "-m", module, *sys.argv[1:]])}


def where() -> dict[str, str]:
    """When it ran, and on what."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.release()}, Python {platform.python_version()}",
    }


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def summarise(samples: Sequence[Any], servers: list[str]) -> list[dict[str, Any]]:
    """Medians of each case, connections and server, and ratios of the first to each other."""
    groups: dict[tuple[str, int], dict[str, list[Any]]] = {}
    for sample in samples:
        group = groups.setdefault((sample.case, sample.connections), {})
        group.setdefault(sample.server, []).append(sample)
    rows = []
    for (case, connections), by_server in groups.items():
        own = {sample.round: sample for sample in by_server[servers[0]]}
        for server in servers:
            if found := by_server.get(server):
                numbers = {name: median(getattr(each, name) for each in found) for name in MEASURES}
                row = {"case": case, "connections": connections, "server": server}
                rows.append(row | numbers | _ratios(own, found))
    return rows


def _ratios(own: dict[int, Any], found: Sequence[Any]) -> dict[str, float]:
    """How many times the throughput, and how many times the work for a processor second."""
    pairs = [(own[each.round], each) for each in found]
    return {
        "ratio": median(a.requests_per_second / b.requests_per_second for a, b in pairs),
        # Short turns of slow requests may use less than one tick of the clock.
        "cpu_ratio": median(b.cpu_us / a.cpu_us if a.cpu_us else 1.0 for a, b in pairs),
    }


def markdown(rows: list[dict[str, Any]], memory: dict[str, float], servers: list[str]) -> str:
    """The table, and the ratios at each number of connections."""
    first = servers[0]
    lines = [f"{name}: {value}  " for name, value in machine().items()]
    lines += ["", f"## {first} relative to each peer (requests a second)", ""]
    others = [server for server in servers if server != first]
    head = ["case", "connections", *others]
    lines += table(head, _ratio_rows(rows, others, "ratio"))
    lines += ["", f"## Requests that {first} answers with a processor second, relative to each", ""]
    lines += table(head, _ratio_rows(rows, others, "cpu_ratio"))
    lines += ["", "## Medians", ""]
    head = ["case", "connections", "server", *MEASURES.values()]
    lines += table(head, [_median_row(row) for row in rows])
    lines += ["", "## Memory of a worker (PSS)", ""]
    lines += table(["server", "MiB"], [[name, f"{size:.0f}"] for name, size in memory.items()])
    return "\n".join(lines) + "\n"


def _ratio_rows(rows: list[dict[str, Any]], others: list[str], which: str) -> list[list[str]]:
    ratios: dict[tuple[str, int], dict[str, float]] = {}
    for row in rows:
        ratios.setdefault((row["case"], row["connections"]), {})[row["server"]] = row[which]
    return [
        [case, str(connections)]
        + [f"{by_server[other]:.2f}" if other in by_server else "-" for other in others]
        for (case, connections), by_server in ratios.items()
    ]


def _median_row(row: dict[str, Any]) -> list[str]:
    numbers = (row["requests_per_second"], row["p50_ms"], row["p99_ms"], row["cpu_us"])
    places = (0, 2, 2, 0)
    shown = [f"{number:,.{place}f}" for number, place in zip(numbers, places, strict=True)]
    return [row["case"], str(row["connections"]), row["server"], *shown]


def table(head: list[str], rows: list[list[str]]) -> list[str]:
    return [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows)]


def plot(file: Path, rows: list[dict[str, Any]], servers: list[str], title: str) -> None:
    """Requests a second of every case relative to the first server, which is 1."""
    by_case: dict[str, dict[str, float]] = {}
    for row in rows:
        by_case.setdefault(row["case"], {})[row["server"]] = row["requests_per_second"]
    figure, axes = pyplot.subplots(figsize=(9, 0.5 + 0.16 * len(rows) + 0.2 * len(by_case)))
    height = 0.8 / len(servers)
    for index, server in enumerate(servers):
        able = [(at, one) for at, one in enumerate(by_case.values()) if server in one]
        ratios = [one[server] / one[servers[0]] for _, one in able]
        axes.barh([at + index * height for at, _ in able], ratios, height, label=server)
    axes.set_yticks([number + 0.4 - height / 2 for number in range(len(by_case))], list(by_case))
    axes.invert_yaxis()
    axes.axvline(1, color="black", linewidth=0.5)
    axes.set(title=title, xlabel=f"requests a second, {servers[0]} = 1")
    axes.legend(fontsize="small")
    figure.savefig(file, bbox_inches="tight", metadata={"Date": None})
    pyplot.close(figure)
