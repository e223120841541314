"""Programs that the tests start obey SIGHUP and SIGINT, even if the run ignores them."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SHOWS = """
import signal, subprocess, sys
from tests import conftest
code = "import signal; print(signal.getsignal(signal.SIGHUP), signal.getsignal(signal.SIGINT))"
print(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout)
"""


def ignore() -> None:
    for number in (signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)


def test_programs_can_be_ended() -> None:
    run = subprocess.run(
        [sys.executable, "-c", SHOWS], cwd=ROOT, capture_output=True, text=True, preexec_fn=ignore
    )
    assert run.returncode == 0, run.stderr
    assert "SIG_IGN" not in run.stdout
    assert "default_int_handler" in run.stdout
