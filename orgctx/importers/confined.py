"""Read untrusted files in a process that can do nothing else.

The process has no network, starts no program, writes no file, gets no environment variables of
ours, and is limited in memory and time. The kernel's limits apply to C libraries too; an audit
hook refuses what they do not cover.
"""

from __future__ import annotations

import ctypes
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

import orjson

CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
REFUSED = (
    "socket.", "subprocess.", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn",
    "os.system", "os.kill", "os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link",
    "os.symlink", "os.truncate", "os.chmod", "os.chown", "os.utime", "shutil.", "pty.",
    "webbrowser.", "urllib.Request", "ftplib.", "smtplib.", "tempfile.", "ctypes.dlopen",
)  # fmt: skip


class Unfinished(Exception):
    """The process returned no answer; the message says why, and may quote its input."""


def run(function: str, request: Any, *, seconds: int, memory: int) -> Any:
    """Call `module:function` with a request; both it and the answer are JSON. Raises Unfinished.

    memory: bytes that it may allocate. Its exceptions become Unfinished.
    """
    command = [sys.executable, "-I", "-B", "-m", __name__, function, str(seconds), str(memory)]
    try:
        done = subprocess.run(  # noqa: S603
            command,
            input=orjson.dumps(request),
            env={"LC_ALL": "C.UTF-8"},
            cwd="/",
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Unfinished(f"took longer than {seconds} seconds") from None
    try:
        answer = orjson.loads(done.stdout)
    except orjson.JSONDecodeError:
        raise Unfinished(_end(done.returncode, memory)) from None
    if "error" in answer:
        raise Unfinished(answer["error"])
    return answer["answer"]


def _end(status: int, memory: int) -> str:
    """Why a process ended without an answer."""
    if status < 0:
        return f"ended by signal {-status}, as at a bound of time or memory"
    return f"needed more than {memory >> 20} MiB of memory, or could not start"


def _bound(seconds: int, memory: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    # An empty network namespace; only root and, on some systems, users can create one.
    if libc.unshare(CLONE_NEWNET):
        libc.unshare(CLONE_NEWUSER | CLONE_NEWNET)
    bounds = {
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_DATA: memory,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
    }
    for kind, most in bounds.items():
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
    module, name = function.split(":")
    request = orjson.loads(sys.stdin.buffer.read())
    # The answer has a separate channel, because libraries may write to standard output.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    _bound(int(seconds), int(memory))
    called: Callable[[Any], Any] = getattr(import_module(module), name)
    sys.addaudithook(_audit)
    try:
        said = {"answer": called(request)}
    except MemoryError:
        said = {"error": f"needed more than {int(memory) >> 20} MiB of memory"}
    except Exception as error:  # noqa: BLE001 - whatever a library makes of it is the answer
        said = {"error": " ".join(str(error).split())[:300] or type(error).__name__}
    answers.write(orjson.dumps(said))
    answers.flush()
    os._exit(0)


if __name__ == "__main__":
    _main(*sys.argv[1:])
