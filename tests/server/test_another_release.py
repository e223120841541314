"""A server keeps running while another release replaces its files."""

from pathlib import Path

import pytest

from orgctx.stores import db
from tests.support import crawl
from tests.support import factories as make
from tests.support.deployment import Deployment


@pytest.mark.thorough
def test_server_keeps_its_statements_while_another_release_is_installed(
    own_acme: Deployment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = own_acme.issue_key(make.ACME, make.OWNER)
    for kept in (db.statements, db.migrations, db.grants, db.granted):
        kept.cache_clear()
    (tmp_path / "schema").mkdir()
    (tmp_path / "schema/999_newer.sql").write_text("SELECT")
    with own_acme.app() as app:
        monkeypatch.setattr(db, "sql_directory", lambda: tmp_path)
        client = app.test_client()
        assert client.get("/readyz").status_code == 200
        for path in crawl.reads():
            answer = crawl.rest(client, key, path)
            assert answer.status_code in {200, 400, 404}, path
