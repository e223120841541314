"""A load's memory does not grow with the file."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.support.deployment import Deployment

# A process inherits ru_maxrss from its parent, so it is no measure.
MEASURED_LOAD = """
import re, sys
from pathlib import Path
from orgctx.bundle import load_records
from tests.support.messages import records
load_records(sys.argv[1], records(int(sys.argv[2])))
print(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1])
"""


def peak_mib(deployment: Deployment, messages: int) -> float:
    """Peak memory of a process that loads this many messages."""
    command = [sys.executable, "-c", MEASURED_LOAD, deployment.admin_url, str(messages)]
    result = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ)
    return int(result.stdout) / 1024


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_memory_does_not_grow_with_the_stream(deployment: Deployment) -> None:
    small, large = peak_mib(deployment, 12_000), peak_mib(deployment, 60_000)
    assert large < 200
    assert large < small * 1.3
