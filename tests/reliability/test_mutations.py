"""Without any one of its organization or source conditions, a statement is found out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest
from flask.testing import FlaskClient

from orgctx import db
from tests import factories as make
from tests.deployment import Deployment
from tests.reliability import crawl
from tests.reliability import organizations as orgs
from tests.reliability.organizations import AMBER, COBALT, DUSK, EMBER

CONDITION = re.compile(
    r"(?:\w+\.organization_id = (?:%\(organization_id\)s|\w+\.organization_id)"
    r"|\w+\.(?:source_)?id = ANY\(%\(\w+\)s::text\[\]\))"
)
PATHS = {
    "context/get_context": "/context",
    "knowledge/list_knowledge": "/knowledge",
    "knowledge/read_knowledge": "/knowledge/",
    "assets/list_assets": "/assets",
    "assets/read_asset": "/assets/",
    "telegram/list_telegram_chats": "/telegram/chats",
    "telegram/list_telegram_messages": "/telegram/chats/",
    "telegram/search_telegram_messages": "/telegram/chats/",
    "x/list_x_mentions": "/x/mentions",
    "token/get_token": "/token",
    "people/list_people": "/people",
    "people/read_person": "/people/",
    "search/search_context": "/search",
}
# Conditions that another one implies: (statement, number of the condition) → why.
ONE = "an organization has one source of the kind, and nothing is asked where it is not exposed"
REDUNDANT = {
    ("context/get_context", 2): ONE,
    ("token/get_token", 1): ONE,
    ("x/list_x_mentions", 1): "as above; without an exposed source the account is null",
    ("people/read_person", 7): "as above; without an exposed source the person has no evidence",
    (
        "search/search_context",
        26,
    ): "a first count; the people are counted again with both conditions",
    (
        "search/search_context",
        27,
    ): "a first count; the people are counted again with both conditions",
}


class Mutant(NamedTuple):
    """A statement without its condition of this number. text: of the condition."""

    name: str
    number: int
    text: str
    mutated: str


def mutants() -> Iterator[Mutant]:
    for name in PATHS:
        text = db.sql(name)
        for number, match in enumerate(CONDITION.finditer(text)):
            mutated = f"{text[: match.start()]}true{text[match.end() :]}"
            yield Mutant(name, number, match[0], mutated)


@pytest.fixture(scope="module")
def tenants(module_deployment: Deployment) -> Deployment:
    orgs.load(module_deployment)
    return module_deployment


@pytest.fixture(scope="module")
def client(tenants: Deployment) -> Iterator[FlaskClient]:
    with tenants.app(log_level="ERROR") as app:
        yield app.test_client()


@pytest.fixture(scope="module")
def keys(tenants: Deployment) -> list[str]:
    """Those whose answers a leak would change first."""
    return [tenants.issue_key(one.id, make.OWNER) for one in (AMBER, DUSK, EMBER, COBALT)]


@cache
def paths_of(name: str) -> tuple[str, ...]:
    prefix = PATHS[name]
    return tuple(crawl.reads(prefix))


@pytest.fixture(scope="module")
def answers(client: FlaskClient, keys: list[str]) -> dict[tuple[str, str], list[tuple[int, str]]]:
    """What unchanged statements answer, twice the same."""
    asked = {(name, key): paths_of(name) for name in PATHS for key in keys}
    found = {one: crawl.bodies(client, one[1], paths) for one, paths in asked.items()}
    assert found == {one: crawl.bodies(client, one[1], paths) for one, paths in asked.items()}
    return found


def is_found_out(
    client: FlaskClient, keys: list[str], answers: dict[tuple[str, str], list[tuple[int, str]]],
    name: str,
) -> bool:  # fmt: skip
    """Whether any answer changed."""
    for key in keys:
        for path, expected in zip(paths_of(name), answers[name, key], strict=True):
            if crawl.bodies(client, key, [path]) != [expected]:
                return True
    return False


@pytest.mark.parametrize("mutant", [*mutants()], ids=lambda m: f"{m.name}-{m.number}")
def test_every_condition_is_needed(
    client: FlaskClient, keys: list[str], answers: dict[tuple[str, str], list[tuple[int, str]]],
    mutant: Mutant, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    original = db.sql
    monkeypatch.setattr(
        db, "sql", lambda name: mutant.mutated if name == mutant.name else original(name)
    )
    found = is_found_out(client, keys, answers, mutant.name)
    assert found != ((mutant.name, mutant.number) in REDUNDANT), mutant.text


def test_every_statement_is_mutated() -> None:
    names = {
        path.relative_to(db.sql_directory()).with_suffix("").as_posix()
        for path in db.sql_directory().glob("*/*.sql")
    }
    others = ("schema/", "gate/", "load/", "cli/")
    assert {name for name in names if not name.startswith(others)} == set(PATHS)
