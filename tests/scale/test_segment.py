"""A segment of a document costs the same wherever it lies and however long the document is."""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import psycopg
import pytest

from orgctx.resources.knowledge.segment import MAX_CHUNK_UNITS
from orgctx.resources.search.service import LIMITS, SINCE_SETTING
from tests.scale.data import add_neighbors
from tests.scale.plans import Plan, explain, explaining
from tests.support import factories as make
from tests.support.deployment import Deployment

pytestmark = pytest.mark.thorough

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


def read(connection: psycopg.Connection, units: int, offset: int) -> Plan:
    values: dict[str, Any] = {
        "organization_id": make.ACME,
        "id": identity(units),
        "source_ids": ["docs:handbook"],
        "segment_start": offset - 1,
        "segment_end": offset + SEGMENT + 2,
        "first_chunk": offset - 1 - MAX_CHUNK_UNITS,
    }
    return explain(connection, "knowledge/read_knowledge", values, around=SENT)


def test_segment_reads_as_many_pages_wherever_it_is(documents: psycopg.Connection) -> None:
    short = read(documents, SHORT, SHORT - SEGMENT)
    chunks = [node for node in short.nodes if node.get("Relation Name") == "knowledge_chunks"]
    assert chunks[0]["Actual Rows"] in (3, 4)
    for offset in (0, LONG // 2, LONG - SEGMENT):
        long = read(documents, LONG, offset)
        assert long.buffers <= 1.5 * short.buffers
        assert long.removed() <= 2


MESSAGES, PAGE = 2_000, 51
VALUES: dict[str, Any] = {
    "organization_id": make.ACME,
    "chat_id": make.CHAT,
    "source_ids": ["telegram:main"],
    "after": None,
    "row_limit": PAGE,
    "recent_limit": 500,
    "since_setting": SINCE_SETTING,
    "sender_id": None,
    "since": None,
    "until": None,
    "count_limit": PAGE,
} | LIMITS
# The parameter `before` by statement: a message id, or a time.
BEFORE = {"telegram/search_telegram_messages": 2**31 - 1, "search/find_messages": None}


@pytest.fixture(scope="module")
def crowded(module_deployment: Deployment) -> Iterator[psycopg.Connection]:
    messages = [make.message(number, text="common") for number in range(1, MESSAGES + 1)]
    module_deployment.load([*make.everything(), *messages])
    add_neighbors(module_deployment.admin_url)
    with explaining(module_deployment) as connection:
        yield connection


def test_key_look_up_uses_indexes(crowded: psycopg.Connection) -> None:
    """It reads no sources of other organizations."""
    key_hash = sha256(b"no key of anybody").digest()
    nodes = explain(crowded, "gate/read_caller", {"key_hash": key_hash, "access": "api"}).nodes
    assert "sources_pkey" in {node.get("Index Name") for node in nodes}
    assert "Seq Scan" not in {node["Node Type"] for node in nodes}


@pytest.mark.parametrize("name", BEFORE)
def test_search_for_a_common_term_reads_only_shown_messages(
    crowded: psycopg.Connection, name: str
) -> None:
    plan = explain(crowded, name, VALUES | {"q": "common", "before": BEFORE[name]})
    read = sum(
        node["Actual Rows"] * node["Actual Loops"] + node.get("Rows Removed by Filter", 0)
        for node in plan.nodes
        if node.get("Relation Name") == "telegram_messages"
    )
    assert read <= PAGE


@pytest.mark.parametrize("name", BEFORE)
def test_search_makes_tokens_only_of_texts_with_the_term(
    crowded: psycopg.Connection, name: str
) -> None:
    plan = explain(crowded, name, VALUES | {"q": "absent", "before": BEFORE[name]})
    filters = [
        text for node in plan.nodes if "keyed_text_tokens" in (text := node.get("Filter", ""))
    ]
    for text in filters:
        assert "POSITION" in text.partition("keyed_text_tokens")[0]
    assert filters or "telegram_search_tokens" in plan.indexes
