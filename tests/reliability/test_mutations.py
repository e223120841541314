"""A statement without one of its organization or source conditions changes a response."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import chain
from typing import NamedTuple

import pytest
from flask.testing import FlaskClient

from orgctx.operations.operation import Reader
from orgctx.resources.catalog import RESOURCES
from orgctx.resources.search import service as search
from orgctx.stores import connections, db
from tests.support import citus, crawl
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.organizations import AMBER, BASALT, COBALT, DUSK, EMBER
from tests.support.thorough import sampled

pytestmark = citus.impossible("the shard may hide a missing condition, or the plan not allow it")

CONDITION = re.compile(
    r"(?:\w+\.organization_id = (?:%\(organization_id\)s|\w+\.organization_id)"
    r"|\w+\.(?:source_)?id = ANY\(%\(\w+\)s::text\[\]\))"
)
PART = re.compile(r"^(?:(?:WITH )?(\w+) AS (?:NOT )?(?:MATERIALIZED )?\(|SELECT)$", re.MULTILINE)
# The operations by the folder of their statements. Those of the reader's own package serve all.
OPERATIONS = {
    resource.name: [operation.name for operation in resource.operations] for resource in RESOURCES
} | {Reader.__module__.split(".")[-2]: []}
STATEMENTS = sorted(name for name in db.statements() if name.split("/")[0] in OPERATIONS)
# Conditions that another condition implies, by place, with the reason.
ONE = "an organization has one source of the kind, and nothing is asked where it is not exposed"
CHECKED = "what it lets through is checked where the records are read"
LISTED = "the records were listed, or are read next, with the same conditions"
LAST = "it would take 10,000 people, and only bounds how many are examined"
ACCOUNT = "without an exposed source the account is null"
KEYED = "the tokens have the key of a source that the caller may read"
SEARCH = "search/find"
REDUNDANT = {
    "context/get_context t.source_id": ONE,
    "token/get_token t.source_id": ONE,
    "x/list_x_mentions of_account m.source_id": ACCOUNT,
    "x/list_x_mentions o.source_id": ACCOUNT,
    "people/read_person posts m.source_id": "without an exposed source there is no evidence",
    f"{SEARCH}_posts scopes s.id": ONE,
    "search/rank_posts scopes s.id": ONE,
    "search/list_places k.source_id": LISTED,
    "operations/read_descriptions s.id": "only the descriptions of listed sources are taken",
    "operations/list_places_of_assets a.source_id": LISTED,
    "operations/find_matches term k.organization_id": LISTED,
    "operations/find_matches term k.source_id": LISTED,
    "operations/find_named p.organization_id": KEYED,
    "operations/find_named p.source_id": KEYED,
    "telegram/read_parents c.organization_id": LISTED,
    "telegram/read_parents c.source_id": LISTED,
    f"{SEARCH}_documents other_knowledge c.organization_id": CHECKED,
    f"{SEARCH}_people last p.organization_id": LAST,
    f"{SEARCH}_people last p.source_id": LAST,
    f"{SEARCH}_people last n.organization_id": LAST,
    f"{SEARCH}_people last n.source_id": LAST,
    f"{SEARCH}_people scopes s.organization_id": KEYED,
    "search/rank_assets scopes s.organization_id": KEYED,
    "search/rank_people scopes s.organization_id": KEYED,
    "search/rank_people newest n.organization_id": "it only estimates how common a word is",
    "search/rank_messages scopes c.organization_id": KEYED,
    "search/rank_documents scopes s.id": KEYED,
    "search/rank_documents scopes s.organization_id": KEYED,
    f"{SEARCH}_documents recent_knowledge k.source_id": LISTED,
    f"{SEARCH}_documents other_knowledge k.source_id": KEYED,
    "search/rank_documents found k.source_id": KEYED,
    "search/rank_documents whole f.source_id": KEYED,
    "knowledge/search_knowledge matching k.source_id": KEYED,
    "telegram/search_telegram_messages with_term f.organization_id": KEYED,
}

# The same in every search: a condition that only decides whether to use the index or how many rows
# to read first (test_hidden_words.py holds what these read), and one on candidates whose rows `r`
# are compared again in the same part.
PROBE = re.compile(rf"{SEARCH}_\w+ (?:(?:other f|knowledge_since n)\.\w+|bound f\.organization_id)")
RECENT_SOURCE = re.compile(rf"({SEARCH}_\w+ recent_\w+) (?!r\.)\w+\.source_id")

# How many of the newest rows a search reads before it uses the index: nearly none, or some.
RECENT = (1, 20)
# The tool of each path may run statements of its own.
INTERFACES: tuple[crawl.Request, ...] = (crawl.rest, crawl.call)
# Key, interface and path.
Asked = tuple[str, crawl.Request, str]
# The response to a request with unchanged statements.
Answers = Callable[[Asked], tuple[int, str]]
# The statements that a request runs.
RUN: dict[Asked, set[str]] = {}
# Requests that detected a mutant so far.
DETECTING: dict[Asked, None] = {}


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
    """The paths of the operation of that name, or of all operations of its resource.

    A statement that serves all may name a resource, whose paths are first.
    """
    folder, _, stem = name.partition("/")
    names = OPERATIONS[folder]
    paths = crawl.reads(*([stem] if stem in names else names))
    return tuple(sorted(paths, key=lambda path: re.split("[/?]", path)[3] not in stem))


@pytest.fixture(scope="module")
def answers(client: FlaskClient) -> Answers:
    @cache
    def answer(asked: Asked) -> tuple[int, str]:
        with recorded(RUN.setdefault(asked, set())):
            got = respond(client, asked)
        assert got[0] < 500, f"an error response detects nothing: {asked}"
        return got

    return answer


def respond(client: FlaskClient, asked: Asked) -> tuple[int, str]:
    key, how, path = asked
    return crawl.body(client, key, path, how)


def requests(keys: list[str], name: str) -> list[Asked]:
    """What may show a change of a statement. Requests that detected another mutant are first."""
    paths = paths_of(name)
    detecting = [asked for asked in reversed(DETECTING) if asked[2] in paths]
    # What serves all operations serves tools first.
    interfaces = INTERFACES if OPERATIONS[name.partition("/")[0]] else INTERFACES[::-1]
    others = [(key, how, path) for how in interfaces for key in keys for path in paths]
    return [*dict.fromkeys((*detecting, *others))]


def is_searching(name: str) -> bool:
    """Whether RECENT affects a statement."""
    return name.startswith(SEARCH)


@contextmanager
def recent(number: int) -> Iterator[None]:
    """Let searches read this many of the newest rows before they use the index."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "RECENT", number)
        yield


@contextmanager
def recorded(names: set[str]) -> Iterator[None]:
    """Add the names of the statements that the service runs to a set."""

    def text(name: str) -> str:
        names.add(name)
        return db.sql(name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connections, "sql", text)
        yield


@contextmanager
def replaced(name: str, mutated: str) -> Iterator[None]:
    """Let the service run another text of a statement."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connections, "sql", lambda each: mutated if each == name else db.sql(each))
        yield


@pytest.fixture(scope="module")
def changes(client: FlaskClient, keys: list[str], answers: Answers) -> Callable[[str, str], bool]:
    """Whether any response changes with another text of a statement."""

    def is_detected(name: str, mutated: str) -> bool:
        for asked in requests(keys, name):
            expected = answers(asked)
            if name not in RUN[asked]:
                continue
            with replaced(name, mutated):
                if respond(client, asked) != expected:
                    DETECTING[asked] = None
                    return True
        return False

    def changes_a_response(name: str, mutated: str) -> bool:
        if is_detected(name, mutated):
            return True
        for number in RECENT if is_searching(name) else ():
            with recent(number):
                if is_detected(name, mutated):
                    return True
        return False

    return changes_a_response


@pytest.fixture(scope="module")
def needless(changes: Callable[[str, str], bool]) -> Callable[[str], bool]:
    """Whether a statement gives the same responses without all its redundant conditions.

    Then it does so without each of them, too, because a condition only ever removes rows. This is
    asked once for a statement, because it takes all of its requests.
    """

    @cache
    def is_needless(name: str) -> bool:
        return not changes(name, without_redundant(name))

    return is_needless


@pytest.mark.thorough
@pytest.mark.parametrize("number", RECENT)
def test_response_does_not_depend_on_recent(
    client: FlaskClient, keys: list[str], answers: Answers, number: int
) -> None:
    searching = [requests(keys, name) for name in STATEMENTS if is_searching(name)]
    for asked in dict.fromkeys(chain.from_iterable(searching)):
        expected = answers(asked)
        with recent(number):
            assert respond(client, asked) == expected, asked


# One condition on organizations and one on sources for each resource.
SAMPLE = {
    (mutant.name.partition("/")[0], mutant.place.endswith(".organization_id")): mutant
    for mutant in mutants()
    if not is_redundant(mutant.place)
}


@pytest.mark.parametrize(
    "mutant", sampled(mutants(), [*SAMPLE.values()].__contains__), ids=lambda m: m.place
)
def test_statement_without_a_condition_changes_a_response(
    changes: Callable[[str, str], bool], needless: Callable[[str], bool], mutant: Mutant
) -> None:
    if is_redundant(mutant.place) and needless(mutant.name):
        return
    has_changed = changes(mutant.name, mutant.mutated)
    assert has_changed != is_redundant(mutant.place), (
        "no response changed: let a `crawl` in tests/operations.py read what the condition hides, "
        "or give the reason in REDUNDANT of tests/reliability/test_mutations.py"
        if not has_changed
        else f"tests/reliability/test_mutations.py: REDUNDANT lists {mutant.place}, which is needed"
    )
