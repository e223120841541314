"""If the process of a load ends, the load ends in the database too and blocks no other."""

import json
import signal
from pathlib import Path
from time import sleep
from typing import Any

import psycopg
import pytest

from orgctx.bundle import loader
from orgctx.bundle.loader import load_records
from orgctx.bundle.reading import BundleError
from tests.scale.data import NEIGHBORS, add_neighbors
from tests.support import citus
from tests.support import factories as make
from tests.support.deployment import Deployment

pytestmark = pytest.mark.thorough

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
    merging = ["INSERT INTO members AS t"]
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


# What other organizations have costs a load nothing, and those of one stream do not mix


ROWS_READ = """
    SELECT relname, coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)
    FROM pg_stat_xact_user_tables WHERE schemaname = 'public'
"""
DERIVED = {
    "people": "source_id, person_id, display_name, activity_count, newer_source_ids",
    "people_counts": "source_id, number, newer_source_ids, people_count",
    "telegram_search": "chat_id, id, sender_id, text_lower",
    "telegram_chats": "id, tracked_message_count, last_message_at",
    "sources": "id, record_count, chat_id",
}


def rows_read(deployment: Deployment, records: list[Any]) -> dict[str, int]:
    """The rows of each table that a load of these reads."""
    rows: dict[str, int] = {}

    def note(connection: psycopg.Connection[Any], *_: object) -> None:
        rows.update(connection.execute(ROWS_READ).fetchall())

    load_records(deployment.admin_url, records, finish=note)
    return rows


@citus.impossible("rows are read on other servers")
def test_load_reads_nothing_of_other_organizations(own_acme: Deployment) -> None:
    add_neighbors(own_acme.admin_url)
    for records in (make.everything(), [make.message(2)], [make.organization(slug="newer")]):
        read = rows_read(own_acme, records)
        # Who takes a slug looks at those of all others.
        is_taken = records[0]["data"].get("slug") == "newer"
        others = sum(read.values()) - (read["organizations"] if is_taken else 0)
        assert others < NEIGHBORS, read


def derived(deployment: Deployment) -> dict[str, list[Any]]:
    return {
        table: deployment.execute(
            f"SELECT organization_id, {columns} FROM {table} ORDER BY organization_id, {columns}"
        )
        for table, columns in DERIVED.items()
    }


def test_stream_of_many_organizations_derives_as_streams_of_one(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loader, "BATCH_ORGANIZATIONS", 2)
    ids = [make.uuid(f"batch {number}") for number in range(5)]
    one_by_one = [make.everything(id_) for id_ in ids]
    deployment.load([record for records in one_by_one for record in records])
    together = derived(deployment)
    assert all(len({row[0] for row in rows}) == len(ids) for rows in together.values())
    for id_ in ids:
        deployment.load([make.delete("organization", id_, organization_id=id_)])
    for records in one_by_one:
        deployment.load(records)
    assert derived(deployment) == together
    last = max(ids)
    inner = make.folder("Inner", parentId=make.uuid("Brand"), organization_id=last)
    circle = make.folder(parentId=make.uuid("Inner"), organization_id=last)
    others = [make.folder(organization_id=id_) for id_ in ids if id_ != last]
    with pytest.raises(BundleError) as caught:
        deployment.load([*others, inner, circle])
    assert "creates a cycle" in caught.value.errors[-1]
