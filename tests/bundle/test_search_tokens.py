"""A load computes the same search tokens as the database's own function, for any text."""

from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import psycopg
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from psycopg.pq import Format

from orgctx.bundle import search_tokens
from orgctx.bundle.content import CHUNK_LENGTH, OVERLAP
from orgctx.bundle.search_tokens import MOST_WORDS, cleaning, tsvector
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.thorough import examples, sampled

TEXTS = st.text(
    st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=60
) | st.text("ab'\\ \n:*Σςİß🚢", max_size=200)
TEXT, TSVECTOR, UUID = 25, 3614, 2950  # type numbers of pg_type
KEY = b64encode(sha256(make.ACME.encode()).digest())[:4].decode()


@pytest.fixture(scope="module")
def connection(module_deployment: Deployment) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(module_deployment.admin_url, autocommit=True) as connection:
        yield connection


@examples(200)
@given(text=TEXTS)
@example(text="")
@example(text="a")
@example(text="ab")
@example(text="🚢🚢🚢")
@example(text="ab" * (CHUNK_LENGTH + OVERLAP))
def test_tokens_are_those_of_the_database(connection: psycopg.Connection[Any], text: str) -> None:
    result = connection.pgconn.exec_params(
        b"SELECT $2 = coalesce(keyed_text_tokens($3, '', fold_text($1)), '')",
        [text.encode(), tsvector(folded(connection, text), KEY), make.ACME.encode()],
        param_types=[TEXT, TSVECTOR, UUID],
        param_formats=[Format.TEXT, Format.BINARY, Format.TEXT],
    )
    assert result.get_value(0, 0) == b"t", result.error_message


def folded(connection: psycopg.Connection[Any], text: str) -> str:
    row = connection.execute("SELECT fold_text(%s)", [text]).fetchone()
    assert row is not None
    return str(row[0])


def test_chunks_store_the_tokens_of_their_search_text(deployment: Deployment) -> None:
    content = "Straße İstanbul ΣΟΦΟΣ 🚢 it's \\ fine\n" * 600
    deployment.load([make.organization(), make.source(), make.knowledge(content=content)])
    rows = deployment.execute(
        "SELECT f.source_id,"
        " f.tokens = keyed_text_tokens(organization_id, f.source_id, c.search_text),"
        " search_text = fold_text(content || overlap)"
        " FROM knowledge_chunks AS c JOIN knowledge_search AS f"
        " USING (organization_id, knowledge_id, first_unit)"
    )
    assert len(rows) > 2
    assert set(rows) == {("docs:handbook", True, True)}


def words_of_documents(deployment: Deployment) -> dict[str, set[str]]:
    """The tokens of the words of documents and titles, without their keys."""
    rows = deployment.execute(
        "SELECT k.title, ARRAY(SELECT substr(t.token, 5) FROM unnest(tsvector_to_array(f.tokens))"
        " AS t (token) WHERE substr(t.token, 5, 1) = E'\\n')"
        " FROM knowledge AS k JOIN knowledge_search AS f"
        " ON f.organization_id = k.organization_id AND f.knowledge_id = k.id AND f.first_unit < 0"
        " WHERE f.updated_at = k.updated_at AND f.source_id = k.source_id"
    )
    words: dict[str, set[str]] = {}
    for title, found in rows:
        words.setdefault(title, set()).update(found)
    return words


def test_documents_store_their_words_with_impacts(deployment: Deployment) -> None:
    """Of all chunks, once each; a word at the end of a chunk is whole."""
    parents = [make.organization(), make.source(), make.source("docs", "docs:other")]
    long = "filler " * (CHUNK_LENGTH // 7) + "quokka " + "Straße " * 900
    record = make.knowledge(1, title="Zebra x", content=long)
    deployment.load([*parents, make.knowledge(2, title="Short", content="A rare word."), record])
    words = words_of_documents(deployment)
    assert words["Zebra x"] == {"\n7zebra", "\n7filler", "\n7straße", "\n2quokka"}
    assert words["Short"] == {"\n7short", "\n6rare", "\n6word"}
    later = {"updatedAt": "2026-05-05T00:00:00Z"}
    deployment.load([*parents, make.knowledge(1, title="Yak", content=long, **later)])
    renamed = words_of_documents(deployment)["Yak"]
    assert renamed == words["Zebra x"] - {"\n7zebra"} | {"\n7yak"}
    removed = make.delete("knowledge", make.knowledge_id(1))
    moved = make.knowledge(1, title="Yak", source_id="docs:other", content=long, **later)
    deployment.load([*parents, removed, moved])
    assert words_of_documents(deployment)["Yak"] == renamed


@pytest.mark.parametrize("letter", sampled(["a", "ж", "🚢"], "🚢".__eq__))
def test_tokens_of_any_text_fit_into_a_tsvector(deployment: Deployment, letter: str) -> None:
    content = " ".join(f"{number:05}{letter * 60}" for number in range(9_000))
    parents = [make.organization(), make.source()]
    deployment.load([*parents, make.knowledge(title="T", content=content)])
    assert 0.9 * MOST_WORDS < len(words_of_documents(deployment)["T"]) <= MOST_WORDS


def test_chunks_are_stored_again_only_with_other_content(deployment: Deployment) -> None:
    parents = [make.organization(), make.source()]

    def places(*records: dict[str, Any]) -> dict[str, str]:
        """The row of each chunk, by its content, after a load of these records."""
        deployment.load([*parents, *records])
        return dict(deployment.execute("SELECT content, ctid::text FROM knowledge_chunks"))

    kept = make.knowledge(1, content="One")
    before = places(kept, make.knowledge(2, content="Two"))
    renamed = places(make.knowledge(1, content="One", title="Other"), kept)
    assert renamed == before
    after = places(kept, make.knowledge(2, content="Three"))
    assert after.keys() == {"One", "Three"}
    assert after["One"] == before["One"]
    again = make.delete("knowledge", make.knowledge_id(2)), make.knowledge(2, content="Three")
    assert places(*again).keys() == {"One", "Three"}


@pytest.mark.parametrize("url", [None, "postgresql://127.0.0.1:1/none"], ids=["two", "one"])
def test_index_has_no_pending_list(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch, url: str | None
) -> None:
    """A search would read all of it. A load may have no second connection to empty it."""
    monkeypatch.setattr(search_tokens, "cleaning", lambda given, how: cleaning(url or given, how))
    monkeypatch.setattr(search_tokens, "BATCH_ROWS", 20)
    items = [make.knowledge(number, content=f"Text {number}.") for number in range(50)]
    deployment.load([make.organization(), make.source(), *items])
    (waiting,) = deployment.execute("SELECT gin_clean_pending_list('knowledge_search_tokens')")[0]
    assert waiting == 0
    matches = deployment.execute(
        "SELECT count(*) FROM knowledge_search WHERE first_unit = 0 AND indexed_tokens(tokens)"
        " @@ ANY(keyed_term_tokens(organization_id, '{docs:handbook}', 'text 4'))"
    )
    assert matches == [(11,)]
