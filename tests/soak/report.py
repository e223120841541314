"""Write a summary of a soak or a game day as Markdown tables."""

import os
import platform
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from tempfile import mkdtemp

from orgctx.config.settings import Config
from tests.soak.run import Outcome


def write(
    name: str, lines: Iterable[str], errors: Sequence[str], output: Path | None = None
) -> None:
    """Print the summary and the first errors, and write the summary.

    Args:
        output: the file; by default one in a new folder of the system's temporary files.
    """
    output = output or Path(mkdtemp(prefix="orgctx-"), f"{name}.md")
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    system = f"{platform.system()} {platform.release()}, Python {platform.python_version()}"
    header = f"`python -m tests.{name}`, {now}, {os.cpu_count()} cores, {system}"
    output.parent.mkdir(parents=True, exist_ok=True)
    text = "\n".join([header, "", *lines, ""])
    output.write_text(text, "utf-8")
    print(text)
    print(f"written to {output}", file=sys.stderr)
    print(*errors, sep="\n", file=sys.stderr)


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a Markdown table and an empty line."""
    return [*(f"| {' | '.join(row)} |" for row in (header, ["---"] * len(header), *rows)), ""]


def allowed(seconds: float) -> int:
    """Return how many requests of an ordinary key the windows of a soak can allow."""
    return Config.limit_key * (int(seconds // 60) + 1)


def changes_of(changes: Counter[str]) -> str:
    return ", ".join(f"{count} `{name}`" for name, count in sorted(changes.items()))


def summary(outcome: Outcome) -> Iterable[str]:
    """Return the counts, the measures over time and the statuses of a soak."""
    log = outcome.log
    admitted = max(outcome.clients.admitted.values(), default=0)
    counts = {
        "expected answers": f"{outcome.learned_count:,}",
        "answers": f"{sum(outcome.clients.answers.values()):,}",
        "**wrong, lost, or later than 30 s**": f"**{outcome.clients.error_count:,}**",
        "wrong answers by kind": changes_of(outcome.clients.wrong),
        "stress": changes_of(outcome.stress),
        "answered during a change": f"{outcome.clients.during_change_count:,}",
        "of these with parts of both states": f"{outcome.clients.mixed_count:,}",
        "changes": changes_of(outcome.changes),
        "requests of one key admitted, allowed": f"{admitted:,}, {allowed(outcome.plan.seconds):,}",
        "log lines; with an error, a key, a source's text":
            f"{log['lines']:,}; {log['errors']}, {log['keys']}, {log['texts']}",
    }  # fmt: skip
    yield from table(["", ""], counts.items())
    yield from table(["", "first tenth", "last tenth", "maximum"], _measures(outcome))
    statuses = sorted({status for _, status in outcome.clients.answers})
    rows = [
        [kind, *(f"{outcome.clients.answers[kind, status]:,}" for status in statuses)]
        for kind in sorted({kind for kind, _ in outcome.clients.answers})
    ]
    yield from table(["answers", *map(str, statuses)], rows)


def _measures(outcome: Outcome) -> Iterable[list[str]]:
    """Yield medians and maxima, without the first tenth, in which the workers still grow."""
    samples = outcome.samples[len(outcome.samples) // 10 :]
    tenth = max(1, len(samples) // 10)
    measures: dict[str, list[float]] = {
        "memory of all processes (PSS), MiB": [sum(each.pss_mib) for each in samples],
        "memory of the largest worker, MiB": [max(each.pss_mib[1:], default=0) for each in samples],
        "open file descriptors": [each.descriptors for each in samples],
        "connections to PostgreSQL": [each.database_connections for each in samples],
        "connections to Redis": [each.redis_connections for each in samples],
        "requests a second": [each.requests for each in samples],
        "p50, ms": [each.p50_ms for each in samples],
        "p99, ms": [each.p99_ms for each in samples],
    }
    for name, values in measures.items():
        columns = median(values[:tenth]), median(values[-tenth:]), max(values)
        yield [name, *(f"{each:,.1f}" for each in columns)]
