"""A key that is limited to sources reads what it would read if no other source were approved."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from flask.testing import FlaskClient

from orgctx.operations.source_kinds import KINDS
from orgctx.stores import db, pool
from tests.support import crawl
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.organizations import AMBER, BASALT, HIDDEN_SOURCES
from tests.support.thorough import sampled

WHO = ("--organization", AMBER.id, "--by", make.OWNER)
MAIN = tuple(make.KIND_SOURCES[kind] for kind in KINDS)
# One source of each kind, then mixed ones, and one that does not exist any more.
LIMITS = (
    *((source_id,) for source_id in MAIN),
    MAIN,
    HIDDEN_SOURCES,
    (*MAIN[1:4], *HIDDEN_SOURCES[::2]),
    ("docs:deleted",),
)
VARYING = ("X-Request-Id", "RateLimit-Remaining", "RateLimit-Reset", "Date")
Answers = dict[str, tuple[int, list[tuple[str, str]], str]]


@pytest.fixture(scope="module")
def approved(tenants: Deployment) -> Deployment:
    """AMBER with all of its sources approved, so that each kind has several where it can."""
    tenants.approve(AMBER.id, make.OWNER)
    return tenants


@pytest.fixture(scope="module")
def client(approved: Deployment) -> Iterator[FlaskClient]:
    with approved.app(log_level="ERROR") as app:
        yield app.test_client()


@pytest.fixture(scope="module")
def unlimited(approved: Deployment) -> str:
    return approved.issue_key(AMBER.id, make.OWNER)


@pytest.fixture(scope="module")
def limited(approved: Deployment) -> str:
    """A key whose limit the tests set."""
    return approved.issue_key(AMBER.id, make.OWNER, sources=["docs:handbook"])


@contextmanager
def limited_to(deployment: Deployment, source_ids: tuple[str, ...]) -> Iterator[None]:
    """Let each limited key of AMBER read these sources."""
    deployment.execute(
        "UPDATE api_keys SET source_ids = %s WHERE source_ids IS NOT NULL", [[*source_ids]]
    )
    yield


@contextmanager
def only_approved(deployment: Deployment, source_ids: tuple[str, ...]) -> Iterator[None]:
    """Withdraw every other source of AMBER while the block runs."""
    withdraw = "UPDATE sources SET external = %s WHERE organization_id = %s AND NOT id = ANY(%s)"
    deployment.execute(withdraw, [False, AMBER.id, [*source_ids]])
    try:
        yield
    finally:
        deployment.execute(withdraw, [True, AMBER.id, [*source_ids]])


def answers(client: FlaskClient, key: str) -> Answers:
    """Every answer that a crawl gets, with its headers, but for what differs by request."""
    return {
        asked: (
            response.status_code,
            [pair for pair in response.headers if pair[0] not in VARYING],
            response.text.replace(response.headers["X-Request-Id"], ""),
        )
        for asked, response in crawl.everything(client, key)
    }


@pytest.fixture(scope="module")
def everything(client: FlaskClient, unlimited: str) -> Answers:
    return answers(client, unlimited)


@pytest.mark.parametrize(
    "limit", sampled(LIMITS, lambda limit: {*HIDDEN_SOURCES} & {*limit}), ids=" ".join
)
def test_limited_key_reads_as_if_nothing_else_were_approved(
    approved: Deployment,
    client: FlaskClient,
    limited: str,
    unlimited: str,
    everything: Answers,
    limit: tuple[str, ...],
) -> None:
    """[5.16] [5.17]"""
    with limited_to(approved, limit):
        got = answers(client, limited)
    with only_approved(approved, limit):
        expected = answers(client, unlimited)
    assert len(got) > 200
    assert got == expected
    assert got != everything


# The conditions on sources of the look-up of a key.
CONDITIONS = (
    "s.organization_id = k.organization_id",
    "s.included",
    "s.external",
    "(k.source_ids IS NULL OR s.id = ANY(k.source_ids))",
)


@pytest.mark.parametrize("condition", CONDITIONS)
def test_look_up_without_a_condition_changes_a_response(
    approved: Deployment, limited: str, condition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = ("docs:handbook", "notes:team", "x:main", *HIDDEN_SOURCES)
    changes = "UPDATE sources SET {} = NOT {} WHERE organization_id = %s AND id = %s"
    flags = {"included": "docs:handbook", "external": "notes:team"}
    original, path = db.sql, f"{crawl.PREFIX}/sources"
    assert original("gate/find_key").count(condition) == 1
    for flag, source_id in flags.items():
        approved.execute(changes.format(flag, flag), [AMBER.id, source_id])
    try:
        with limited_to(approved, limit):
            with approved.app() as app:
                before = crawl.body(app.test_client(), limited, path)
            mutated = original("gate/find_key").replace(condition, "true")
            monkeypatch.setattr(
                pool, "sql", lambda name: mutated if name == "gate/find_key" else original(name)
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


def test_limit_names_only_sources_of_the_organization(approved: Deployment) -> None:
    """A source with an id that another organization has too stays its own."""
    approved.load([make.source("docs", "docs:foreign") | {"organizationId": BASALT.id}])
    rights = ("--access", "both", "--scope", "context:read", "--expires-in-days", "7")
    result = approved.cli("keys", "issue", *WHO, *rights, "--source", "docs:foreign")
    assert result.exit_code == 1
    assert "has no source 'docs:foreign'" in result.stderr


def test_older_release_does_not_find_a_limited_key(
    approved: Deployment, limited: str, unlimited: str
) -> None:
    """It would read every source with it."""
    count = "SELECT count(*) FROM find_key(sha256(%s::text::bytea))"
    assert approved.execute(count, [limited]) == [(0,)]
    assert approved.execute(count, [unlimited]) == [(1,)]
