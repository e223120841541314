"""A request in a sandbox can only read, within limits; one that fails costs its result alone."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from orgctx.importers import lockdown, sandbox
from orgctx.importers.sandbox import MAX_PENDING, OVER, Sandbox, SandboxError, result
from tests.support.waiting import until

LIMITS: dict[str, Any] = {"seconds": 60, "memory": 256 << 20}


def outcome(reply: bytes) -> Any:
    try:
        return result(reply)
    except SandboxError as error:
        return str(error)


def outcomes(function: str, chunks: Iterable[Sequence[Any]], **limits: Any) -> list[Any]:
    with Sandbox(function, **LIMITS | limits) as sandbox:
        return [*map(outcome, sandbox.map(chunks))]


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
    (error,) = outcomes(function, [[request_]], seconds=seconds)
    assert re.search(reason, error)
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
    assert outcomes("runpy:run_path", [[str(module)]]) == ["-1"]
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
        "threading.Thread(target=box._replies, args=([3600],)).start()\n"
        "while not box._busy: pass\nprint(next(iter(box._busy)).pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    pid = int(result.stdout)
    until(lambda: not Path(f"/proc/{pid}").exists(), f"process {pid} runs without its parent")


@pytest.fixture(params=[1, 3])
def size(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(request.param))
    return int(request.param)


@pytest.mark.usefixtures("size")
@pytest.mark.parametrize(
    "chunks",
    [[[0], [9], [0], [0], [9], [0]], [[0, 9, 0, 0, 9, 0]], [[0, 9], [0, 0], [9, 0]]],
)
def test_request_that_ends_its_process_costs_one_result(chunks: list[list[int]]) -> None:
    results = outcomes("signal:raise_signal", chunks)
    assert [result is None for result in results] == [True, False, True, True, False, True]
    assert "ended by signal 9" in results[1]


def test_each_request_of_a_chunk_has_the_whole_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "PATIENCE", 60)
    results = outcomes("math:factorial", [[200_000] * 3 + [10_000_000] + [3]], seconds=1)
    assert [isinstance(result, str) for result in results] == [True, True, True, True, False]
    assert "longer than 1 processor seconds" in results[3]


@pytest.mark.usefixtures("size")
def test_request_leaves_nothing_behind() -> None:
    """`umask` changes the process and returns the value before the change."""
    first, *others = outcomes("os:umask", [[mode] for mode in range(8)])
    assert others == [first] * 7


def test_killed_process_costs_one_result_and_is_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(1))

    def parent_id() -> Any:
        (lines,) = map(outcome, box.map([["/proc/self/status"]]))
        found = re.search(r"^PPid:\s*(\d+)", "".join(lines), re.MULTILINE)
        return int(found[1]) if found else lines

    with Sandbox("linecache:getlines", **LIMITS) as box:
        first, same = parent_id(), parent_id()
        os.kill(first, signal.SIGKILL)
        failed, other = parent_id(), parent_id()
    assert first == same
    assert "ended by signal 9" in failed
    assert isinstance(other, int)
    assert other != first


def test_map_returns_results_in_order_and_takes_few_chunks_early(size: int) -> None:
    taken = []

    def chunks() -> Iterator[list[int]]:
        for number in range(30):
            taken.append(number)
            yield [number]

    with Sandbox("builtins:abs", **LIMITS) as sandbox:
        for done, reply in enumerate(sandbox.map(chunks())):
            assert len(taken) <= done + MAX_PENDING * size
            assert result(reply) == done


def test_no_request_is_begun_after_the_deadline() -> None:
    assert outcomes("builtins:abs", [[1], [2, 3]], deadline=0) == [OVER] * 3


@pytest.mark.usefixtures("size")
def test_sandbox_that_is_left_early_ends_its_processes() -> None:
    with Sandbox("time:sleep", seconds=3600, memory=256 << 20) as sandbox:
        next(iter(sandbox.map([[0], *[[3600, 3600]] * 3])))
