"""If the process of a load ends, the load ends in the database too and blocks no other."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from time import sleep

import pytest

from tests.support import citus
from tests.support import factories as make
from tests.support.deployment import Deployment

# It takes longer than a test may, so the load ends only because the server checks its client.
SLOW = """
    CREATE FUNCTION wait_long() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE until timestamptz := clock_timestamp() + interval '10 minutes';
    BEGIN
        IF TG_ARGV[0] = 'sleep' THEN
            PERFORM pg_sleep(600);
        END IF;
        WHILE clock_timestamp() < until LOOP
        END LOOP;
        RETURN NEW;
    END $$;
    CREATE TRIGGER slow BEFORE INSERT ON members
    FOR EACH ROW EXECUTE FUNCTION wait_long('{how}');
"""
WAITING = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query ~ %s"


@citus.impossible("reference tables have no triggers")
@pytest.mark.parametrize("how", ["sleep", "compute"])
@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGINT])
def test_killed_load_ends_in_the_database(
    deployment: Deployment, tmp_path: Path, how: str, ending: signal.Signals
) -> None:
    deployment.load([make.organization(displayName="Before")])
    deployment.execute(SLOW.format(how=how))
    bundle = tmp_path / "bundle.jsonl"
    records = [make.organization(displayName="After"), *make.staff()]
    bundle.write_text("\n".join(map(json.dumps, records)))
    process = deployment.process("load", str(bundle))
    merging = ["^-- Merges the staged members"]
    while deployment.execute(WAITING, merging) == [(0,)]:
        assert process.poll() is None, process.communicate()
        sleep(0.05)
    process.send_signal(ending)
    stdout, stderr = process.communicate()
    assert process.returncode != 0
    assert "Traceback" not in stdout + stderr
    while deployment.execute(WAITING, merging) != [(0,)]:
        sleep(0.05)
    deployment.execute("DROP TRIGGER slow ON members")
    assert deployment.execute("SELECT display_name FROM organizations") == [("Before",)]
    assert deployment.load(records)["organization"]["updated"] == 1
