"""Read untrusted files in sandboxed processes.

A sandboxed process has no network, starts no program, writes no file, inherits no environment
variables, and is limited in memory and time. Kernel limits apply to C libraries too; an audit hook
rejects what they do not cover.

Each request runs in a process of its own, so that no file affects how another one is read. These
processes are forks of one that has imported the libraries, because the import takes longer than
most files.

Other systems than Linux have no network namespaces; there only the audit hook blocks the network.
"""

from __future__ import annotations

import ctypes
import gc
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import import_module
from select import select
from time import monotonic
from typing import Any

import orjson

IS_LINUX = sys.platform == "linux"
CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
PR_SET_PDEATHSIG = 1
WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
FORBIDDEN_EVENTS = (
    "socket.", "subprocess.", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn",
    "os.system", "os.kill", "os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link",
    "os.symlink", "os.truncate", "os.chmod", "os.chown", "os.utime", "shutil.", "pty.",
    "webbrowser.", "urllib.Request", "ftplib.", "smtplib.", "tempfile.", "ctypes.dlopen",
)  # fmt: skip
CHUNK = 1024 * 1024
NEWLINE = orjson.OPT_APPEND_NEWLINE


class SandboxError(Exception):
    """A request failed. The message says why and may quote the input."""


def run(function: str, request: Any, *, seconds: int, memory: int) -> Any:
    """Call `module:function` once in a sandbox."""
    with Sandbox(function, seconds=seconds, memory=memory) as call:
        return call(request)


class Sandbox:
    """Calls `module:function` in sandboxed processes while the block runs.

    Requests and results are JSON. Every failure, including an exception of the function, raises
    SandboxError.

    Args:
        seconds: the time limit of one request.
        memory: the bytes that one request may allocate.
        preloaded: the modules to import before the fork.
    """

    def __init__(
        self, function: str, *, seconds: int, memory: int, preloaded: Iterable[str] = ()
    ) -> None:
        self._function, self._seconds, self._memory = function, seconds, memory
        self._preloaded = tuple(preloaded)
        self._process: subprocess.Popen[bytes] | None = None
        self._is_killed = False

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def __call__(self, request: Any) -> Any:
        try:
            reply = self._request(orjson.dumps(request, option=NEWLINE))
        except BaseException:
            self._stop()
            raise
        if self._process and self._process.returncode is not None:
            self._stop()
        if "status" in reply:
            raise SandboxError(_reason(reply["status"], self._memory))
        if "error" in reply:
            raise SandboxError(reply["error"])
        return reply["result"]

    def _request(self, request: bytes) -> Any:
        deadline = monotonic() + self._seconds
        process = self._process = self._process or self._start()
        if self._is_killed:
            raise SandboxError("the import has ended")
        assert process.stdin
        assert process.stdout
        try:
            process.stdin.write(request)
            process.stdin.flush()
        except BrokenPipeError:
            return {"status": process.wait()}
        line = bytearray()
        while not line.endswith(b"\n"):
            remaining = deadline - monotonic()
            if remaining <= 0 or not select([process.stdout], [], [], remaining)[0]:
                raise SandboxError(f"took longer than {self._seconds} seconds")
            chunk = os.read(process.stdout.fileno(), CHUNK)
            if not chunk:
                return {"status": process.wait()}
            line += chunk
        return orjson.loads(line)

    def _start(self) -> subprocess.Popen[bytes]:
        limits = (str(self._seconds), str(self._memory))
        return subprocess.Popen(  # noqa: S603
            [sys.executable, "-I", "-B", "-m", __name__, self._function, *limits, *self._preloaded],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"LC_ALL": "C.UTF-8"},
            cwd="/",
        )

    def kill(self) -> None:
        """End the current request from another thread. It and later ones raise SandboxError."""
        self._is_killed = True
        if process := self._process:
            process.kill()

    def _stop(self) -> None:
        """End the process and its fork."""
        process, self._process = self._process, None
        if process:
            with suppress(BrokenPipeError), process:
                process.kill()


def _reason(status: int, memory: int) -> str:
    """Explain why a process ended without a reply."""
    if status < 0:
        return f"ended by signal {-status}, as at a limit of time or memory"
    return f"needed more than {memory >> 20} MiB of memory, or could not start"


def _apply_limits(memory: int) -> None:
    libc = ctypes.CDLL(None)
    # An empty network namespace; only root and, on some systems, users can create one.
    if IS_LINUX and libc.unshare(CLONE_NEWNET):
        libc.unshare(CLONE_NEWUSER | CLONE_NEWNET)
    _limit(resource.RLIMIT_DATA, memory)
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_CORE, 0)


def _limit(kind: int, limit: int) -> None:
    hard = resource.getrlimit(kind)[1]
    limit = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(kind, (limit, limit))


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    is_write = event == "open" and bool(_flags(arguments) & WRITE_FLAGS)
    if event.startswith(FORBIDDEN_EVENTS) or (is_write and arguments[0] != os.devnull):
        raise PermissionError(f"{event} is forbidden in the sandbox")


def _flags(arguments: tuple[Any, ...]) -> int:
    flags = arguments[2]
    return flags if isinstance(flags, int) else 0


def _main(function: str, seconds: str, memory: str, *preloaded: str) -> None:
    # Replies use a separate descriptor, because libraries may write to standard output.
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    _apply_limits(int(memory))
    module_name, name = function.split(":")
    module = import_module(module_name)
    for preloaded_name in preloaded:
        import_module(preloaded_name)
    target: Callable[[Any], Any] = getattr(module, name)
    # A collection in a fork would copy every page that it shares with this process.
    gc.freeze()
    for request in sys.stdin.buffer:
        replies.write(_run_fork(target, request, int(seconds), int(memory)))
        replies.flush()


def _run_fork(target: Callable[[Any], Any], request: bytes, seconds: int, memory: int) -> bytes:
    """Return the reply of a fork as a line, or its exit status if it sent none."""
    reading, writing = os.pipe()
    if not (pid := os.fork()):
        try:
            os.close(reading)
            if IS_LINUX:
                ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            _limit(resource.RLIMIT_CPU, seconds)
            with os.fdopen(writing, "wb") as reply:
                sys.addaudithook(_audit)
                reply.write(orjson.dumps(_call(target, request, memory), option=NEWLINE))
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as reply:
        line = reply.read()
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return line if line.endswith(b"\n") else orjson.dumps({"status": status}, option=NEWLINE)


def _call(target: Callable[[Any], Any], request: bytes, memory: int) -> dict[str, Any]:
    try:
        return {"result": target(orjson.loads(request))}
    except MemoryError:
        return {"error": f"needed more than {memory >> 20} MiB of memory"}
    except Exception as error:  # noqa: BLE001 - libraries raise anything
        return {"error": " ".join(str(error).split())[:300] or type(error).__name__}


if __name__ == "__main__":
    _main(*sys.argv[1:])
