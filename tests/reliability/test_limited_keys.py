"""The limit of a key to sources, where the key is looked up; test_exposure.py compares answers."""

import re
from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from orgctx.stores import connections, db
from tests.support import crawl
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.organizations import AMBER, HIDDEN_SOURCES

WHO = ("--organization", AMBER.id, "--by", make.OWNER)


@pytest.fixture(scope="module")
def approved(tenants: Deployment) -> Deployment:
    """AMBER with all of its sources approved, so that each kind has several where it can."""
    tenants.approve(AMBER.id, make.OWNER)
    return tenants


@pytest.fixture(scope="module")
def client(approved: Deployment) -> Iterator[FlaskClient]:
    with approved.app(log_level="ERROR") as app:
        yield app.test_client()


# The conditions on sources of the look-up of a key.
CONDITIONS = (
    "s.organization_id = k.organization_id",
    "s.included",
    "s.external",
    "(k.source_ids IS NULL OR s.id = ANY(k.source_ids))",
)


@pytest.mark.parametrize("condition", CONDITIONS)
def test_look_up_without_a_condition_changes_a_response(
    approved: Deployment, condition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    limited = approved.issue_key(AMBER.id, make.OWNER, sources=["docs:handbook"])
    limit = ("docs:handbook", "notes:team", "x:main", *HIDDEN_SOURCES)
    changes = "UPDATE sources SET {} = NOT {} WHERE organization_id = %s AND id = %s"
    flags = {"included": "docs:handbook", "external": "notes:team"}
    original, path = db.sql, f"{crawl.PREFIX}/sources"
    assert original("gate/find_key").count(condition) == 1
    for flag, source_id in flags.items():
        approved.execute(changes.format(flag, flag), [AMBER.id, source_id])
    approved.execute("UPDATE api_keys SET source_ids = %s WHERE source_ids IS NOT NULL", [[*limit]])
    try:
        with approved.app() as app:
            before = crawl.body(app.test_client(), limited, path)
        mutated = original("gate/find_key").replace(condition, "true")
        monkeypatch.setattr(
            connections, "sql", lambda name: mutated if name == "gate/find_key" else original(name)
        )
        with approved.app() as app:
            after = crawl.body(app.test_client(), limited, path)
    finally:
        for flag, source_id in flags.items():
            approved.execute(changes.format(flag, flag), [AMBER.id, source_id])
    assert before[0] == after[0] == 200
    assert before != after


def source_ids(client: FlaskClient, key: str) -> list[str]:
    response = crawl.rest(client, key, f"{crawl.PREFIX}/sources")
    return re.findall(r'"id":"([a-z]+:[a-z]+)"', response.text)


def test_key_whose_sources_are_gone_reads_nothing(
    approved: Deployment, client: FlaskClient
) -> None:
    """[5.17] Neither a deletion nor a source that is approved later ends a limit."""
    approved.load([make.source("docs", "docs:brief") | {"organizationId": AMBER.id}])
    key = approved.issue_key(AMBER.id, make.OWNER, sources=["docs:brief"])
    assert source_ids(client, key) == []
    approved.approve(AMBER.id, make.OWNER, "docs:brief")
    assert source_ids(client, key) == ["docs:brief"]
    for verb in ("exclude", "include", "withdraw"):
        assert approved.cli("sources", verb, *WHO, "docs:brief").exit_code == 0
        assert source_ids(client, key) == (["docs:brief"] if verb == "include" else [])
    assert approved.cli("sources", "delete", *WHO, "docs:brief", "--yes").exit_code == 0
    approved.load([make.source("docs", "docs:later") | {"organizationId": AMBER.id}])
    approved.approve(AMBER.id, make.OWNER, "docs:later")
    assert source_ids(client, key) == []
    assert approved.cli("sources", "delete", *WHO, "docs:later", "--yes").exit_code == 0
