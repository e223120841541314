"""No key can read data of another organization, or learn that it exists."""

import re
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from orgctx.embedded import Servers
from orgctx.operations.source_kinds import SCOPES
from orgctx.stores.db import READER_ROLE
from tests.operations import ROWS
from tests.support import crawl
from tests.support import factories as make
from tests.support import organizations as orgs
from tests.support.deployment import Deployment, copied
from tests.support.organizations import ALL, AMBER, BASALT, EMBER, HIDDEN, Organization
from tests.support.thorough import sampled

# Every organization has sources of these ids.
LIMIT = ("docs:handbook", "assets:main", "telegram:main", "x:main")
# Scopes and sources of keys.
Subset = tuple[str, ...]
# A path and its response.
Answer = tuple[str, TestResponse]
FULL: tuple[Subset, Subset] = (SCOPES, ())
GRANTS = [*(((scope,), ()) for scope in SCOPES), (("context:read", "knowledge:read"), ())]
KEYS = [
    (tenant, *grant)
    for tenant in ALL
    for grant in (FULL, (SCOPES, LIMIT), *(GRANTS if tenant in (AMBER, BASALT) else ()))
]
# One that approved everything, and one that approved nothing.
SAMPLE = (AMBER, EMBER)


@pytest.fixture(scope="module")
def client(tenants: Deployment) -> Iterator[FlaskClient]:
    with tenants.app(log_level="ERROR") as app:
        yield app.test_client()


@pytest.fixture(scope="module")
def amber_key(tenants: Deployment) -> str:
    return tenants.issue_key(AMBER.id, make.OWNER)


@pytest.fixture(scope="module")
def amber_answers(client: FlaskClient, amber_key: str) -> list[Answer]:
    return [*crawl.everything(client, amber_key)]


@pytest.mark.parametrize("held", sampled(KEYS, lambda held: held[1:] == FULL and held[0] in SAMPLE))
def test_response_contains_no_foreign_data(
    tenants: Deployment,
    client: FlaskClient,
    amber_answers: list[Answer],
    held: tuple[Organization, Subset, Subset],
) -> None:
    """[3.2.1] [3.2.2] [5.3]"""
    tenant, scopes, limit = held
    foreign = [other.marker for other in ALL if other is not tenant] + [HIDDEN]
    foreign += [other.id for other in ALL if other is not tenant]
    response_count, own_count = 0, 0
    key = tenants.issue_key(tenant.id, make.OWNER, scopes, sources=limit)
    is_amber = held == (AMBER, *FULL)
    for path, response in amber_answers if is_amber else crawl.everything(client, key):
        text = crawl.written(response)
        assert not [word for word in foreign if word in text], path
        assert response.status_code < 500, path
        response_count += 1
        own_count += tenant.marker in text
    assert response_count > 200
    assert own_count > 20 or not tenant.approved or scopes != SCOPES


# By path: a prefix, then ids that only BASALT has, that nobody approved, and that nobody has.
ABSENT = {
    "/knowledge/{}": ("docs:", BASALT.only("only"), make.uuid("hidden"), make.uuid("none")),
    "/assets/{}": ("", BASALT.only("only"), make.uuid("hidden file"), make.uuid("none")),
    "/assets?folderId={}": ("", BASALT.only("only"), make.uuid("hidden folder"), make.uuid("none")),
    "/people/{}": ("telegram:", "only", "hidden1", "none"),
    "/telegram/chats/{}/messages": ("", EMBER.only("chat"), orgs.HIDDEN_CHAT, make.uuid("none")),
    "/search?source={}": ("docs:", "only", "hidden", "none"),
}
# The paths whose answers must be alike.
ALIKE = {
    form: [crawl.PREFIX + form.format(prefix + id_) for id_ in ids]
    for form, (prefix, *ids) in ABSENT.items()
}


@pytest.fixture(scope="module")
def foreign(tenants: Deployment) -> None:
    """Records of every kind that exist only in another organization."""
    sender = {"id": "only", "name": BASALT.marker, "username": None}
    source_id = "telegram:only"
    records = [
        make.source("telegram", source_id),
        make.source("docs", "docs:only"),
        make.chat(EMBER.only("chat"), source_id=source_id),
        make.message(chatId=EMBER.only("chat"), source_id=source_id, sender=sender),
    ]
    tenants.load(record | {"organizationId": BASALT.id} for record in records)
    tenants.approve(BASALT.id, make.OWNER, source_id, "docs:only")
    key = tenants.issue_key(BASALT.id, make.OWNER)
    with tenants.app(log_level="ERROR") as app:
        for form, (prefix, only, _, _) in ABSENT.items():
            path = crawl.PREFIX + form.format(prefix + only)
            expected = 404 if "folderId" in path else 200
            assert crawl.rest(app.test_client(), key, path).status_code == expected, path


def test_crawl_reads_every_record_type(amber_answers: list[Answer]) -> None:
    """So the tests above see what an operation reads of a new type."""
    answers = "".join(crawl.written(page) for _, page in amber_answers)
    texts: dict[str, set[str]] = {}
    for record in orgs.records(AMBER):
        if record.get("sourceId") in make.KIND_SOURCES.values():
            texts.setdefault(record["type"], set()).update(marked_texts(record["data"]))
    for name, marked in texts.items():
        shown = [text for text in marked if text in answers]
        where = "tests/operations.py: the `crawl` of no operation reads"
        assert shown, f"{where} a text of {name}: {sorted(marked)[:3]}"


def marked_texts(value: Any) -> Iterator[str]:
    """The texts in a JSON value that contain AMBER's marker and more."""
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from marked_texts(inner)
    elif isinstance(value, str) and AMBER.marker in value and value != AMBER.marker:
        yield value


def test_each_operation_that_names_a_record_has_absent_ones() -> None:
    rows = (row for row in ROWS.values() if row.names and row.missing)
    missing = {re.sub(r"\{\w+\}", "{}", row.path) for row in rows} - ABSENT.keys()
    assert not missing, f"{__file__}: ABSENT lacks {missing}"


@pytest.mark.usefixtures("foreign")
@pytest.mark.parametrize("form", ALIKE)
def test_absent_and_hidden_records_get_the_same_response(
    client: FlaskClient, amber_key: str, form: str
) -> None:
    """[3.2.2]"""
    answers: set[tuple[str, str, str]] = set()
    # The second time, the caller is cached.
    for _ in range(2):
        for path in ALIKE[form]:
            response = crawl.rest(client, amber_key, path)
            request_id = response.headers.pop("X-Request-Id")
            for counted in ("RateLimit-Remaining", "RateLimit-Reset"):
                del response.headers[counted]
            answers.add(
                (response.status, str(response.headers), response.text.replace(request_id, ""))
            )
    assert len(answers) == 1
    assert next(iter(answers))[0] == "404 NOT FOUND"


def test_reader_role_cannot_write(tenants: Deployment) -> None:
    writes = ["INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER"]
    if tenants.execute("SHOW server_version_num") >= [("170000",)]:
        writes.append("MAINTAIN")
    granted = """
        SELECT tablename, privilege FROM pg_tables CROSS JOIN unnest(%s::text[]) AS privilege
        WHERE schemaname = 'public' AND has_table_privilege(%s, tablename::text, privilege)
    """
    assert tenants.execute(granted, [writes, READER_ROLE]) == []
    with psycopg.connect(tenants.database_url, autocommit=True) as connection:
        connection.execute(f"SET ROLE {READER_ROLE}")
        # A login with the role starts with this setting on, and may change it.
        connection.execute("SET default_transaction_read_only = off")
        for statement in (
            "DELETE FROM sources", "UPDATE sources SET external = true", "CREATE TABLE t (i int)",
            "SELECT key_hash FROM api_keys", "DELETE FROM migrations",
            "SELECT * FROM members", "TRUNCATE knowledge", "CREATE SCHEMA s",
            "SELECT pg_read_file('/etc/hostname')", "COPY sources TO '/tmp/none'",
            "ALTER TABLE sources DISABLE TRIGGER ALL", "CREATE ROLE r",
            "CREATE TEMPORARY TABLE t (i int)", "SELECT pg_read_binary_file('/etc/hostname')",
            "CREATE FUNCTION f() RETURNS int LANGUAGE sql RETURN 1",
        ):  # fmt: skip
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)


# Two worlds that differ only in held documents answer the same bytes.

WORD = "zqxheldword"
DOCS = make.KIND_SOURCES["docs"]


# What a key that guesses asks.
GUESSES = (
    f"/search?q={WORD}", f"/knowledge?q={WORD}", f"/knowledge/{make.knowledge_id('new')}",
    f"/knowledge/{make.knowledge_id('secret')}?q={WORD}",
)  # fmt: skip


@pytest.mark.thorough
def test_held_documents_change_no_answer(servers: Servers, acme_template: str) -> None:
    worlds = []
    for is_held in (False, True):
        with copied(servers, acme_template) as deployment:
            deployment.cli("sources", "new-documents", *make.WHO, "held", DOCS).done()
            if is_held:
                text, secret = f"{WORD} is in a text that nobody reads.", f"{WORD} {make.AWS}"
                deployment.load([
                    make.knowledge("new", title=f"New {WORD}", content=text),
                    make.knowledge("secret", prefix="note", title=WORD, content=secret),
                ])  # fmt: skip
                rows = deployment.execute("SELECT count(*) FROM knowledge_suppressions")
                assert rows == [(2,)]
            worlds.append(crawl.answers(deployment, make.ACME, *GUESSES))
    assert worlds[0] == worlds[1]
    assert not [body for path, _, body in worlds[1] if WORD in body and WORD not in path]
