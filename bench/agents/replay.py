"""Replay tasks against an MCP endpoint, and summarize what they cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from statistics import mean

from bench.agents.session import Answered, Call, Send, Session
from bench.agents.strategies import STRATEGIES
from bench.agents.tasks import Task

COLUMNS = ["found", "calls", "KB", "searches", "empty", "only partial"]


@dataclass(frozen=True)
class Outcome:
    """What the answer to one question cost."""

    task: Task
    is_found: bool  # or, if there is no answer, nothing secret was shown
    calls: list[Call]
    search_count: int
    empty_count: int  # searches that returned nothing
    partial_count: int  # searches that returned only records with some of the words

    @property
    def result_bytes(self) -> int:
        """Return the size of all results."""
        return sum(call.result_bytes for call in self.calls)


def replay(tasks: Iterable[Task], send: Send) -> Iterator[Outcome]:
    """Yield the outcome of each task."""
    tools = {tool["name"]: tool for tool in send("tools/list", {})["tools"]}
    for task in tasks:
        session = Session(send, tools, task.answers)
        with suppress(Answered):
            STRATEGIES[task.kind](session, task)
        is_found = session.has_answer() and not any(map(session.has_seen, task.secrets))
        yield Outcome(
            task,
            is_found,
            session.calls,
            session.search_count,
            session.empty_count,
            session.partial_count,
        )


def rows(outcomes: Sequence[Outcome]) -> Iterator[list[str]]:
    """Yield the cells of COLUMNS for each kind of task and for all: means of a question."""
    for kind in dict.fromkeys(outcome.task.kind for outcome in outcomes):
        yield [kind, *_cells([outcome for outcome in outcomes if outcome.task.kind == kind])]
    yield ["all", *_cells(outcomes)]


def _cells(outcomes: Sequence[Outcome]) -> list[str]:
    return [
        f"{sum(outcome.is_found for outcome in outcomes)} of {len(outcomes)}",
        f"{mean(len(outcome.calls) for outcome in outcomes):.1f}",
        f"{mean(outcome.result_bytes for outcome in outcomes) / 1e3:.1f}",
        *(
            f"{sum(counts)}"
            for counts in (
                [outcome.search_count for outcome in outcomes],
                [outcome.empty_count for outcome in outcomes],
                [outcome.partial_count for outcome in outcomes],
            )
        ),
    ]
