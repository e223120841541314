"""Read untrusted files within limits: in sandboxed processes, or in this one for a limited time.

A sandboxed process has no network, starts no program, writes no file, reads only the files that its
request names and the program, inherits no environment variables, and is limited in memory and time.
All of these are limits of the kernel, which bind C libraries too.

Each request runs in a process of its own, so that no file affects how another one is read. These
processes are forks of one that has imported the libraries, because the import takes longer than
most files.

Other systems than Linux, and older kernels, lack some means: `lockdown.lacking` names them.
"""

import gc
import os
import resource
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from importlib import import_module
from select import select
from time import monotonic, process_time
from typing import Any, TypeVar

import orjson

from orgctx.importers.lockdown import IS_LINUX, end_with_parent, restrict

CHUNK = 1024 * 1024
NEWLINE = orjson.OPT_APPEND_NEWLINE
# Processes of a sandbox; each may use the memory limit of one request.
MAX_PROCESSES = 4
# Limits memory: the number of tasks per process that are submitted and not yet yielded.
MAX_PENDING = 2
FILE_SECONDS = 60
# How many times as long a request may last: a busy machine gives it a part of a processor.
PATIENCE = 10
# Python drops an exception that a signal raises in a finalizer, so the signal repeats.
REPEAT_SECONDS = 1.0

TOO_LONG = "took longer than {:g} processor seconds"

Task = TypeVar("Task")
Result = TypeVar("Result")


class SandboxError(Exception):
    """A request failed. The message says why and may quote the input."""


class TookTooLong(Exception):
    """A file took longer to read than the limit; the message states the limit."""


def run(function: str, request: Any, *, seconds: int, memory: int) -> Any:
    """Call `module:function` once in a sandbox."""
    with Sandbox(function, seconds=seconds, memory=memory) as call:
        return call(request)


class Sandbox:
    """Calls `module:function` in sandboxed processes while the block runs.

    Requests and results are JSON. Every failure, including an exception of the function, raises
    SandboxError and does not affect other requests. One request may use `seconds` of a processor,
    within PATIENCE times as long, and `memory` bytes; the preloaded modules are imported before
    the fork.
    """

    def __init__(
        self, function: str, *, seconds: int, memory: int, preloaded: Iterable[str] = ()
    ) -> None:
        self._seconds, self._memory = seconds, memory
        self._arguments = (function, str(seconds), str(memory), *preloaded)
        # Processes that wait for a request, and those that answer one of another thread.
        self._idle: list[subprocess.Popen[bytes]] = []
        self._busy: set[subprocess.Popen[bytes]] = set()
        self._has_ended = False
        # The threads of `map` only wait: all work is done in the processes.
        processors = len(os.sched_getaffinity(0)) if IS_LINUX else os.cpu_count() or 1
        self._size = min(MAX_PROCESSES, processors)
        self._threads = ThreadPoolExecutor(self._size)

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(self, *_: object) -> None:
        """End all processes. Requests of other threads raise SandboxError."""
        self._has_ended = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        for process in [*self._busy]:
            process.kill()
        self._threads.shutdown()
        for process in self._idle:
            _end(process)

    def map(
        self, run: Callable[[Task, "Sandbox"], Result], tasks: Iterable[Task]
    ) -> Iterator[tuple[Task, Future[Result]]]:
        """Yield the tasks in their order, each with the future of `run(task, sandbox)`.

        Runs one task for each processor at once, at most MAX_PROCESSES. Takes the next task from
        the iterable only while fewer than MAX_PENDING for each of them are pending.
        """
        pending: deque[tuple[Task, Future[Result]]] = deque()
        for task in tasks:
            pending.append((task, self._threads.submit(run, task, self)))
            if len(pending) >= MAX_PENDING * self._size:
                yield pending.popleft()
        while pending:
            yield pending.popleft()

    def __call__(self, request: Any) -> Any:
        deadline = monotonic() + PATIENCE * self._seconds
        process = self._process()
        self._busy.add(process)
        try:
            reply = self._reply(process, orjson.dumps(request, option=NEWLINE), deadline)
        except BaseException:
            _end(process)
            raise
        finally:
            self._busy.discard(process)
        self._idle.append(process)
        if "error" in reply:
            raise SandboxError(reply["error"])
        return reply["result"]

    def _process(self) -> subprocess.Popen[bytes]:
        with suppress(IndexError):
            return self._idle.pop()
        return subprocess.Popen(  # noqa: S603
            [sys.executable, "-I", "-B", "-m", __name__, *self._arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"LC_ALL": "C.UTF-8"},
            cwd="/",
        )

    def _reply(
        self, process: subprocess.Popen[bytes], request: bytes, deadline: float
    ) -> dict[str, Any]:
        assert process.stdin
        assert process.stdout
        if self._has_ended:
            raise SandboxError("the import has ended")
        line = bytearray()
        try:
            process.stdin.write(request)
            process.stdin.flush()
            while not line.endswith(b"\n"):
                remaining = deadline - monotonic()
                if remaining <= 0 or not select([process.stdout], [], [], remaining)[0]:
                    raise SandboxError(f"took longer than {PATIENCE * self._seconds} seconds")
                chunk = os.read(process.stdout.fileno(), CHUNK)
                if not chunk:
                    raise BrokenPipeError
                line += chunk
        except BrokenPipeError:
            raise SandboxError(_reason(process.wait(), self._seconds, self._memory)) from None
        reply: dict[str, Any] = orjson.loads(line)
        return reply


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process and its fork."""
    with suppress(BrokenPipeError), process:
        process.kill()


@contextmanager
def time_limit() -> Iterator[None]:
    """Raise TookTooLong in the block after FILE_SECONDS of a processor. Limits the main thread.

    C code delays the signal until it returns; the sizes of files limit that. A timer that runs
    already continues after the block.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: Any) -> None:
        raise TookTooLong(TOO_LONG.format(FILE_SECONDS))

    started = process_time()
    handler = signal.signal(signal.SIGPROF, stop)
    remaining, _ = signal.setitimer(signal.ITIMER_PROF, FILE_SECONDS, REPEAT_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, handler)
        if remaining:
            # A timer of 0 seconds would never end.
            left = max(remaining - (process_time() - started), 0.001)
            signal.setitimer(signal.ITIMER_PROF, left)


def _main(function: str, seconds: str, memory: str, *preloaded: str) -> None:
    """Answer the requests of a Sandbox until it closes standard input."""
    # Replies use a separate descriptor, because libraries may write to standard output.
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    _limit(resource.RLIMIT_DATA, int(memory))
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_CORE, 0)
    module, _, name = function.partition(":")
    target: Callable[[Any], Any] = getattr(import_module(module), name)
    for preloaded_name in preloaded:
        import_module(preloaded_name)
    # A collection in a fork would copy every page that it shares with this process.
    gc.freeze()
    for request in sys.stdin.buffer:
        replies.write(_run_fork(target, request, int(seconds), int(memory)))
        replies.flush()


def _run_fork(target: Callable[[Any], Any], request: bytes, seconds: int, memory: int) -> bytes:
    reading, writing = os.pipe()
    if not (pid := os.fork()):
        try:
            os.close(reading)
            end_with_parent()
            # SIGXCPU says why; a second later, SIGKILL ends what handles it.
            _limit(resource.RLIMIT_CPU, seconds, seconds + 1)
            with os.fdopen(writing, "wb") as reply:
                reply.write(orjson.dumps(_call(target, request, memory), option=NEWLINE))
        finally:
            os._exit(0)
    os.close(writing)
    line = b""
    # While a request runs, standard input is silent until the process that sent it has ended.
    while sys.stdin.fileno() not in select([reading, sys.stdin.fileno()], [], [])[0]:
        if not (chunk := os.read(reading, CHUNK)):
            break
        line += chunk
    else:
        os.kill(pid, signal.SIGKILL)
    os.close(reading)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if line.endswith(b"\n"):
        return line
    return orjson.dumps({"error": _reason(status, seconds, memory)}, option=NEWLINE)


def _call(target: Callable[[Any], Any], request: bytes, memory: int) -> dict[str, Any]:
    try:
        arguments = orjson.loads(request)
        restrict(*_named(arguments))
        return {"result": target(arguments)}
    except MemoryError:
        return {"error": f"needed more than {memory >> 20} MiB of memory"}
    except Exception as error:  # noqa: BLE001 - libraries raise anything
        return {"error": " ".join(str(error).split())[:300] or type(error).__name__}


def _named(request: Any) -> tuple[list[str], list[str]]:
    """Return the files that a request names, and the folders to list.

    Of a `folder` with a `path` below it, only that file is read.
    """
    if isinstance(request, dict) and "path" in request:
        return [os.path.join(request["folder"], request["path"])], [request["folder"]]
    values = request.values() if isinstance(request, dict) else [request]
    return [value for value in values if isinstance(value, str) and os.path.isabs(value)], []


def _reason(status: int, seconds: int, memory: int) -> str:
    if status == -signal.SIGXCPU:
        return TOO_LONG.format(seconds)
    if status < 0:
        return f"ended by signal {-status}, as at a limit of memory"
    return f"needed more than {memory >> 20} MiB of memory, or could not start"


def _limit(kind: int, limit: int, most: int | None = None) -> None:
    """Set the soft limit, and the hard one (most, by default the same), within the current one."""
    most = most or limit
    current = resource.getrlimit(kind)[1]
    most = most if current == resource.RLIM_INFINITY else min(most, current)
    resource.setrlimit(kind, (min(limit, most), most))


if __name__ == "__main__":
    _main(*sys.argv[1:])
