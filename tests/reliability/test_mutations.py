"""A statement without one of its organization or source conditions changes a response."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
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
from tests.support import citus, crawl
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.organizations import AMBER, BASALT, COBALT, DUSK, EMBER

pytestmark = citus.impossible("the shard may hide a missing condition, or the plan not allow it")

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
# Requests that detected a mutant so far: key, interface and path.
DETECTING: dict[tuple[str, crawl.Request, str], None] = {}


class Mutant(NamedTuple):
    """A statement without one condition. place: the statement, its part and what is compared."""

    name: str
    place: str
    mutated: str


def mutants() -> Iterator[Mutant]:
    for name in STATEMENTS:
        text = db.sql(name)
        for match in CONDITION.finditer(text):
            mutated = f"{text[: match.start()]}true{text[match.end() :]}"
            yield Mutant(name, place_of(name, match), mutated)


def place_of(name: str, match: re.Match[str]) -> str:
    parts = PART.findall(match.string, 0, match.start())
    compared, _, _ = match[0].partition(" = ")
    return " ".join([name, *filter(None, parts[-1:]), compared])


def without_redundant(name: str) -> str:
    """Return a statement without all of its conditions that another one implies."""

    def replacement(match: re.Match[str]) -> str:
        return "true" if is_redundant(place_of(name, match)) else match[0]

    return CONDITION.sub(replacement, db.sql(name))


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
    searching = [path for name in STATEMENTS if is_searching(name) for path in paths_of(name)]
    for number in RECENT:
        with recent(number):
            for key, expected in unchanged.items():
                for asked, response in responses(client, key, dict.fromkeys(searching)).items():
                    assert response == expected[asked], asked
    return unchanged


def responses(client: FlaskClient, key: str, paths: Iterable[str]) -> dict[Asked, tuple[int, str]]:
    """The response to each path over each interface."""
    asked = product(INTERFACES, paths)
    return {(how, path): crawl.body(client, key, path, how) for how, path in asked}


def is_detected(client: FlaskClient, answers: Answers, name: str) -> bool:
    """Whether any response changed. Requests that detected another mutant are sent first."""
    paths = paths_of(name)
    detecting = [asked for asked in reversed(DETECTING) if asked[2] in paths]
    others = ((key, how, path) for how in INTERFACES for key in answers for path in paths)
    for asked in dict.fromkeys((*detecting, *others)):
        key, how, path = asked
        if crawl.body(client, key, path, how) != answers[key][how, path]:
            DETECTING[asked] = None
            return True
    return False


def is_searching(name: str) -> bool:
    """Whether RECENT affects a statement."""
    return name.startswith((SEARCH, SEARCH_CHAT))


@contextmanager
def recent(number: int) -> Iterator[None]:
    """Let searches read this many of the newest rows before they use the index."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "RECENT", number)
        patch.setattr(search, "RECENT_IN_ONE_SOURCE", number)
        patch.setattr(telegram, "RECENT", 2 * number)
        yield


def changes_a_response(client: FlaskClient, answers: Answers, name: str, mutated: str) -> bool:
    """Whether any response changes with another text of a statement."""
    original = db.sql
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pool, "sql", lambda each: mutated if each == name else original(each))
        if is_detected(client, answers, name):
            return True
        for number in RECENT if is_searching(name) else ():
            with recent(number):
                if is_detected(client, answers, name):
                    return True
    return False


@pytest.fixture(scope="module")
def needless(client: FlaskClient, answers: Answers) -> Callable[[str], bool]:
    """Whether a statement gives the same responses without all its redundant conditions.

    Then it does so without each of them, too, because a condition only ever removes rows. This is
    asked once for a statement, because it takes all of its requests.
    """

    @cache
    def is_needless(name: str) -> bool:
        return not changes_a_response(client, answers, name, without_redundant(name))

    return is_needless


@pytest.mark.parametrize("mutant", [*mutants()], ids=lambda m: m.place)
def test_statement_without_a_condition_changes_a_response(
    client: FlaskClient, answers: Answers, needless: Callable[[str], bool], mutant: Mutant
) -> None:
    if is_redundant(mutant.place) and needless(mutant.name):
        return
    has_changed = changes_a_response(client, answers, mutant.name, mutant.mutated)
    assert has_changed != is_redundant(mutant.place), (
        "no response changed: let a `crawl` in tests/operations read what the condition hides, or "
        "give the reason in REDUNDANT"
        if not has_changed
        else f"tests/reliability/test_mutations.py: REDUNDANT lists {mutant.place}, which is needed"
    )
