"""Read untrusted files in processes that can do nothing else.

A process has no network, starts no program, writes no file, gets no environment variables of
ours, and is limited in memory and time. The kernel's limits apply to C libraries too; an audit
hook refuses what they do not cover.

Each request has a process of its own, so that no file can affect how another is read. They are
forks of one process that has imported the libraries, which takes longer than most files.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from select import select
from time import monotonic
from types import TracebackType
from typing import Any

import orjson

CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
PR_SET_PDEATHSIG = 1
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
REFUSED = (
    "socket.", "subprocess.", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn",
    "os.system", "os.kill", "os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link",
    "os.symlink", "os.truncate", "os.chmod", "os.chown", "os.utime", "shutil.", "pty.",
    "webbrowser.", "urllib.Request", "ftplib.", "smtplib.", "tempfile.", "ctypes.dlopen",
)  # fmt: skip
PIECE = 1024 * 1024
NEWLINE = orjson.OPT_APPEND_NEWLINE


class Unfinished(Exception):
    """A request has no answer; the message says why, and may quote its input."""


def run(function: str, request: Any, *, seconds: int, memory: int) -> Any:
    """Call `module:function` with one request, as Confined does."""
    with Confined(function, seconds=seconds, memory=memory) as call:
        return call(request)


class Confined:
    """`module:function`, called with requests while the block runs; both they and the answers are
    JSON. The module may name libraries to import before in LIBRARIES.

    seconds: of one request; memory: bytes that it may allocate. Raises Unfinished, also in place
    of exceptions of the function.
    """

    def __init__(self, function: str, *, seconds: int, memory: int) -> None:
        self._function, self._seconds, self._memory = function, seconds, memory
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Confined:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    def __call__(self, request: Any) -> Any:
        try:
            answer = self._answer(orjson.dumps(request, option=NEWLINE))
        except BaseException:
            self._end()
            raise
        if self._process and self._process.returncode is not None:
            self._end()
        if "ended" in answer:
            raise Unfinished(_reason(answer["ended"], self._memory))
        if "error" in answer:
            raise Unfinished(answer["error"])
        return answer["answer"]

    def _answer(self, request: bytes) -> Any:
        deadline = monotonic() + self._seconds
        process = self._process = self._process or self._start()
        assert process.stdin
        assert process.stdout
        try:
            process.stdin.write(request)
            process.stdin.flush()
        except BrokenPipeError:
            return {"ended": process.wait()}
        line = bytearray()
        while not line.endswith(b"\n"):
            left = deadline - monotonic()
            if left <= 0 or not select([process.stdout], [], [], left)[0]:
                raise Unfinished(f"took longer than {self._seconds} seconds")
            piece = os.read(process.stdout.fileno(), PIECE)
            if not piece:
                return {"ended": process.wait()}
            line += piece
        return orjson.loads(line)

    def _start(self) -> subprocess.Popen[bytes]:
        limits = (str(self._seconds), str(self._memory))
        return subprocess.Popen(  # noqa: S603
            [sys.executable, "-I", "-B", "-m", __name__, self._function, *limits],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"LC_ALL": "C.UTF-8"},
            cwd="/",
        )

    def _end(self) -> None:
        """End the process, and with it a fork."""
        process, self._process = self._process, None
        if process:
            with suppress(BrokenPipeError), process:
                process.kill()


def _reason(status: int, memory: int) -> str:
    """Why a process ended without an answer."""
    if status < 0:
        return f"ended by signal {-status}, as at a bound of time or memory"
    return f"needed more than {memory >> 20} MiB of memory, or could not start"


def _bound(memory: int) -> None:
    libc = ctypes.CDLL(None)
    # An empty network namespace; only root and, on some systems, users can create one.
    if libc.unshare(CLONE_NEWNET):
        libc.unshare(CLONE_NEWUSER | CLONE_NEWNET)
    _limit(resource.RLIMIT_DATA, memory)
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_CORE, 0)


def _limit(kind: int, most: int) -> None:
    hard = resource.getrlimit(kind)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (most, most))


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    is_writing = event == "open" and bool(_flags(arguments) & WRITING)
    if event.startswith(REFUSED) or (is_writing and arguments[0] != os.devnull):
        raise PermissionError(f"{event} is not for a process that only reads")


def _flags(arguments: tuple[Any, ...]) -> int:
    flags = arguments[2]
    return flags if isinstance(flags, int) else 0


def _main(function: str, seconds: str, memory: str) -> None:
    # The answers have a separate channel, because libraries may write to standard output.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    _bound(int(memory))
    module_name, name = function.split(":")
    module = import_module(module_name)
    for library in getattr(module, "LIBRARIES", ()):
        import_module(library)
    called: Callable[[Any], Any] = getattr(module, name)
    for request in sys.stdin.buffer:
        answers.write(_forked(called, request, int(seconds), int(memory)))
        answers.flush()


def _forked(called: Callable[[Any], Any], request: bytes, seconds: int, memory: int) -> bytes:
    """The line that a fork answers, or one that says how it ended."""
    reading, writing = os.pipe()
    if not (pid := os.fork()):
        try:
            os.close(reading)
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            _limit(resource.RLIMIT_CPU, seconds)
            with os.fdopen(writing, "wb") as answer:
                sys.addaudithook(_audit)
                answer.write(orjson.dumps(_called(called, request, memory), option=NEWLINE))
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        line = answer.read()
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return line if line.endswith(b"\n") else orjson.dumps({"ended": status}, option=NEWLINE)


def _called(called: Callable[[Any], Any], request: bytes, memory: int) -> dict[str, Any]:
    try:
        return {"answer": called(orjson.loads(request))}
    except MemoryError:
        return {"error": f"needed more than {memory >> 20} MiB of memory"}
    except Exception as error:  # noqa: BLE001 - whatever a library makes of it is the answer
        return {"error": " ".join(str(error).split())[:300] or type(error).__name__}


if __name__ == "__main__":
    _main(*sys.argv[1:])
