"""Convert untrusted files within limits, in sandboxed processes.

A sandboxed process has no network, starts no program, writes no file, reads only the program and
the content that it is given, inherits no environment variables, and is limited in memory and time.
All of these are limits of the kernel, which bind C libraries too.

For each processor, one process imports the libraries and restricts itself. It answers requests
until one ends it. One that needs a process of its own is answered in a fork, because the import
takes longer than most files, and what a file does to a library ends with the fork.

Other systems than Linux, and older kernels, lack some means: `lockdown.lacking` names them.
"""

import gc
import os
import resource
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
from itertools import islice
from math import ceil, inf
from pkgutil import resolve_name
from threading import Lock, Timer
from time import monotonic, process_time
from typing import Any, NamedTuple

import orjson

from orgctx.importers.lockdown import IS_LINUX, restrict

LONGEST_REPLY = 64 * 1024 * 1024
# Processes of a sandbox; each may use the memory limit of one request.
MAX_PROCESSES = 4
# The number of requests per process that are submitted and not yet yielded.
MAX_PENDING = 2
FILE_SECONDS = 60
# How many times as long a request may last: a busy machine gives it a part of a processor.
PATIENCE = 10
OVER = "the time for all conversions is over; raise it with --minutes"


class Request(NamedTuple):
    """A JSON value, and what reads the content that belongs to it, if there is one."""

    value: Any
    read: Callable[[], bytes] | None = None
    is_alone: bool = True  # whether it needs a process of its own


class SandboxError(Exception):
    """A request failed. The message says why and may quote the input."""


def result(reply: bytes) -> Any:
    """Return the result in a reply. Raises SandboxError."""
    values = orjson.loads(reply)
    if "error" in values:
        raise SandboxError(values["error"])
    return values["result"]


class Sandbox:
    """Calls `module:function` in sandboxed processes while the block runs.

    The function takes the value of a request, and its content. Every failure, including an
    exception of the function, becomes the reply of its request and does not affect others. One
    request may use `seconds` of a processor, within PATIENCE times as long, and `memory` bytes; the
    preloaded modules are imported before.
    """

    def __init__(
        self, function: str, *, seconds: int, memory: int, preloaded: Iterable[str] = ()
    ) -> None:
        self._seconds = seconds
        self._arguments = (function, str(seconds), str(memory), *preloaded)
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._idle: list[subprocess.Popen[bytes]] = []
        self._has_ended = False
        self._lock = Lock()  # while a process starts, or all end
        # The threads only wait: all work is done in the processes.
        processors = len(os.sched_getaffinity(0)) if IS_LINUX else os.cpu_count() or 1
        self._size = min(MAX_PROCESSES, processors)
        self._threads = ThreadPoolExecutor(self._size)

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(self, *_: object) -> None:
        """End all processes, and with them the requests of other threads."""
        with self._lock:
            self._has_ended = True
            for process in [*self._processes]:
                _kill(process)
        self._threads.shutdown(cancel_futures=True)
        for process in [*self._processes]:
            self._end(process)

    def map(self, requests: Iterable[Request], deadline: float = inf) -> Iterator[bytes]:
        """Yield the reply to each request, in their order: `result` reads it.

        Answers one request for each processor at once, at most MAX_PROCESSES. Takes the next one
        only while fewer than MAX_PENDING for each of them are pending. After the deadline, a value
        of `monotonic`, no request is begun.
        """
        pending: deque[Future[bytes]] = deque()
        tasks = iter(requests)
        while True:
            for request in islice(tasks, MAX_PENDING * self._size - len(pending)):
                pending.append(self._threads.submit(self._reply, request, deadline))
            if not pending:
                return
            yield pending.popleft().result()

    def _reply(self, request: Request, deadline: float) -> bytes:
        try:
            if monotonic() > deadline:
                raise SandboxError(OVER)
            return self._answer(request)
        except (SandboxError, OSError) as error:
            return _error(error)

    def _answer(self, request: Request) -> bytes:
        """Return the reply of a process. Raises SandboxError if the process ends instead."""
        content = request.read() if request.read else None
        head = [request.value, request.is_alone, None if content is None else len(content)]
        process = self._process()
        assert process.stdin is not None
        assert process.stdout is not None
        patience, began_at, reply = PATIENCE * self._seconds, monotonic(), b""
        timer = Timer(patience, _kill, [process])
        timer.start()
        with suppress(BrokenPipeError):
            process.stdin.write(orjson.dumps(head, option=orjson.OPT_APPEND_NEWLINE))
            process.stdin.write(content or b"")
            process.stdin.flush()
            reply = process.stdout.readline(LONGEST_REPLY + 1)
        timer.cancel()
        if reply.endswith(b"\n"):
            self._idle.append(process)
            return reply
        status = self._end(process)
        if monotonic() - began_at > patience:
            raise SandboxError(f"took longer than {patience} seconds")
        raise SandboxError(_ending(status, self._seconds))

    def _process(self) -> subprocess.Popen[bytes]:
        """Return a process that waits for requests."""
        with suppress(IndexError):  # another thread may take the last one
            return self._idle.pop()
        with self._lock:
            if self._has_ended:
                raise SandboxError("the import has ended")
            process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-I", "-B", "-m", __name__, *self._arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={"LC_ALL": "C.UTF-8"},
                cwd="/",
                start_new_session=True,
            )
            self._processes.add(process)
        return process

    def _end(self, process: subprocess.Popen[bytes]) -> int:
        """End a process, and return its exit status."""
        _kill(process)
        with suppress(BrokenPipeError), process:  # waits, and closes its pipes
            pass
        self._processes.discard(process)
        return process.wait()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and its fork, unless it has ended."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _main(function: str, seconds: str, memory: str, *preloaded: str) -> None:
    """Answer the requests of a Sandbox until it closes its pipe."""
    for kind, limit in (("DATA", int(memory)), ("FSIZE", 0), ("CORE", 0)):
        _limit(kind, limit)
    target: Callable[..., Any] = resolve_name(function)
    for name in preloaded:
        import_module(name)
    restrict()
    # A collection in a fork would copy every page that it shares with this process.
    gc.freeze()
    requests, replies = sys.stdin.buffer, sys.stdout.buffer
    while message := requests.readline():
        value, is_alone, length = orjson.loads(message)
        arguments = [value] if length is None else [value, requests.read(length)]
        answer = _fork if is_alone else _call
        replies.write(answer(target, arguments, int(seconds)))
        replies.flush()


def _fork(target: Callable[..., Any], arguments: list[Any], seconds: int) -> bytes:
    """Call a function in a fork, and return its reply."""
    reading, writing = os.pipe()
    if not (pid := os.fork()):
        try:
            for descriptor in (sys.stdin.fileno(), sys.stdout.fileno(), reading):
                os.close(descriptor)  # so that it reads no other request, and writes no other reply
            with os.fdopen(writing, "wb") as pipe:
                pipe.write(_call(target, arguments, seconds))
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        reply = pipe.read(LONGEST_REPLY + 1)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if len(reply) > LONGEST_REPLY:
        return _error(f"exceeds {LONGEST_REPLY >> 20} MiB when converted")
    return reply if reply.endswith(b"\n") else _error(_ending(status, seconds))


def _call(target: Callable[..., Any], arguments: list[Any], seconds: int) -> bytes:
    """Call a function, and return its reply."""
    _limit("CPU", ceil(process_time()) + seconds, is_final=False)
    try:
        return orjson.dumps({"result": target(*arguments)}, option=orjson.OPT_APPEND_NEWLINE)
    except MemoryError:
        memory = resource.getrlimit(resource.RLIMIT_DATA)[0]
        return _error(f"needed more than {memory >> 20} MiB of memory")
    except Exception as error:  # noqa: BLE001 - libraries raise anything
        return _error(error)


def _ending(status: int, seconds: int) -> str:
    """Return why a process with this exit status ended without a reply."""
    if status == -signal.SIGXCPU:
        return f"took longer than {seconds} processor seconds"
    if status < 0:
        return f"ended by signal {-status}, as at a limit of memory"
    return "ended without a result, or its sandbox could not start"


def _error(error: object) -> bytes:
    reason = str(getattr(error, "strerror", None) or error)
    text = " ".join(reason.split())[:300].encode(errors="replace").decode()
    message = {"error": text or type(error).__name__}
    return orjson.dumps(message, option=orjson.OPT_APPEND_NEWLINE)


def _limit(kind: str, limit: int, *, is_final: bool = True) -> None:
    """Set a limit, within the current one. is_final: whether no later limit may be higher."""
    number = getattr(resource, f"RLIMIT_{kind}")
    most = resource.getrlimit(number)[1]
    limit = limit if most == resource.RLIM_INFINITY else min(limit, most)
    resource.setrlimit(number, (limit, limit if is_final else most))


if __name__ == "__main__":
    _main(*sys.argv[1:])
