"""A load computes the same search tokens as the database's own function, for any text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from psycopg.pq import Format

from orgctx.bundle import search_tokens
from orgctx.bundle.content import CHUNK_LENGTH, OVERLAP
from orgctx.bundle.search_tokens import tsvector
from orgctx.bundle.sorting import sorting
from tests.properties.conftest import examples
from tests.support import factories as make
from tests.support.deployment import Deployment

TEXTS = st.text(
    st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=60
) | st.text("ab'\\ \n:*Σςİß🚢", max_size=200)
TEXT, TSVECTOR = 25, 3614  # type numbers of pg_type


@pytest.fixture(scope="module")
def connection(module_database_url: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(module_database_url, autocommit=True) as connection:
        yield connection


@examples(200)
@given(text=TEXTS)
@example(text="")
@example(text="a")
@example(text="ab")
@example(text="🚢🚢🚢")
@example(text="ab" * (CHUNK_LENGTH + OVERLAP))
def test_they_are_those_of_the_database(connection: psycopg.Connection[Any], text: str) -> None:
    result = connection.pgconn.exec_params(
        b"SELECT lower($1), $2 = coalesce(text_search_tokens(lower($1)), '')",
        [text.encode(), tsvector(folded(connection, text))],
        param_types=[TEXT, TSVECTOR],
        param_formats=[Format.TEXT, Format.BINARY],
    )
    assert result.get_value(0, 1) == b"t", result.error_message


def folded(connection: psycopg.Connection[Any], text: str) -> str:
    row = connection.execute("SELECT lower(%s)", [text]).fetchone()
    assert row is not None
    return str(row[0])


def test_chunks_store_the_tokens_of_their_search_text(deployment: Deployment) -> None:
    content = "Straße İstanbul ΣΟΦΟΣ 🚢 it's \\ fine\n" * 600
    deployment.load([make.organization(), make.source(), make.knowledge(content=content)])
    rows = deployment.execute(
        "SELECT search_tokens = text_search_tokens(search_text),"
        " search_text = lower(content || overlap) FROM knowledge_chunks"
    )
    assert len(rows) > 2
    assert set(rows) == {(True, True)}


def test_an_unchanged_item_keeps_its_chunks(deployment: Deployment) -> None:
    records = [make.organization(), make.source(), make.knowledge(1), make.knowledge(2)]
    deployment.load(records)
    place = "SELECT ctid::text, content FROM knowledge_chunks ORDER BY content"
    before = dict(deployment.execute(place))
    deployment.load([*records[:3], make.knowledge(2, content="Another content.")])
    after = dict(deployment.execute(place))
    assert {*before.values()} - {*after.values()} == {"Content of document 2."}
    assert next(iter(before)) in after


def test_chunks_are_stored_again_only_with_another_content(deployment: Deployment) -> None:
    records = [make.organization(), make.source(), make.knowledge(1, content="One")]
    deployment.load(records)
    place = "SELECT ctid::text, content FROM knowledge_chunks"
    before = deployment.execute(place)
    deployment.load([*records[:2], make.knowledge(1, content="One", title="Other")])
    assert deployment.execute(place) == before
    assert deployment.execute("SELECT title FROM knowledge") == [("Other",)]
    deployment.load([*records[:2], make.knowledge(1, content="Two", title="Other")])
    assert [content for _, content in deployment.execute(place)] == ["Two"]
    back = [make.delete("knowledge", make.knowledge_id(1)), make.knowledge(1, content="Two")]
    deployment.load([*records[:2], *back])
    assert [content for _, content in deployment.execute(place)] == ["Two"]


@pytest.mark.parametrize("url", [None, "postgresql://127.0.0.1:1/none"], ids=["two", "one"])
def test_nothing_waits_to_be_sorted_into_the_index(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch, url: str | None
) -> None:
    """A search would read a pending list from end to end. Loads may lack a second connection."""
    monkeypatch.setattr(search_tokens, "sorting", lambda given, how: sorting(url or given, how))
    monkeypatch.setattr(search_tokens, "BATCH_ROWS", 20)
    items = [make.knowledge(number, content=f"Text {number}.") for number in range(50)]
    deployment.load([make.organization(), make.source(), *items])
    (waiting,) = deployment.execute("SELECT gin_clean_pending_list('knowledge_chunks_search')")[0]
    assert waiting == 0
    found = deployment.execute(
        "SELECT count(*) FROM knowledge_chunks WHERE search_tokens @@ term_search_tokens('text 4')"
    )
    assert found == [(11,)]
