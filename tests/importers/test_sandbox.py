"""A request in a sandbox can only read, within limits; one that fails costs its result alone."""

import os
import platform
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from orgctx.importers import lockdown, sandbox
from orgctx.importers.sandbox import Sandbox, SandboxError
from tests.embedded.conftest import await_end
from tests.support.processes import children
from tests.support.waiting import until

LIMITS: dict[str, Any] = {"seconds": 60, "memory": 256 << 20}


def outcome(sandbox: Sandbox, value: Any, *, is_alone: bool = True) -> Any:
    try:
        return sandbox.call(value, is_alone=is_alone)
    except SandboxError as error:
        return str(error)


def outcomes(function: str, *values: Any, is_alone: bool = True, **limits: Any) -> list[Any]:
    with Sandbox(function, **LIMITS | limits) as sandbox:
        return [outcome(sandbox, value, is_alone=is_alone) for value in values]


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("function", "request_", "reason"),
    [
        ("builtins:bytearray", 1 << 30, "more than 256 MiB"),
        ("time:sleep", 3600, "longer than 1 seconds"),
        ("math:factorial", 10_000_000, "longer than 1 processor seconds"),
        ("builtins:len", 1, "has no len"),
    ],
)
def test_request_has_limits(
    monkeypatch: pytest.MonkeyPatch, function: str, request_: Any, reason: str
) -> None:
    monkeypatch.setattr(sandbox, "PATIENCE", 1 if function == "time:sleep" else 30)
    seconds = 1 if "longer than" in reason else 60
    (error,) = outcomes(function, request_, seconds=seconds)
    assert re.search(reason, error)


# Calls of native code, which Python cannot refuse.
CALLS: tuple[str, ...] = (
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
)
if lockdown._landlock() >= lockdown.SIGNALS_SINCE:
    TGKILL = 234 if platform.machine() == "x86_64" else 131
    CALLS += (f"libc.syscall({TGKILL}, parent, parent, 0)",)


@pytest.mark.skipif(bool(lockdown.lacking()), reason="the kernel lacks Landlock or seccomp")
@pytest.mark.parametrize("is_alone", [True, False])
def test_sandbox_process_can_only_read_the_program(tmp_path: Path, is_alone: bool) -> None:
    secret, made = tmp_path / "secret", tmp_path / "made"
    secret.write_text("kept")
    names = f"made, secret, parent = {bytes(made)!r}, {bytes(secret)!r}, {os.getpid()}"
    head = f"import ctypes\nlibc = ctypes.pythonapi\n{names}\n"
    codes = [f"{head}raise ValueError({call})" for call in CALLS]
    results = outcomes("builtins:exec", *codes, is_alone=is_alone)
    assert dict(zip(CALLS, results, strict=True)) == dict.fromkeys(CALLS, "-1")
    assert [path.name for path in tmp_path.iterdir()] == ["secret"]
    assert (secret.read_text(), secret.stat().st_mode & 0o777) == ("kept", 0o644)


@pytest.mark.parametrize("is_alone", [True, False])
def test_request_that_ends_its_process_costs_one_result(is_alone: bool) -> None:
    results = outcomes("signal:raise_signal", 0, 9, 0, 0, 9, 0, is_alone=is_alone)
    assert [result is None for result in results] == [True, False, True, True, False, True]
    assert "ended by signal 9" in results[1]


@pytest.mark.thorough
def test_each_request_has_the_whole_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "PATIENCE", 60)
    numbers = *[200_000] * 3, 10_000_000, 3
    results = outcomes("math:factorial", *numbers, is_alone=False, seconds=1)
    assert [isinstance(result, str) for result in results] == [True, True, True, True, False]
    assert "longer than 1 processor seconds" in results[3]


def test_request_leaves_nothing_behind() -> None:
    """`umask` changes the process and returns the value before the change."""
    first, *others = outcomes("os:umask", *range(8))
    assert others == [first] * 7


def test_killed_process_costs_one_result_and_is_replaced() -> None:
    with Sandbox("builtins:abs", **LIMITS) as sandbox:
        assert outcome(sandbox, 1) == 1
        assert sandbox._process is not None
        os.kill(sandbox._process.pid, signal.SIGKILL)
        assert "ended by signal 9" in outcome(sandbox, 1)
        assert outcome(sandbox, 1) == 1


IMPORT = """
from orgctx.importers.sandbox import Sandbox
with Sandbox("time:sleep", seconds=3600, memory=256 << 20) as sandbox:
    sandbox.call(2)
"""


@pytest.mark.skipif(not lockdown.IS_LINUX, reason="other systems have no /proc")
def test_killed_import_leaves_no_process() -> None:
    """They end with the request that they answer."""
    with subprocess.Popen([sys.executable, "-c", IMPORT]) as process:

        def forks() -> list[int]:
            return [fork for each in children(process.pid) for fork in children(each)]

        until(forks, "the sandbox answers the request")
        started = [*children(process.pid), *forks()]
        process.kill()
    await_end(started)
