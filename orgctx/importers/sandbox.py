"""Convert untrusted files within limits, in sandboxed processes.

A sandboxed process has no network, starts no program, writes no file, reads only the program and
the content that it is given, inherits no environment variables, and is limited in memory and time.
All of these are limits of the kernel, which bind C libraries too.

One process imports the libraries and restricts itself. It answers requests, one after the other,
until one ends it; then another takes its place. A request that needs a process of its own is
answered in a fork, because the import takes longer than most files, and what a file does to a
library ends with the fork.

Other systems than Linux, and older kernels, lack some means: `lockdown.lacking` names them.
"""

import gc
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import import_module
from math import ceil
from pkgutil import resolve_name
from threading import Timer
from time import monotonic, process_time
from typing import Any

import orjson

from orgctx.importers.lockdown import restrict

LONGEST_REPLY = 64 * 1024 * 1024
FILE_SECONDS = 60
# How many times as long a request may last: a busy machine gives it a part of a processor.
PATIENCE = 10


class SandboxError(Exception):
    """A request failed. The message says why and may quote the input."""


class Sandbox:
    """Calls `module:function` in a sandboxed process while the block runs.

    The function takes a JSON value and a content. One request may use `seconds` of a processor,
    within PATIENCE times as long, and `memory` bytes; the preloaded modules are imported before.
    """

    def __init__(
        self, function: str, *, seconds: int, memory: int, preloaded: Iterable[str] = ()
    ) -> None:
        self._seconds = seconds
        self._arguments = (function, str(seconds), str(memory), *preloaded)
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def call(self, value: Any, content: bytes | None = None, *, is_alone: bool = True) -> Any:
        """Return the result of the function.

        Args:
            content: passed as the second argument, if there is one.
            is_alone: whether the request needs a process of its own.

        Raises:
            SandboxError: a limit was exceeded, the process ended, or the function raised.
        """
        process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        head = [value, is_alone, None if content is None else len(content)]
        patience, began_at, reply = PATIENCE * self._seconds, monotonic(), b""
        timer = Timer(patience, _kill, [process])
        timer.start()
        try:
            process.stdin.write(orjson.dumps(head, option=orjson.OPT_APPEND_NEWLINE))
            process.stdin.write(content or b"")
            process.stdin.flush()
            reply = process.stdout.readline(LONGEST_REPLY + 1)
        except BrokenPipeError:
            pass
        finally:
            timer.cancel()
        if not reply.endswith(b"\n"):
            status = self._end()
            if monotonic() - began_at > patience:
                raise SandboxError(f"took longer than {patience} seconds")
            raise SandboxError(_ending(status, self._seconds))
        values = orjson.loads(reply)
        if "error" in values:
            raise SandboxError(values["error"])
        return values["result"]

    def _start(self) -> subprocess.Popen[bytes]:
        self._process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-I", "-B", "-m", __name__, *self._arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"LC_ALL": "C.UTF-8"},
            cwd="/",
            start_new_session=True,
        )
        return self._process

    def _end(self) -> int:
        """End the process, if there is one, and return its exit status."""
        process, self._process = self._process, None
        if process is None:
            return 0
        _kill(process)
        with suppress(BrokenPipeError), process:  # waits, and closes its pipes
            pass
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
