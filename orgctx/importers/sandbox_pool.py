"""Run requests in several sandboxes at once and return their results in order."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import TypeVar

from orgctx.importers.sandbox import Sandbox

# Each sandbox may use the memory limit of one request.
MAX_SANDBOXES = 4
# Limits memory: the number of tasks per sandbox that are submitted and not yet yielded.
MAX_PENDING = 2

Task = TypeVar("Task")
Result = TypeVar("Result")


class SandboxPool:
    """A context manager that holds sandboxes, at most one for each processor.

    Arguments are those of Sandbox. A request that fails does not affect the others.
    """

    def __init__(
        self, function: str, *, seconds: int, memory: int, preloaded: Iterable[str] = ()
    ) -> None:
        self._size = min(MAX_SANDBOXES, _processors())
        modules = tuple(preloaded)
        self._sandboxes = [
            Sandbox(function, seconds=seconds, memory=memory, preloaded=modules)
            for _ in range(self._size)
        ]
        self._idle: SimpleQueue[Sandbox] = SimpleQueue()
        for sandbox in self._sandboxes:
            self._idle.put(sandbox)
        # The threads only wait: all work is done in the sandboxes.
        self._threads = ThreadPoolExecutor(self._size)

    def __enter__(self) -> SandboxPool:
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        for sandbox in self._sandboxes:
            sandbox.kill()
        self._threads.shutdown()
        for sandbox in self._sandboxes:
            sandbox.__exit__()

    def map(
        self, run: Callable[[Task, Sandbox], Result], tasks: Iterable[Task]
    ) -> Iterator[tuple[Task, Future[Result]]]:
        """Yield the tasks in their order, each with the future of `run(task, sandbox)`.

        Takes the next task from the iterable only while fewer than MAX_PENDING per sandbox are
        pending.
        """
        pending: deque[tuple[Task, Future[Result]]] = deque()
        for task in tasks:
            pending.append((task, self._threads.submit(self._run, run, task)))
            if len(pending) >= MAX_PENDING * self._size:
                yield pending.popleft()
        while pending:
            yield pending.popleft()

    def _run(self, run: Callable[[Task, Sandbox], Result], task: Task) -> Result:
        sandbox = self._idle.get()
        try:
            return run(task, sandbox)
        finally:
            self._idle.put(sandbox)


def _processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
