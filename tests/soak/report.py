"""The outcome as JSON, as a page and as a plot."""

from __future__ import annotations

import os
import platform
import shlex
import sys
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import orjson

from tests.soak.chart import Line, chart
from tests.soak.page import page
from tests.soak.run import Outcome
from tests.soak.sampler import Sample


def write(outcome: Outcome, results: Path, docs: Path) -> None:
    """results/soak.json, docs/soak.md and docs/soak.svg."""
    for folder in (results, docs):
        folder.mkdir(parents=True, exist_ok=True)
    found = machine("tests.soak")
    results.joinpath("soak.json").write_bytes(_json(outcome, found))
    docs.joinpath("soak.md").write_text(page(outcome, found), "utf-8")
    docs.joinpath("soak.svg").write_text(_plot(outcome.samples), "utf-8")


def machine(module: str) -> dict[str, str]:
    """What it ran on, and how the module was called."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.release()}, Python {platform.python_version()}",
        "command": shlex.join(["python", "-m", module, *sys.argv[1:]]),
    }


def _json(outcome: Outcome, machine: dict[str, str]) -> bytes:
    answers = [[kind, status, count] for (kind, status), count in outcome.answers.items()]
    document = {
        "machine": machine,
        "plan": asdict(outcome.plan),
        "learned": outcome.learned,
        "confirmed": outcome.confirmed,
        "wrong": {"count": outcome.wrongs, "first": outcome.wrong},
        "in_flight": outcome.in_flight,
        "of_both_states": outcome.mixed,
        "changes": dict(outcome.changes),
        "answers": answers,
        "log": dict(outcome.log),
        "samples": [asdict(sample) for sample in outcome.samples],
    }
    return orjson.dumps(document, option=orjson.OPT_INDENT_2)


def _plot(samples: Sequence[Sample]) -> str:
    processes = max((len(one.pss_mib) for one in samples), default=0)
    memory = [
        Line(f"worker {place}" if place else "master", [_of(one.pss_mib, place) for one in samples])
        for place in range(processes)
    ]
    charts = {
        "Requests a second": [Line("requests", [one.requests for one in samples])],
        "Latency, ms": [
            Line("p50", [one.p50_ms for one in samples]),
            Line("p99", [one.p99_ms for one in samples]),
        ],
        "Memory (PSS), MiB": memory,
        "Connections and descriptors": [
            Line("PostgreSQL", [one.database_connections for one in samples]),
            Line("Redis", [one.redis_connections for one in samples]),
            Line("descriptors", [one.descriptors for one in samples]),
        ],
    }
    return chart(charts, [one.at for one in samples])


def _of(sizes: Sequence[float], place: int) -> float:
    """The size of a process; 0 if it was being replaced when it was counted."""
    return sizes[place] if place < len(sizes) else 0
