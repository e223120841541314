"""Write the samples of `bench.compare` as Markdown tables and JSON."""

import os
import platform
import shlex
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

import orjson

MEASURES = {
    "requests_per_second": "requests a second",
    "p50_ms": "p50, ms",
    "p99_ms": "p99, ms",
    "cpu_us": "server CPU, µs a request",
}
Row = dict[str, Any]


def write(folder: Path, samples: Sequence[Any], memory: dict[str, float]) -> str:
    """Write compare.md and compare.json.

    Args:
        memory: MiB of a worker by server; the ratios compare all others with the first server.

    Returns:
        The text of compare.md.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rows = summarize(samples, [*memory])
    document = {
        "machine": machine(),
        "worker_mebibytes": memory,
        "summary": rows,
        "samples": [asdict(sample) for sample in samples],
    }
    text = _markdown(rows, memory)
    folder.joinpath("compare.json").write_bytes(orjson.dumps(document, option=orjson.OPT_INDENT_2))
    folder.joinpath("compare.md").write_text(text, "utf-8")
    return text


def machine() -> dict[str, str]:
    """Return the time, the machine and the command of this process."""
    module = sys.modules["__main__"].__spec__
    model = Path("/proc/cpuinfo").read_text("utf-8").partition("model name")[2].splitlines()[:1]
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "processor": f"{os.cpu_count()} cores, " + "".join(model).strip("\t :"),
        "system": f"{platform.system()} {platform.release()}, Python {platform.python_version()}",
        "command": shlex.join(["python", "-m", module.name if module else "?", *sys.argv[1:]]),
    }


def summarize(samples: Sequence[Any], servers: list[str]) -> list[Row]:
    """Return the medians of each case, connection count and server, and the ratios."""
    groups: dict[tuple[str, int], dict[str, list[Any]]] = {}
    for sample in samples:
        group = groups.setdefault((sample.case, sample.connections), {})
        group.setdefault(sample.server, []).append(sample)
    rows = []
    for (case, connections), by_server in groups.items():
        first = {sample.round: sample for sample in by_server[servers[0]]}
        for server in filter(by_server.get, servers):
            some = by_server[server]
            medians = {name: median(getattr(each, name) for each in some) for name in MEASURES}
            row = {"case": case, "connections": connections, "server": server}
            rows.append(row | medians | _ratios(first, some))
    return rows


def _ratios(first: dict[int, Any], samples: Sequence[Any]) -> dict[str, float]:
    """Return how many times the throughput and the work per processor second are larger."""
    pairs = [(first[each.round], each) for each in samples]
    return {
        "ratio": median(a.requests_per_second / b.requests_per_second for a, b in pairs),
        "cpu_ratio": median(b.cpu_us / a.cpu_us for a, b in pairs),
    }


def _markdown(rows: list[Row], memory: dict[str, float]) -> str:
    first, *others = memory
    lines = [f"{name}: {value}  " for name, value in machine().items()]
    lines += ["", f"## Requests a second of {first}, relative to each server", ""]
    lines += table(["case", "connections", *others], _ratio_rows(rows, others, "ratio"))
    lines += ["", f"## Requests per processor second of {first}, relative to each server", ""]
    lines += table(["case", "connections", *others], _ratio_rows(rows, others, "cpu_ratio"))
    lines += ["", "## Medians", ""]
    lines += table(["case", "connections", "server", *MEASURES.values()], map(_median_row, rows))
    lines += ["", "## Memory of a worker (PSS)", ""]
    lines += table(["server", "MiB"], ([name, f"{size:.0f}"] for name, size in memory.items()))
    return "\n".join(lines) + "\n"


def _ratio_rows(rows: list[Row], others: list[str], measure: str) -> Iterable[list[str]]:
    ratios: dict[tuple[str, int], dict[str, float]] = {}
    for row in rows:
        ratios.setdefault((row["case"], row["connections"]), {})[row["server"]] = row[measure]
    for (case, connections), by_server in ratios.items():
        cells = [f"{by_server[other]:.2f}" if other in by_server else "-" for other in others]
        yield [case, str(connections), *cells]


def _median_row(row: Row) -> list[str]:
    medians = [f"{row[name]:,.{2 if name.endswith('ms') else 0}f}" for name in MEASURES]
    return [row["case"], str(row["connections"]), row["server"], *medians]


def table(header: list[str], rows: Iterable[list[str]]) -> list[str]:
    """Return the lines of a Markdown table."""
    return [f"| {' | '.join(cells)} |" for cells in (header, ["---"] * len(header), *rows)]
