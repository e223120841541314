"""Convert untrusted files within limits, in sandboxed processes.

A sandboxed process has no network, starts no program, writes no file, reads only the files that its
requests name and the program, inherits no environment variables, and is limited in memory and time.
All of these are limits of the kernel, which bind C libraries too.

A process answers one chunk of requests: a large or intricate file alone, or small ones together.
It is a fork of one that has imported the libraries, because the import takes longer than most
files. If a fork ends early, another one begins with the request that it had not answered.

Other systems than Linux, and older kernels, lack some means: `lockdown.lacking` names them.
"""

import gc
import os
import resource
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
from itertools import chain, islice
from math import ceil, inf
from select import select
from tempfile import SpooledTemporaryFile
from time import monotonic, process_time
from typing import IO, Any

import orjson

from orgctx.importers.lockdown import IS_LINUX, end_with_parent, restrict

CHUNK = 1024 * 1024
NEWLINE = orjson.OPT_APPEND_NEWLINE
# Processes of a sandbox; each may use the memory limit of one request.
MAX_PROCESSES = 4
# The number of chunks per process that are submitted and not yet yielded; replies wait on disk.
MAX_PENDING = 2
FILE_SECONDS = 60
# How many times as long a request may last: a busy machine gives it a part of a processor.
PATIENCE = 10
OVER = "the time for all conversions is over; raise it with --minutes"


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

    Requests and results are JSON. Every failure, including an exception of the function, becomes
    the reply of its request and does not affect others. One request may use `seconds` of a
    processor, within PATIENCE times as long, and `memory` bytes; the preloaded modules are
    imported before the fork. After the deadline, a value of `monotonic`, no request is begun.
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
        # Processes that wait for requests, and those that answer some of another thread.
        self._idle: list[subprocess.Popen[bytes]] = []
        self._busy: set[subprocess.Popen[bytes]] = set()
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
            _end(process)

    def map(self, chunks: Iterable[Sequence[Any]]) -> Iterator[bytes]:
        """Yield the reply to each request, in their order: `result` reads it.

        Answers one chunk for each processor at once, at most MAX_PROCESSES. Takes the next chunk
        only while fewer than MAX_PENDING for each of them are pending.
        """
        pending: deque[Future[IO[bytes]]] = deque()
        tasks = iter(chunks)
        try:
            while True:
                for chunk in islice(tasks, MAX_PENDING * self._size - len(pending)):
                    pending.append(self._threads.submit(self._replies, chunk))
                if not pending:
                    return
                with pending.popleft().result() as replies:
                    yield from replies
        finally:
            for future in pending:
                future.add_done_callback(_close)

    def _replies(self, chunk: Sequence[Any]) -> IO[bytes]:
        """Return a file with a line for each request of a chunk."""
        replies: IO[bytes] = SpooledTemporaryFile(CHUNK)  # noqa: SIM115 - `map` closes it
        count = 0
        while count < len(chunk):
            try:
                for line in self._attempt(chunk[count:]):
                    replies.write(line)
                    count += 1
            except SandboxError as error:
                replies.write(_error(str(error)))
                count += 1
        replies.seek(0)
        return replies

    def _attempt(self, requests: Sequence[Any]) -> Iterator[bytes]:
        """Yield the replies of one process. Raises SandboxError if it ends before the next one."""
        if monotonic() > self._deadline:
            raise SandboxError(OVER)
        process = self._process()
        self._busy.add(process)
        try:
            if self._has_ended:  # since; the end kills only those that are known as busy
                raise SandboxError("the import has ended")
            yield from self._lines(process, requests)
        except BaseException:
            _end(process)
            raise
        finally:
            self._busy.discard(process)
        self._idle.append(process)

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

    def _lines(self, process: subprocess.Popen[bytes], requests: Sequence[Any]) -> Iterator[bytes]:
        assert process.stdin
        assert process.stdout
        lines = bytearray()
        try:
            process.stdin.write(orjson.dumps(requests, option=NEWLINE))
            process.stdin.flush()
            for _ in requests:
                deadline = monotonic() + PATIENCE * self._seconds
                end = lines.find(b"\n")
                while end < 0:
                    remaining = deadline - monotonic()
                    if remaining <= 0 or not select([process.stdout], [], [], remaining)[0]:
                        raise SandboxError(f"took longer than {PATIENCE * self._seconds} seconds")
                    if not (part := os.read(process.stdout.fileno(), CHUNK)):
                        raise BrokenPipeError
                    end = len(lines) + part.index(b"\n") if b"\n" in part else -1
                    lines += part
                yield bytes(lines[: end + 1])
                del lines[: end + 1]
        except BrokenPipeError:
            raise SandboxError(_reason(process.wait(), self._seconds, self._memory)) from None


def _close(future: Future[IO[bytes]]) -> None:
    if not future.cancelled() and not future.exception():
        future.result().close()


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process and its fork."""
    with suppress(BrokenPipeError), process:
        process.kill()


def _main(function: str, seconds: str, memory: str, *preloaded: str) -> None:
    """Answer the chunks of a Sandbox until it closes standard input."""
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
    for chunk in sys.stdin.buffer:
        requests = orjson.loads(chunk)
        while requests:
            count = _run_fork(target, requests, int(seconds), int(memory), replies)
            requests = requests[count:]


def _run_fork(
    target: Callable[[Any], Any], requests: list[Any], seconds: int, memory: int, replies: IO[bytes]
) -> int:
    """Answer requests in a fork. Returns how many are answered: at least one."""
    reading, writing = os.pipe()
    parent = os.getpid()
    if not (pid := os.fork()):
        try:
            os.close(reading)
            end_with_parent()
            if os.getppid() != parent:  # which ended before that held
                os._exit(1)
            with os.fdopen(writing, "wb") as answers:
                for answer in _answers(target, requests, seconds, memory):
                    answers.write(answer)
                    answers.flush()
        finally:
            os._exit(0)
    os.close(writing)
    count, lines = 0, bytearray()
    # Meanwhile, standard input is silent until the process that sent the requests has ended.
    while sys.stdin.fileno() not in select([reading, sys.stdin.fileno()], [], [])[0]:
        if not (part := os.read(reading, CHUNK)):
            break
        lines += part
        if b"\n" in part:
            *whole, rest = lines.split(b"\n")
            for line in whole[: len(requests) - count]:
                replies.write(line + b"\n")
                count += 1
            replies.flush()
            lines = rest
    else:
        os.kill(pid, signal.SIGKILL)
    os.close(reading)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if not count:
        replies.write(_error(_reason(status, seconds, memory)))
        replies.flush()
    return max(count, 1)


def _answers(
    target: Callable[[Any], Any], requests: list[Any], seconds: int, memory: int
) -> Iterator[bytes]:
    readable, listed = (
        set(chain.from_iterable(paths)) for paths in zip(*map(_named, requests), strict=True)
    )
    try:
        restrict(readable, listed)
    except OSError as error:
        yield from [_error(str(error))] * len(requests)
        return
    most = ceil(process_time()) + len(requests) * (seconds + 1)
    for request in requests:
        # SIGXCPU says why; later, SIGKILL ends what handles it.
        _limit(resource.RLIMIT_CPU, ceil(process_time()) + seconds, most)
        try:
            yield orjson.dumps({"result": target(request)}, option=NEWLINE)
        except MemoryError:
            yield _error(f"needed more than {memory >> 20} MiB of memory")
        except Exception as error:  # noqa: BLE001 - libraries raise anything
            reason = getattr(error, "strerror", None) or str(error)
            yield _error(" ".join(reason.split())[:300] or type(error).__name__)


def _error(reason: str) -> bytes:
    return orjson.dumps({"error": reason.encode(errors="replace").decode()}, option=NEWLINE)


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
        return f"took longer than {seconds} processor seconds"
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
