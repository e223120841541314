"""Summarize a game day as Markdown tables."""

from collections.abc import Iterable

from tests.gameday.run import Outcome
from tests.soak.report import changes_of, table

HEADER = ["at", "part", "down", "all ready again", "window", "failed requests", "last failure"]


def summary(outcome: Outcome) -> Iterable[str]:
    """Return the counts and the faults."""
    counts = {
        "answers": f"{sum(outcome.answers.values()):,}",
        "**wrong, or failed outside of every window**": f"**{outcome.error_count:,}**",
        "**confirmed writes lost**": f"**{len(outcome.lost_writes):,}**",
        "failed within a window": f"{outcome.failed_count:,}",
        "p99 of all answers": f"{outcome.p99_ms:.1f} ms",
        "changes": changes_of(outcome.changes),
        "repeated commands": f"{outcome.repeated_count:,}",
    }
    yield from table(["", ""], counts.items())
    yield from table(HEADER, _faults(outcome))


def _faults(outcome: Outcome) -> Iterable[list[str]]:
    for fault in outcome.faults:
        last = f"after {fault.last_failed_at - fault.began_at:.1f} s" if fault.failed_count else ""
        yield [
            f"{fault.began_at - outcome.began_at:.0f} s",
            fault.part.name,
            f"{fault.restarted_at - fault.began_at:.1f} s",
            f"after {fault.ready_at - fault.began_at:.1f} s",
            f"{fault.part.window_seconds:g} s",
            f"{fault.failed_count:,}",
            last,
        ]
