"""Convert untrusted files within limits, in sandboxed processes.

A sandboxed process has no network, starts no program, writes no file, reads only the program and
the open files that it is given, inherits no environment variables, and is limited in memory and
time. All of these are limits of the kernel, which bind C libraries too.

It is a fork of one that has imported the libraries, because the import takes longer than most
files, and it answers one request, or a few that need little. If it ends early, the process that it
is a fork of ends in the same way, and the next request starts another one.

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
from contextlib import nullcontext, suppress
from importlib import import_module
from itertools import islice
from math import ceil, inf
from pkgutil import resolve_name
from select import select
from socket import MSG_PEEK, recv_fds, send_fds, socket, socketpair
from time import monotonic, process_time
from typing import IO, Any, NamedTuple

import orjson

from orgctx.importers.lockdown import IS_LINUX, end_with, restrict

CHUNK = 1024 * 1024
NEWLINE = orjson.OPT_APPEND_NEWLINE
LONGEST_REQUEST = 64 * 1024
LONGEST_REPLY = 64 * 1024 * 1024
# Processes of a sandbox; each may use the memory limit of one request.
MAX_PROCESSES = 4
# The number of requests per process that are submitted and not yet yielded.
MAX_PENDING = 2
FILE_SECONDS = 60
# How many times as long a request may last: a busy machine gives it a part of a processor.
PATIENCE = 10
EXIT_SECONDS = 10  # in which a process without a reply ends
OVER = "the time for all conversions is over; raise it with --minutes"
# Requests that one process answers, if none of them needs one alone.
MOST_TOGETHER = 32


class Request(NamedTuple):
    """A JSON value, and what opens the file to read, if there is one."""

    value: Any
    opened: Callable[[], IO[bytes]] | None = None
    is_alone: bool = True  # whether no later request shares its process


class SandboxError(Exception):
    """A request failed. The message says why and may quote the input."""


def result(reply: bytes) -> Any:
    """Return the result in a reply. Raises SandboxError."""
    values = orjson.loads(reply)
    if "error" in values:
        raise SandboxError(values["error"])
    return values["result"]


class _Process(NamedTuple):
    """A process that forks, in a group with its fork, and the socket that takes requests."""

    process: subprocess.Popen[bytes]
    requests: socket

    def kill(self) -> None:
        if self.process.returncode is None:
            os.killpg(self.process.pid, signal.SIGKILL)

    def end(self) -> None:
        self.requests.close()
        self.kill()
        self.process.wait()


class Sandbox:
    """Calls `module:function` in sandboxed processes while the block runs.

    The function takes the value of a request, and the descriptor of its file. Every failure,
    including an exception of the function, becomes the reply of its request and does not affect
    others. One request may use `seconds` of a processor, within PATIENCE times as long, and
    `memory` bytes; the preloaded modules are imported before the fork. After the deadline, a value
    of `monotonic`, no request is begun.
    """

    def __init__(
        self,
        function: str,
        *,
        seconds: int,
        memory: int,
        preloaded: Iterable[str] = (),
        deadline: float = inf,
    ) -> None:
        self._seconds, self._memory, self._deadline = seconds, memory, deadline
        self._arguments = (function, str(seconds), str(memory), *preloaded)
        # Processes that wait for requests, and those that answer one of another thread.
        self._idle: list[_Process] = []
        self._busy: set[_Process] = set()
        self._has_ended = False
        # The threads only wait: all work is done in the processes.
        processors = len(os.sched_getaffinity(0)) if IS_LINUX else os.cpu_count() or 1
        self._size = min(MAX_PROCESSES, processors)
        self._threads = ThreadPoolExecutor(self._size)

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(self, *_: object) -> None:
        """End all processes, and the requests of other threads."""
        self._has_ended = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        for process in [*self._busy]:
            process.kill()
        self._threads.shutdown()
        for process in self._idle:
            process.end()

    def map(self, requests: Iterable[Request]) -> Iterator[bytes]:
        """Yield the reply to each request, in their order: `result` reads it.

        Answers one request for each processor at once, at most MAX_PROCESSES. Takes the next one
        only while fewer than MAX_PENDING for each of them are pending.
        """
        pending: deque[Future[bytes]] = deque()
        tasks = iter(requests)
        while True:
            for request in islice(tasks, MAX_PENDING * self._size - len(pending)):
                pending.append(self._threads.submit(self._reply, request))
            if not pending:
                return
            yield pending.popleft().result()

    def _reply(self, request: Request) -> bytes:
        try:
            if monotonic() > self._deadline:
                raise SandboxError(OVER)
            with request.opened() if request.opened else nullcontext() as file:
                return self._answer(request, [file.fileno()] if file else [])
        except (SandboxError, OSError) as error:
            return _error(error)

    def _answer(self, request: Request, files: list[int]) -> bytes:
        """Return the reply of a process. Raises SandboxError if there is none."""
        process, reply = self._process(), bytearray()
        self._busy.add(process)
        try:
            if self._has_ended:  # since; the end kills only those that are known as busy
                raise SandboxError("the import has ended")
            reading, writing = os.pipe()
            with os.fdopen(reading, "rb", 0) as pipe:
                with os.fdopen(writing, "wb"), suppress(BrokenPipeError):
                    message = orjson.dumps([request.value, request.is_alone])
                    send_fds(process.requests, [message], [writing, *files])
                deadline = monotonic() + PATIENCE * self._seconds
                while select([pipe], [], [], max(deadline - monotonic(), 0))[0]:
                    part = pipe.read(CHUNK)
                    reply += part
                    if not part or len(reply) > LONGEST_REPLY:
                        break
                else:
                    raise SandboxError(f"took longer than {PATIENCE * self._seconds} seconds")
            if len(reply) > LONGEST_REPLY:
                raise SandboxError(f"exceeds {LONGEST_REPLY >> 20} MiB when converted")
            if not reply.endswith(b"\n"):
                raise SandboxError(self._reason(process.process))
        except BaseException:
            process.end()
            raise
        finally:
            self._busy.discard(process)
        self._idle.append(process)
        return bytes(reply)

    def _reason(self, process: subprocess.Popen[bytes]) -> str:
        """Return why a process gives no reply."""
        with suppress(subprocess.TimeoutExpired):
            status = process.wait(EXIT_SECONDS)
            if status == -signal.SIGXCPU:
                return f"took longer than {self._seconds} processor seconds"
            if status < 0:
                return f"ended by signal {-status}, as at a limit of memory"
        return f"needed more than {self._memory >> 20} MiB of memory, or could not start"

    def _process(self) -> _Process:
        with suppress(IndexError):
            return self._idle.pop()
        requests, other = socketpair()
        with other:
            process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-I", "-B", "-m", __name__, str(os.getpid()), *self._arguments],
                stdin=other.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={"LC_ALL": "C.UTF-8"},
                cwd="/",
                start_new_session=True,
            )
        return _Process(process, requests)


def _main(parent: str, function: str, seconds: str, memory: str, *preloaded: str) -> None:
    """Fork for the requests of a Sandbox until it closes its socket, or a fork fails."""
    end_with(int(parent))
    requests = socket(fileno=0)
    for kind, limit in (("DATA", int(memory)), ("FSIZE", 0), ("CORE", 0)):
        _limit(getattr(resource, f"RLIMIT_{kind}"), limit)
    target: Callable[..., Any] = resolve_name(function)
    for name in preloaded:
        import_module(name)
    # A collection in a fork would copy every page that it shares with this process.
    gc.freeze()
    own_id = os.getpid()
    while requests.recv(1, MSG_PEEK):
        if not (pid := os.fork()):
            end_with(own_id)
            with suppress(BrokenPipeError):  # of a request that nobody waits for
                _answer_all(requests, target, int(seconds), int(memory))
            os._exit(0)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        if status < 0:
            os.kill(os.getpid(), -status)
        if status:
            os._exit(1)


def _answer_all(requests: socket, target: Callable[..., Any], seconds: int, memory: int) -> None:
    restrict()
    most = ceil(process_time()) + MOST_TOGETHER * (seconds + 1)
    for _ in range(MOST_TOGETHER):
        message, descriptors, *_ = recv_fds(requests, LONGEST_REQUEST, 2)
        if not message:
            return
        value, is_alone = orjson.loads(message)
        writing, *files = descriptors
        # SIGXCPU says why; later, SIGKILL ends what handles it.
        _limit(resource.RLIMIT_CPU, ceil(process_time()) + seconds, most)
        with os.fdopen(writing, "wb") as reply:
            try:
                reply.write(orjson.dumps({"result": target(value, *files)}, option=NEWLINE))
            except MemoryError:
                reply.write(_error(f"needed more than {memory >> 20} MiB of memory"))
            except Exception as error:  # noqa: BLE001 - libraries raise anything
                reply.write(_error(error))
        if is_alone:
            return


def _error(error: object) -> bytes:
    reason = str(getattr(error, "strerror", None) or error)
    text = " ".join(reason.split())[:300].encode(errors="replace").decode()
    return orjson.dumps({"error": text or type(error).__name__}, option=NEWLINE)


def _limit(kind: int, limit: int, most: int | None = None) -> None:
    """Set the soft limit, and the hard one (most, by default the same), within the current one."""
    most = most or limit
    current = resource.getrlimit(kind)[1]
    most = most if current == resource.RLIM_INFINITY else min(most, current)
    resource.setrlimit(kind, (min(limit, most), most))


if __name__ == "__main__":
    _main(*sys.argv[1:])
