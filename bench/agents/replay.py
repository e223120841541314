"""Replay tasks against an MCP endpoint, and summarize what they cost."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from statistics import mean

from bench.agents.session import Answered, Send, Session
from bench.agents.strategies import STRATEGIES, bag_of_words, look_up
from bench.agents.tasks import Task

COLUMNS = ["found", "calls", "KB", "searches", "empty", "only partial", "weak agent"]


@dataclass(frozen=True)
class Outcome:
    """How an agent answered one question."""

    task: Task
    is_found: bool  # or, if there is no answer, nothing secret was shown
    session: Session
    weak: Session | None  # one search of a weak agent, where search answers the question

    @property
    def cause(self) -> str:
        """Why the question took more than one call; empty if it did not."""
        first, *more = [call.tool for call in self.session.calls]
        if not more:
            return ""
        if self.session.empty_count:
            return "a search found nothing"
        return "searched again" if first in more else f"{more[0]} after {first}"


def replay(tasks: Iterable[Task], send: Send) -> Iterator[Outcome]:
    """Yield the outcome of each task."""
    tools = {tool["name"]: tool for tool in send("tools/list", {})["tools"]}
    for task in tasks:
        session = Session(send, tools, task.answers)
        with suppress(Answered):
            STRATEGIES[task.kind](session, task)
        is_found = session.has_answer() and not any(map(session.has_seen, task.secrets))
        weak = None
        if STRATEGIES[task.kind] is look_up and task.answers:
            weak = Session(send, tools, task.answers)
            with suppress(Answered):
                bag_of_words(weak, task)
        yield Outcome(task, is_found, session, weak)


def causes(outcomes: Iterable[Outcome]) -> list[list[str]]:
    """Return how many questions took more than one call for each cause, the most frequent first."""
    counts = Counter(outcome.cause for outcome in outcomes if outcome.cause)
    return [[cause, str(count)] for cause, count in counts.most_common()]


def tools(outcomes: Iterable[Outcome]) -> list[list[str]]:
    """Return the calls of each tool and the mean KB of their results, the most in all first."""
    sizes: dict[str, list[int]] = defaultdict(list)
    for outcome in outcomes:
        for call in outcome.session.calls:
            sizes[call.tool].append(call.result_bytes)
    ranked = sorted(sizes.items(), key=lambda item: -sum(item[1]))
    return [[tool, str(len(each)), f"{mean(each) / 1e3:.1f}"] for tool, each in ranked]


def rows(outcomes: Sequence[Outcome]) -> Iterator[list[str]]:
    """Yield the cells of COLUMNS for each kind of task and for all: means of a question."""
    for kind in dict.fromkeys(outcome.task.kind for outcome in outcomes):
        yield [kind, *_cells([outcome for outcome in outcomes if outcome.task.kind == kind])]
    yield ["all", *_cells(outcomes)]


def _cells(outcomes: Sequence[Outcome]) -> list[str]:
    sessions = [outcome.session for outcome in outcomes]
    weak = [outcome.weak for outcome in outcomes if outcome.weak]
    return [
        f"{sum(outcome.is_found for outcome in outcomes)} of {len(outcomes)}",
        f"{mean(len(session.calls) for session in sessions):.1f}",
        f"{mean(session.result_bytes for session in sessions) / 1e3:.1f}",
        f"{sum(session.search_count for session in sessions)}",
        f"{sum(session.empty_count for session in sessions)}",
        f"{sum(session.partial_count for session in sessions)}",
        f"{sum(session.has_answer() for session in weak)} of {len(weak)}",
    ]
