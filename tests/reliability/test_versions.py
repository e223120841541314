"""Every transaction that changes what keys read sets a new version of the organization's data.

Triggers note the organizations whose readable rows change, and look at the end of each transaction
whether it has set a version. The test runs all statements that write such rows.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from orgctx.stores.db import statements
from tests.bundle.test_json_schema import DELETIONS
from tests.support import citus
from tests.support import factories as make
from tests.support.deployment import Deployment

pytestmark = pytest.mark.skipif(bool(citus.URL), reason="Citus has no such triggers")

WATCH = """
CREATE SCHEMA watch;
CREATE TABLE watch.changes (organization_id uuid, changed text);
CREATE TABLE watch.versions (organization_id uuid, transaction_id xid8);
CREATE FUNCTION watch.note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    INSERT INTO watch.changes SELECT DISTINCT organization_id, TG_TABLE_NAME FROM changed;
    RETURN NULL;
END $$;
CREATE FUNCTION watch.set() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    INSERT INTO watch.versions VALUES (NEW.organization_id, pg_current_xact_id());
    RETURN NULL;
END $$;
CREATE FUNCTION watch.compare() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    IF EXISTS (SELECT FROM public.organizations AS o WHERE o.organization_id = NEW.organization_id)
        AND NOT EXISTS (
            SELECT FROM watch.versions AS v
            WHERE v.organization_id = NEW.organization_id
                AND v.transaction_id = pg_current_xact_id()
        ) THEN RAISE EXCEPTION 'rows of % change without a new version', NEW.changed;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER set AFTER INSERT OR UPDATE OF version ON organizations
    FOR EACH ROW EXECUTE FUNCTION watch.set();
CREATE CONSTRAINT TRIGGER compare AFTER INSERT ON watch.changes DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION watch.compare();
"""
EVENTS = {"INSERT": "NEW", "UPDATE": "NEW", "DELETE": "OLD"}
READABLE = """
SELECT relname FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
    AND has_table_privilege('orgctx_reader', oid, 'SELECT')
    AND EXISTS (
        SELECT FROM pg_attribute WHERE attrelid = pg_class.oid AND attname = 'organization_id'
    )
"""
WRITES = re.compile(r"^\s*(?:INSERT INTO|UPDATE|DELETE FROM)\s+(\w+|\{table\})", re.MULTILINE)
# Statements that write a readable table and need no new version.
EXCEPTIONS = {"stores/set_versions"}


@pytest.fixture
def watched(own_acme: Deployment) -> tuple[Deployment, set[str]]:
    """Acme with the triggers, and the tables that they watch."""
    with psycopg.connect(own_acme.admin_url) as connection:
        connection.execute(WATCH)
        tables = {name for (name,) in connection.execute(READABLE).fetchall()}
        for table in tables:
            for event, rows in EVENTS.items():
                connection.execute(
                    f"CREATE TRIGGER note_{event} AFTER {event} ON {table} REFERENCING {rows} TABLE"
                    " AS changed FOR EACH STATEMENT EXECUTE FUNCTION watch.note()"
                )
    return own_acme, tables


def writers(tables: set[str]) -> dict[str, str]:
    """The names of the statements that write readable tables, by how their text begins."""
    return {
        re.split(r"[{\n]", text)[0]: name
        for name, text in statements().items()
        if {*WRITES.findall(re.sub("--.*", "", text))} & {*tables, "{table}"}
        and not name.startswith("schema/")
        and "citus" not in name
    }


def test_every_change_of_readable_data_sets_a_version(
    watched: tuple[Deployment, set[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    deployment, tables = watched
    executed = set[str]()
    execute = psycopg.Cursor.execute

    def note(cursor: Any, query: Any, *arguments: Any, **options: Any) -> Any:
        executed.add(str(query.as_string() if hasattr(query, "as_string") else query))
        return execute(cursor, query, *arguments, **options)

    monkeypatch.setattr(psycopg.Cursor, "execute", note)
    for change in changes(deployment, tmp_path):
        assert change.exit_code == 0, change
    left = {
        name
        for begin, name in writers(tables).items()
        if not any(text.startswith(begin) for text in executed)
    }
    assert left - EXCEPTIONS == set()


def changes(deployment: Deployment, folder: Path) -> Iterator[Any]:
    source, document = make.KIND_SOURCES["docs"], make.knowledge_id()
    for name, *yes in (("withdraw",), ("approve", "--yes"), ("exclude",), ("include", "--yes")):
        yield deployment.cli("sources", name, *make.WHO, source, *yes)
    for name in ("held", "readable"):
        yield deployment.cli("sources", "new-documents", name, *make.WHO, source)
    text = "The same text of forty characters or more."
    deployment.load([make.knowledge(content=text), make.knowledge("copy", content=text)])
    for name in ("suppress", "restore", "suppress"):
        yield deployment.cli("knowledge", name, *make.WHO, document)
    ((sequence,),) = deployment.execute("SELECT max(sequence) FROM audit")
    yield deployment.cli("audit", "undo", sequence, *make.WHO)
    (folder / "a.md").write_text("# A")
    sync = f'organization = "acme"\nkind = "folder"\npath = "{folder}"\nsource = "docs:sync"'
    (folder / "sync.toml").write_text(f"[[import]]\n{sync}\n")
    yield deployment.cli("sync", folder / "sync.toml")
    quoted = {"author": make.author(), "text": "a quote", "url": "https://x.com/a/1"}
    deployment.load([make.mention("quoting", quoted=quoted)])
    deployment.load(make.everything(make.uuid("other")))
    for record in reversed(make.everything()):
        if record["type"] == "x.mention":
            key = "x:" + record["data"]["author"]["id"]
            yield deployment.cli("people", "erase", *make.WHO, "--yes", key)
    yield deployment.cli("organizations", "create", "another", "--owner", "Ada")
    for deletion in reversed(DELETIONS):
        deployment.load([deletion | {"organizationId": make.uuid("other")}])


def test_change_without_a_version_is_noticed(watched: tuple[Deployment, set[str]]) -> None:
    deployment, _ = watched
    noticed = pytest.raises(psycopg.errors.RaiseException, match="rows of sources change")
    with noticed, psycopg.connect(deployment.admin_url, autocommit=True) as connection:
        connection.execute("UPDATE sources SET label = 'x'")
