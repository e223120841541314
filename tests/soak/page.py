"""docs/soak.md says what the soak did, what it counted and what it proved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median

from orgctx.config.settings import Config
from tests.soak.asks import CONDITIONAL
from tests.soak.run import Outcome
from tests.soak.sampler import Sample

# Workers grow until each of their threads has worked once.
WARM_SHARE = 0.1
TEXT = """# Soak

`make soak` writes this page. The service with {workers} workers, else as shipped, PostgreSQL,
Valkey, {clients} clients and the operators share one machine for {minutes:g} minutes. The clients
read all of REST and MCP in random order, with `If-None-Match`, with `HEAD`, with faults, over a
limit, and with keys that are no longer good. Meanwhile the command line, one change after the
other, reloads two organizations in two versions, withdraws and approves a source of each, and
issues and revokes keys.

Every answer is compared byte for byte with the answer that the same state gave at rest: {learned:,}
were taken before, {confirmed:,} lists of them were held against the plain model of
`tests/properties/model.py`, and none holds a word of another organization. While a change is under
way both the state before and the state after it are right; once its command has ended, only the
latter. `tests/soak/test_soak.py` is the same for some seconds.

{machine}

{counts}

{measures}

Answers by what was asked and their status:

{answers}

![Requests a second, latency, memory and connections over time](soak.svg)
"""


def page(outcome: Outcome, machine: Mapping[str, str]) -> str:
    """The page as Markdown."""
    plan = outcome.plan
    return TEXT.format(
        workers=plan.workers,
        clients=plan.clients,
        minutes=plan.seconds / 60,
        learned=outcome.learned,
        confirmed=outcome.confirmed,
        machine="\n".join(f"{name}: {value}  " for name, value in machine.items()),
        counts=table(["", ""], _counts(outcome)),
        measures=table(
            ["", f"begin, after {WARM_SHARE:.0%}", "end", "most"],
            _measures(outcome.samples, plan.workers),
        ),
        answers=_answers(outcome.answers),
    )


def allowed(seconds: float) -> int:
    """How many requests of an ordinary key the windows of the soak can have allowed."""
    return Config.limit_key * (int(seconds // 60) + 1)


def _counts(outcome: Outcome) -> list[list[str]]:
    changes = ", ".join(f"{count} `{name}`" for name, count in sorted(outcome.changes.items()))
    most, log = max(outcome.admitted.values(), default=0), outcome.log
    return [
        ["answers", f"{sum(outcome.answers.values()):,}"],
        ["**wrong, lost, or later than 30 s**", f"**{outcome.wrongs:,}**"],
        ["given while a change was under way", f"{outcome.in_flight:,}"],
        ["of these: read key and sources before it, data after it", f"{outcome.mixed:,}"],
        ["changes", changes],
        ["admitted of one ordinary key, allowed", f"{most:,}, {allowed(outcome.plan.seconds):,}"],
        ["lines logged", f"{log['lines']:,}"],
        ["with a fault, with a key, with text of a source",
         f"{log['faults']}, {log['keys']}, {log['texts']}"],
    ]  # fmt: skip


def _measures(samples: Sequence[Sample], workers: int) -> list[list[str]]:
    """Medians of the first and last tenth after the start, and the maximum."""
    warm = samples[int(WARM_SHARE * len(samples)) :]
    pool = workers * Config.database_pool_size
    measures: dict[str, list[float]] = {
        "memory of all processes (PSS), MiB": [sum(one.pss_mib) for one in warm],
        "memory of the largest worker": [max(one.pss_mib[1:], default=0) for one in warm],
        "open descriptors": [one.descriptors for one in warm],
        f"connections to PostgreSQL, at most {pool}": [one.database_connections for one in warm],
        "connections to Redis": [one.redis_connections for one in warm],
        "requests a second": [one.requests for one in warm],
        "p50, ms": [one.p50_ms for one in warm],
        "p99, ms": [one.p99_ms for one in warm],
    }
    part = max(1, len(warm) // 10)
    return [
        [name, *(f"{n:,.1f}" for n in (median(all_[:part]), median(all_[-part:]), max(all_)))]
        for name, all_ in measures.items()
    ]


def _answers(answers: Counter[tuple[str, int]]) -> str:
    statuses = sorted({status for _, status in answers})
    kinds = sorted({kind for kind, _ in answers}, key=lambda kind: (kind == CONDITIONAL, kind))
    rows = [[kind, *(f"{answers[kind, status]:,}" for status in statuses)] for kind in kinds]
    return table(["", *map(str, statuses)], rows)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
