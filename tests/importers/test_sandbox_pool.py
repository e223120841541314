"""Sandboxes share work; a request that fails costs only its own result."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable
from concurrent.futures import Future
from typing import Any

import pytest

from orgctx.importers import sandbox_pool
from orgctx.importers.sandbox import Sandbox, SandboxError
from orgctx.importers.sandbox_pool import SandboxPool

LIMITS: dict[str, Any] = {"seconds": 60, "memory": 256 << 20}


def call(request: Any, sandbox: Sandbox) -> Any:
    return sandbox(request)


def outcome(future: Future[Any]) -> Any:
    try:
        return future.result()
    except SandboxError as error:
        return str(error)


def outcomes(function: str, requests: Iterable[Any]) -> list[Any]:
    with SandboxPool(function, **LIMITS) as pool:
        return [outcome(future) for _, future in pool.map(call, requests)]


@pytest.fixture(params=[1, 3])
def size(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(sandbox_pool, "_processors", lambda: request.param)
    return int(request.param)


@pytest.mark.usefixtures("size")
def test_pool_returns_results_in_order() -> None:
    lists = [[number, -number] for number in range(20)]
    assert outcomes("builtins:sorted", lists) == [sorted(numbers) for numbers in lists]


@pytest.mark.usefixtures("size")
def test_request_that_ends_its_process_costs_one_result() -> None:
    results = outcomes("signal:raise_signal", [0, 9, 0, 0, 9, 0])
    assert [result is None for result in results] == [True, False, True, True, False, True]
    assert "ended by signal 9" in results[1]


@pytest.mark.usefixtures("size")
def test_request_leaves_nothing_behind() -> None:
    """`umask` changes the process and returns the value before the change."""
    first, *others = outcomes("os:umask", range(8))
    assert others == [first] * 7


def test_killed_sandbox_costs_one_result_and_is_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sandbox_pool, "_processors", lambda: 1)

    def parent_id(is_killed: bool, sandbox: Sandbox) -> int:
        status = dict(line.split(":", 1) for line in sandbox("/proc/self/status"))
        if is_killed:
            os.kill(int(status["PPid"]), signal.SIGKILL)
        return int(status["PPid"])

    with SandboxPool("linecache:getlines", **LIMITS) as pool:
        tasks = [False, True, False, False]
        first, same, failed, other = (outcome(future) for _, future in pool.map(parent_id, tasks))
    assert first == same
    assert "ended by signal 9" in failed
    assert isinstance(other, int)
    assert other != first


def test_pool_takes_few_tasks_early(size: int) -> None:
    taken = []

    def tasks() -> Iterable[int]:
        for number in range(30):
            taken.append(number)
            yield number

    with SandboxPool("builtins:abs", **LIMITS) as pool:
        for done, _ in enumerate(pool.map(call, tasks())):
            assert len(taken) <= done + sandbox_pool.MAX_PENDING * size


@pytest.mark.usefixtures("size")
def test_pool_that_is_left_early_ends_its_processes() -> None:
    with SandboxPool("time:sleep", seconds=3600, memory=256 << 20) as pool:
        next(iter(pool.map(call, [0, 3600, 3600, 3600, 3600, 3600, 3600])))
