"""A segment of a document costs the same wherever it lies and however long the document is."""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from orgctx.resources.knowledge.segment import MAX_CHUNK_UNITS
from tests.scale.plans import MODES, Plan, explain, explaining
from tests.support import factories as make
from tests.support.deployment import Deployment

SHORT, LONG, SEGMENT = 50_000, 5_000_000, 20_000
CHUNK = 8_192
DOCUMENT = """
    WITH document AS (
        INSERT INTO knowledge (
            organization_id, id, source_id, source, title, content_format, visibility, archived,
            source_status, source_label, created_at, updated_at, preview, content_units,
            content_digest
        ) VALUES (
            %(organization_id)s, %(id)s, 'docs:handbook', 'docs', '', 'markdown', 'public', false,
            'current', '', now(), now(), '', %(units)s, ''
        )
    )
    INSERT INTO knowledge_chunks (
        organization_id, knowledge_id, first_unit, unit_count, content, overlap
    )
    SELECT
        %(organization_id)s, %(id)s, g * %(chunk)s, %(chunk)s,
        -- Each chunk has a text of its own, so that none compresses better than another.
        (SELECT string_agg(md5(g || ' ' || n), '') FROM generate_series(1, %(chunk)s / 32) AS n),
        ''
    FROM generate_series(0, %(units)s / %(chunk)s) AS g
"""
# The sum makes the plan read everything that a client would get.
SENT = "SELECT sum(length(s.content)) FROM ({}) AS s"


@pytest.fixture(scope="module")
def documents(module_deployment: Deployment) -> Iterator[psycopg.Connection]:
    deployment = module_deployment
    deployment.load([make.organization(), *make.staff(), make.source("docs")])
    for units in (SHORT, LONG):
        data = {"organization_id": make.ACME, "id": identity(units), "units": units, "chunk": CHUNK}
        deployment.execute(DOCUMENT, data)
    deployment.execute("VACUUM (ANALYZE)")
    with explaining(deployment) as connection:
        yield connection


def identity(units: int) -> str:
    return make.knowledge_id(units)


def read(connection: psycopg.Connection, units: int, offset: int, mode: str) -> Plan:
    values: dict[str, Any] = {
        "organization_id": make.ACME,
        "id": identity(units),
        "source_ids": ["docs:handbook"],
        "segment_start": offset - 1,
        "segment_end": offset + SEGMENT + 2,
        "first_chunk": offset - 1 - MAX_CHUNK_UNITS,
    }
    return explain(connection, "knowledge/read_knowledge", values, mode, around=SENT)


@pytest.mark.thorough
@pytest.mark.parametrize("mode", MODES)
def test_segment_reads_as_many_pages_wherever_it_is(
    documents: psycopg.Connection, mode: str
) -> None:
    short = read(documents, SHORT, SHORT - SEGMENT, mode)
    chunks = [node for node in short.nodes if node.get("Relation Name") == "knowledge_chunks"]
    assert chunks[0]["Actual Rows"] in (3, 4)
    for offset in (0, LONG // 2, LONG - SEGMENT):
        long = read(documents, LONG, offset, mode)
        assert long.buffers <= 1.5 * short.buffers
        assert long.removed <= 2
