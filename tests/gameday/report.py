"""docs/gameday.md and its picture."""

from __future__ import annotations

from math import isfinite
from pathlib import Path

from tests.gameday.run import Outcome
from tests.soak.chart import Line, Span, chart
from tests.soak.page import table
from tests.soak.report import machine

TEXT = """# Game day

`make gameday` writes this page. {clients} clients ask HAProxy, which shares their requests
among three hosts of one worker; behind these are PostgreSQL with a streaming replica that serves
reads, and Redis with two replicas and three Sentinels. Everything runs on one machine for
{minutes:g} minutes, under the mixed load of the [soak](soak.md), while operators reload, approve,
withdraw, issue and revoke.

Meanwhile each part is killed and restarted once, in an order that a seed decides. A request may
fail (502, 503, 504 or a lost connection) from the moment of the kill until the part's window after
its restart has closed. What is answered must be right, byte for byte, at any time. A command of an
operator that fails is given again. At the end every answer is compared with the last state that a
command has confirmed.

{machine}

{counts}

{faults}

A host or a replica costs no request, because another one is asked. The primary, the master of Redis
and the balancer are one each, so requests fail until they are back or replaced.

![Requests, errors and latency over time, with the faults](gameday.svg)
"""


def write(outcome: Outcome, docs: Path) -> None:
    """docs/gameday.md and docs/gameday.svg."""
    docs.mkdir(parents=True, exist_ok=True)
    docs.joinpath("gameday.md").write_text(_page(outcome), "utf-8")
    docs.joinpath("gameday.svg").write_text(_plot(outcome), "utf-8")


def _page(outcome: Outcome) -> str:
    changes = ", ".join(f"{count} `{name}`" for name, count in sorted(outcome.changes.items()))
    told = machine("tests.gameday")
    return TEXT.format(
        clients=outcome.plan.clients,
        minutes=outcome.plan.seconds / 60,
        machine="\n".join(f"{name}: {value}  " for name, value in told.items()),
        counts=table(
            ["", ""],
            [
                ["answers", f"{sum(outcome.answers.values()):,}"],
                ["**wrong, or failed outside of every window**", f"**{outcome.wrongs:,}**"],
                ["**confirmed writes that are gone at the end**", f"**{len(outcome.lost):,}**"],
                ["failed within a window", f"{outcome.errors:,}"],
                ["changes", changes],
                ["commands that were given again", f"{outcome.again:,}"],
            ],
        ),
        faults=table(
            ["at", "part", "how", "away", "all ready again", "window", "requests failed",
             "last of them"],
            [
                [
                    f"{fault.began - outcome.began:.0f} s",
                    fault.part.name,
                    fault.part.how,
                    f"{fault.restarted - fault.began:.1f} s",
                    f"after {fault.ready - fault.began:.1f} s",
                    f"{fault.part.window_seconds:g} s",
                    f"{fault.errors:,}",
                    f"after {fault.last_error - fault.began:.1f} s" if fault.errors else "",
                ]
                for fault in outcome.faults
            ],
        ),
    )  # fmt: skip


def _plot(outcome: Outcome) -> str:
    seconds = outcome.seconds
    spans = [
        Span(fault.part.name, fault.began - outcome.began, fault.ready - outcome.began)
        for fault in outcome.faults
        if isfinite(fault.ready)
    ]
    charts = {
        "Requests a second": [Line("answered", [one.requests for one in seconds])],
        "Failed requests a second": [Line("failed", [one.errors for one in seconds])],
        "Latency, ms": [Line("p99", [one.p99_ms for one in seconds])],
    }
    return chart(charts, [one.at for one in seconds], spans)
