"""A request in a sandbox can only read, within limits; one that fails costs its own result alone.

A file that is read in this process has a limit of time, and the rest is imported.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from orgctx.importers import lockdown, sandbox
from orgctx.importers.sandbox import MAX_PENDING, Sandbox, SandboxError
from tests.importers.conftest import Write, folders, imported
from tests.support.waiting import until

LIMITS: dict[str, Any] = {"seconds": 60, "memory": 256 << 20}


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("function", "request_", "reason"),
    [
        ("os:mkdir", "made", "not permitted|Permission denied"),
        (
            "logging:FileHandler",
            "made",
            "not permitted|Permission denied",
        ),
        (
            "subprocess:run",
            ["touch", "made"],
            "not permitted|Permission denied",
        ),
        (
            "socket:create_connection",
            ["127.0.0.1", 9],
            "not permitted|Permission denied",
        ),
        ("builtins:bytearray", 1 << 30, "more than 256 MiB"),
        ("time:sleep", 3600, "longer than 2 seconds"),
        ("math:factorial", 10_000_000, "longer than 2 processor seconds"),
        ("builtins:len", 1, "has no len"),
    ],
)
def test_sandbox_process_can_only_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, function: str, request_: Any, reason: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sandbox, "PATIENCE", 1 if function == "time:sleep" else 30)
    seconds = 2 if "longer than" in reason else 60
    with pytest.raises(SandboxError, match=reason):
        sandbox.run(function, request_, seconds=seconds, memory=256 << 20)
    assert not list(tmp_path.iterdir())


@pytest.mark.thorough
@pytest.mark.skipif(bool(lockdown.lacking()), reason="the kernel lacks Landlock or seccomp")
@pytest.mark.parametrize(
    "call",
    [
        "libc.socket(2, 1, 0)",
        "libc.open(made, 0o101, 0o600)",
        "libc.open(secret, 0)",
        "libc.mkdir(made, 0o700)",
        "libc.mknod(made, 0o100600, 0)",
        "libc.rename(secret, made)",
        "libc.unlink(secret)",
        "libc.chmod(secret, 0)",
        "libc.truncate(secret, 0)",
        "libc.kill(parent, 9)",
        "-(libc.system(b'true') != 0)",  # of fork and exec
    ],
)
def test_native_code_in_a_sandbox_can_only_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """A module of the request makes the call before Python's own hook could refuse it."""
    secret, made = tmp_path / "secret", tmp_path / "made"
    secret.write_text("kept")
    names = f"made, secret, parent = {bytes(made)!r}, {bytes(secret)!r}, {os.getpid()}"
    module = write_module(tmp_path / "request", f"{names}\nresult = {call}")
    with pytest.raises(SandboxError, match=r"^-1$"):
        sandbox.run("runpy:run_path", str(module), seconds=20, memory=256 << 20)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["request", "secret"]
    assert (secret.read_text(), secret.stat().st_mode & 0o777) == ("kept", 0o644)


def write_module(folder: Path, code: str) -> Path:
    folder.mkdir()
    path = folder / "module.py"
    path.write_text(
        f"import ctypes\nlibc = ctypes.pythonapi\n{code}\nraise ValueError(str(result))"
    )
    return path


@pytest.mark.thorough
def test_sandbox_ends_with_the_process_that_started_it() -> None:
    code = (
        "import os, signal, threading\nfrom orgctx.importers.sandbox import Sandbox\n"
        "box = Sandbox('time:sleep', seconds=3600, memory=256 << 20)\n"
        "threading.Thread(target=box, args=(3600,)).start()\n"
        "while not box._busy: pass\nprint(next(iter(box._busy)).pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    pid = int(result.stdout)
    until(lambda: not Path(f"/proc/{pid}").exists(), f"process {pid} runs without its parent")


def call(request: Any, sandbox: Sandbox) -> Any:
    return sandbox(request)


def outcome(future: Future[Any]) -> Any:
    try:
        return future.result()
    except SandboxError as error:
        return str(error)


def outcomes(function: str, requests: Iterable[Any]) -> list[Any]:
    with Sandbox(function, **LIMITS) as sandbox:
        return [outcome(future) for _, future in sandbox.map(call, requests)]


@pytest.fixture(params=[1, 3])
def size(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(request.param))
    return int(request.param)


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


def test_killed_process_costs_one_result_and_is_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(1))

    def parent_id(is_killed: bool, sandbox: Sandbox) -> int:
        status = dict(line.split(":", 1) for line in sandbox("/proc/self/status"))
        if is_killed:
            os.kill(int(status["PPid"]), signal.SIGKILL)
        return int(status["PPid"])

    with Sandbox("linecache:getlines", **LIMITS) as sandbox:
        tasks = [False, True, False, False]
        first, same, failed, other = (
            outcome(future) for _, future in sandbox.map(parent_id, tasks)
        )
    assert first == same
    assert "ended by signal 9" in failed
    assert isinstance(other, int)
    assert other != first


def test_map_returns_results_in_order_and_takes_few_tasks_early(size: int) -> None:
    taken = []

    def tasks() -> Iterable[int]:
        for number in range(30):
            taken.append(number)
            yield number

    with Sandbox("builtins:abs", **LIMITS) as sandbox:
        for done, (_, future) in enumerate(sandbox.map(call, tasks())):
            assert len(taken) <= done + MAX_PENDING * size
            assert future.result() == done


@pytest.mark.usefixtures("size")
def test_sandbox_that_is_left_early_ends_its_processes() -> None:
    with Sandbox("time:sleep", seconds=3600, memory=256 << 20) as sandbox:
        next(iter(sandbox.map(call, [0, 3600, 3600, 3600, 3600, 3600, 3600])))


# The signal may arrive in a finalizer, where its exception is dropped; it comes again.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_what_takes_too_long_is_refused(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """A large file takes longer than the limit that is set when it is begun."""
    write("wiki/Long.md", "[[Page|words]] " * 140_000)
    folder = write("wiki/Short.md", "# Short").parent
    # A signal is lost in a destructor, and the next one has to come before the file is read.
    monkeypatch.setattr(sandbox, "REPEAT_SECONDS", 0.01)

    def limit(size: int) -> None:
        monkeypatch.setattr(sandbox, "FILE_SECONDS", 1e-5 if size > 1_000_000 else 60)

    (short,), report = imported(folders, folder, progress=limit)
    assert short["title"] == "Short"
    assert report.refused == ["Long.md: took longer than 1e-05 processor seconds"]


def test_other_timer_continues_after_the_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "FILE_SECONDS", 60)
    handler = signal.signal(signal.SIGPROF, signal.SIG_IGN)
    former = signal.setitimer(signal.ITIMER_PROF, 1_000)
    try:
        with sandbox.time_limit():
            assert signal.getitimer(signal.ITIMER_PROF)[0] < 61
        assert 900 < signal.getitimer(signal.ITIMER_PROF)[0] < 1_001
        assert signal.getsignal(signal.SIGPROF) == signal.SIG_IGN
    finally:
        signal.setitimer(signal.ITIMER_PROF, *former)
        signal.signal(signal.SIGPROF, handler)
