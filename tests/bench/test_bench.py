"""The benches measure what they say: tasks have answers, and imports are whole."""

import sys
from collections.abc import Iterator
from statistics import mean

import pytest

from bench.agents.replay import Outcome, replay
from bench.agents.strategies import STRATEGIES
from bench.agents.tasks import tasks
from orgctx.demo import identities, organization
from tests.mcp.endpoint import Endpoint
from tests.support.deployment import Deployment
from tests.support.processes import run

TASKS = tasks()


@pytest.fixture(scope="module")
def outcomes(module_deployment: Deployment) -> Iterator[list[Outcome]]:
    """What the answers of the tasks on the demo cost."""
    module_deployment.load(organization.records())
    module_deployment.approve(
        identities.ORGANIZATION_ID, identities.DEMO_ADMIN_ID, *organization.APPROVED
    )
    key = module_deployment.issue_key(identities.ORGANIZATION_ID, identities.DEMO_ADMIN_ID)
    chosen = [task for task in TASKS if task.organization == "demo"]
    with module_deployment.app() as app:
        yield list(replay(chosen, Endpoint(app.test_client(), key).result))


def test_tasks_are_different_and_well_formed() -> None:
    assert len({task.question for task in TASKS}) == len(TASKS) >= 60
    assert {task.kind for task in TASKS} == STRATEGIES.keys()
    assert {task.organization for task in TASKS} == {"demo", "generated"}
    for task in TASKS:
        assert task.question.endswith((".", "?"))
        assert len(set(task.queries)) == len(task.queries)
        assert bool(task.answers) == (task.kind != "unanswerable")
        assert task.organization == "generated" or not task.planted


@pytest.mark.thorough
def test_every_answer_of_the_demo_is_found(outcomes: list[Outcome]) -> None:
    assert [outcome.task.question for outcome in outcomes if not outcome.is_found] == []
    assert all(outcome.session.calls for outcome in outcomes)


@pytest.mark.thorough
def test_answers_from_the_demo_cost_little(outcomes: list[Outcome]) -> None:
    sessions = [outcome.session for outcome in outcomes]
    assert mean(len(session.calls) for session in sessions) <= 2.5
    assert mean(session.result_bytes for session in sessions) <= 9_000
    assert sum(session.empty_count for session in sessions) == 0


@pytest.mark.thorough
def test_imports_are_measured() -> None:
    counts = ["--messages", "20", "--documents", "2", "--markdown", "2", "--telegram", "300"]
    printed = run(sys.executable, "-m", "bench.imports", *counts)
    assert printed.count(", first |") == printed.count(", unchanged |") == 4
