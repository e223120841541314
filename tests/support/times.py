"""A plugin of pytest that prints the processor seconds of a run by file and by phase.

Processor seconds do not depend on what else the machine does. `make test-times` uses it.
"""

import os
import resource
import sys
from collections import Counter, defaultdict
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from tests.support.processes import children

TICKS = os.sysconf("SC_CLK_TCK")
# Processor seconds of Python by phase, of PostgreSQL, and of other processes when they have ended.
SECONDS = ("collection", "setup", "call", "teardown", "postgres", "processes")
# Also how many processes were started, how many tests ran, and how many seconds passed.
COLUMNS = (*SECONDS, "started", "tests", "wall")
Times = Counter[str]
LONGEST = 40


class Meter:
    """Measures this process and what it started."""

    def __init__(self) -> None:
        self.started = 0
        self.last = Counter[str]()
        sys.addaudithook(self.audit)

    def audit(self, event: str, _: object) -> None:
        self.started += event in ("subprocess.Popen", "os.fork", "os.posix_spawn")

    def lap(self, phase: str) -> Times:
        """Return what was used since the last call; Python's seconds as `phase`."""
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        now = {
            "python": process_time(),
            "postgres": postgres_seconds(),
            "processes": ended.ru_utime + ended.ru_stime,
            "started": self.started,
        }
        used = Counter({name: value - self.last[name] for name, value in now.items()})
        self.last = Counter(now)
        if used["postgres"] < 0:
            # PostgreSQL has ended: `processes` now also includes the seconds counted before.
            used["processes"] += used.pop("postgres")
        used[phase] = used.pop("python")
        return used


def postgres_seconds() -> float:
    """Return the processor seconds of this process's PostgreSQL, with backends that ended."""
    seconds = 0.0
    for pid in children(os.getpid()):
        if Path(f"/proc/{pid}/comm").read_text().strip() == "postgres":
            seconds += stat_seconds(pid, 4)
            seconds += sum(stat_seconds(backend, 2) for backend in children(pid))
    return seconds


def stat_seconds(pid: int, fields: int) -> float:
    """Return user and system seconds; with four fields also those of children that it reaped."""
    with suppress(OSError):
        stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, stat[11 : 11 + fields])) / TICKS
    return 0


meter = Meter()
by_file: defaultdict[str, Times] = defaultdict(Counter)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    report = yield
    used = meter.lap(call.when)
    used.update(wall=report.duration, tests=call.when == "call")
    # Attributes of a report travel from xdist's workers, if they are of built-in types.
    report.times = dict(used)
    return report


def pytest_collection_finish(session: pytest.Session) -> None:
    output = getattr(session.config, "workeroutput", None)
    if output is None:
        by_file["collection"].update(meter.lap("collection"))
    else:
        output["times"] = dict(meter.lap("collection"))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    # A worker that crashed has no output.
    by_file["collection"].update(getattr(node, "workeroutput", {}).get("times", {}))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    by_file[report.nodeid.partition("::")[0]].update(report.times)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    total = sum(by_file.values(), Counter[str]())
    rows = sorted(by_file.items(), key=lambda row: -processor(row[1]))
    rest = sum((times for _, times in rows[LONGEST:]), Counter[str]())
    write = terminalreporter.write_line
    write(" ".join(f"{column:>10}" for column in ("share", "all", *COLUMNS)))
    for name, times in [*rows[:LONGEST], (f"{len(rows[LONGEST:])} others", rest), ("all", total)]:
        share = f"{processor(times) / processor(total):10.1%} {processor(times):10.1f}"
        write(share + "".join(f" {times[column]:10.1f}" for column in COLUMNS) + f"  {name}")


def processor(times: Times) -> float:
    return sum(times[name] for name in SECONDS)
