"""A statement without one of its organization or source conditions changes a response."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import product
from typing import NamedTuple

import pytest
from flask.testing import FlaskClient

from orgctx.resources.catalog import RESOURCES
from orgctx.resources.search import service as search
from orgctx.resources.telegram import service as telegram
from orgctx.stores import db, pool
from tests.support import crawl
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.organizations import AMBER, BASALT, COBALT, DUSK, EMBER

CONDITION = re.compile(
    r"(?:\w+\.organization_id = (?:%\(organization_id\)s|\w+\.organization_id)"
    r"|\w+\.(?:source_)?id = ANY\(%\(\w+\)s::text\[\]\))"
)
PART = re.compile(r"^(?:(?:WITH )?(\w+) AS (?:NOT )?(?:MATERIALIZED )?\(|SELECT)$", re.MULTILINE)
STATEMENTS = sorted(
    path.relative_to(db.sql_directory()).with_suffix("").as_posix()
    for resource in RESOURCES
    for path in db.sql_directory().glob(f"{resource.name}/*.sql")
)
OPERATIONS = {
    resource.name: [operation.name for operation in resource.operations] for resource in RESOURCES
}
# Conditions that another condition implies, by place, with the reason.
ONE = "an organization has one source of the kind, and nothing is asked where it is not exposed"
CHECKED = "what it lets through is checked where the records are read"
LISTED = "the records were listed, or are read next, with the same conditions"
LAST = "it would take 10,000 people, and only bounds how many are examined"
ACCOUNT = "without an exposed source the account is null"
SEARCH = "search/find"
SEARCH_CHAT = "telegram/search_telegram_messages"
REDUNDANT = {
    "context/get_context t.source_id": ONE,
    "token/get_token t.source_id": ONE,
    f"{SEARCH}_token t.source_id": ONE,
    "x/list_x_mentions mentions m.source_id": ACCOUNT,
    "x/search_x_mentions matching m.source_id": ACCOUNT,
    "x/search_x_mentions matching f.source_id": ACCOUNT,
    "x/search_x_mentions o.source_id": ACCOUNT,
    "people/read_person posts m.source_id": "without an exposed source there is no evidence",
    f"{SEARCH}_posts accounts s.id": ONE,
    f"{SEARCH}_partial accounts s.id": ONE,
    f"{SEARCH}_partial hits t.organization_id": CHECKED,
    "search/list_places k.source_id": LISTED,
    "assets/list_ancestors f.source_id": LISTED,
    "assets/list_sources_of_assets a.organization_id": LISTED,
    "assets/list_sources_of_assets a.source_id": LISTED,
    "knowledge/find_matches term k.organization_id": LISTED,
    "knowledge/find_matches term k.source_id": LISTED,
    "telegram/read_parents c.organization_id": LISTED,
    "telegram/read_parents c.source_id": LISTED,
    f"{SEARCH}_documents candidates c.organization_id": CHECKED,
    f"{SEARCH}_documents other_knowledge c.organization_id": CHECKED,
    f"{SEARCH}_people last_person p.organization_id": LAST,
    f"{SEARCH}_people last_person p.source_id": LAST,
}

# The same in every search: a condition that only decides whether to use the index, and one on
# candidates whose rows `r` are compared again in the same part.
PROBE = re.compile(rf"{SEARCH}_\w+ (?:other_\w+|knowledge_since) n\.organization_id")
RECENT_SOURCE = re.compile(rf"({SEARCH}_\w+ recent_\w+) (?!r\.)\w+\.source_id")

# How many of the newest rows a search reads before it uses the index: nearly none, or some.
RECENT = (1, 20)
# The tool of each path may run statements of its own.
INTERFACES: tuple[crawl.Request, ...] = (crawl.rest, crawl.call)
Asked = tuple[crawl.Request, str]
# By key, by interface and path.
Answers = dict[str, dict[Asked, tuple[int, str]]]


class Mutant(NamedTuple):
    """A statement without one condition. place: the statement, its part and what is compared."""

    name: str
    place: str
    mutated: str


def mutants() -> Iterator[Mutant]:
    for name in STATEMENTS:
        text = db.sql(name)
        for match in CONDITION.finditer(text):
            parts = PART.findall(text, 0, match.start())
            compared, _, _ = match[0].partition(" = ")
            place = " ".join([name, *filter(None, parts[-1:]), compared])
            yield Mutant(name, place, f"{text[: match.start()]}true{text[match.end() :]}")


PLACES = {mutant.place for mutant in mutants()}


def is_redundant(place: str) -> bool:
    recent = RECENT_SOURCE.fullmatch(place)
    is_compared_again = recent is not None and f"{recent[1]} r.source_id" in PLACES
    return place in REDUNDANT or bool(PROBE.fullmatch(place)) or is_compared_again


@pytest.fixture(scope="module")
def client(tenants: Deployment) -> Iterator[FlaskClient]:
    with tenants.app(log_level="ERROR") as app:
        yield app.test_client()


@pytest.fixture(scope="module")
def keys(tenants: Deployment) -> list[str]:
    """The keys whose responses a leak would change first."""
    return [
        tenants.issue_key(tenant.id, make.OWNER) for tenant in (AMBER, DUSK, EMBER, COBALT, BASALT)
    ]


@cache
def paths_of(name: str) -> tuple[str, ...]:
    """The paths of the operation of that name, or of all operations of its resource."""
    folder, _, stem = name.partition("/")
    names = OPERATIONS[folder]
    return tuple(crawl.reads(*([stem] if stem in names else names)))


@pytest.fixture(scope="module")
def answers(client: FlaskClient, keys: list[str]) -> Answers:
    """The responses with unchanged statements, which do not depend on RECENT."""
    paths = dict.fromkeys(path for name in STATEMENTS for path in paths_of(name))
    unchanged = {key: responses(client, key, paths) for key in keys}
    failed = {asked for by in unchanged.values() for asked, got in by.items() if got[0] >= 500}
    assert not failed, f"an error response detects nothing: {failed}"
    for number in RECENT:
        with recent(number):
            assert unchanged == {key: responses(client, key, paths) for key in keys}
    return unchanged


def responses(client: FlaskClient, key: str, paths: Iterable[str]) -> dict[Asked, tuple[int, str]]:
    """The response to each path over each interface."""
    asked = product(INTERFACES, paths)
    return {(how, path): crawl.body(client, key, path, how) for how, path in asked}


def is_detected(client: FlaskClient, answers: Answers, name: str) -> bool:
    """Whether any response changed."""
    return any(
        crawl.body(client, key, path, how) != expected[how, path]
        for how in INTERFACES
        for key, expected in answers.items()
        for path in paths_of(name)
    )


@contextmanager
def recent(number: int) -> Iterator[None]:
    """Let searches read this many of the newest rows before they use the index."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "RECENT", number)
        patch.setattr(search, "RECENT_OF_ONE", number)
        patch.setattr(telegram, "RECENT", 2 * number)
        yield


@pytest.mark.parametrize("mutant", [*mutants()], ids=lambda m: m.place)
def test_statement_without_a_condition_changes_a_response(
    client: FlaskClient, answers: Answers, mutant: Mutant, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = db.sql
    monkeypatch.setattr(
        pool, "sql", lambda name: mutant.mutated if name == mutant.name else original(name)
    )
    has_changed = is_detected(client, answers, mutant.name)
    is_search = mutant.name.startswith((SEARCH, SEARCH_CHAT))
    for number in RECENT if is_search and not has_changed else ():
        with recent(number):
            has_changed = has_changed or is_detected(client, answers, mutant.name)
    assert has_changed != is_redundant(mutant.place), (
        "no response changed: let a `crawl` in tests/operations read what the condition hides, or "
        "give the reason in REDUNDANT"
        if not has_changed
        else f"tests/reliability/test_mutations.py: REDUNDANT lists {mutant.place}, which is needed"
    )
