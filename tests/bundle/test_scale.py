"""A load's memory does not grow with the file, and its pages stay cheap to read."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import psycopg
import pytest

from orgctx.stores.db import sql
from tests.support import citus
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.messages import records

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


@citus.impossible("the plan is that of a shard, on another server")
@pytest.mark.parametrize("plan", ["force_generic_plan", "force_custom_plan"])
def test_page_from_the_middle_is_one_index_scan(deployment: Deployment, plan: str) -> None:
    deployment.load(records(20_000))
    deployment.execute("VACUUM ANALYZE")
    parameters: dict[str, Any] = {
        "organization_id": make.ACME,
        "chat_id": make.CHAT,
        "source_ids": [make.KIND_SOURCES["telegram"]],
        "before": 10_000,
        "row_limit": 51,
    }
    with psycopg.connect(deployment.admin_url, autocommit=True) as connection:
        connection.prepare_threshold = 0
        connection.execute(f"SET plan_cache_mode = {plan}")  # type: ignore[arg-type]
        explain = f"EXPLAIN (ANALYZE, FORMAT JSON) {sql('telegram/list_telegram_messages')}"
        row = connection.execute(explain, parameters).fetchone()  # type: ignore[arg-type]
    assert row is not None
    scans = list(scans_of(row[0][0]["Plan"], "telegram_messages"))
    assert len(scans) == 1
    (scan,) = scans
    assert scan["Node Type"] == "Index Scan"
    assert (scan["Index Name"], scan["Scan Direction"]) == ("telegram_messages_pkey", "Backward")
    assert "id <" in scan["Index Cond"]
    assert scan["Actual Rows"] == 51
    assert scan.get("Rows Removed by Filter", 0) == 0


def scans_of(node: dict[str, Any], table: str) -> Any:
    """Every scan of a table in a plan."""
    if node.get("Relation Name") == table:
        yield node
    for child in node.get("Plans", []):
        yield from scans_of(child, table)
