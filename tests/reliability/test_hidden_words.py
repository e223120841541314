"""What only hidden records contain is searched like what no record contains: words and days.

The time of an answer would tell how many index entries, rows and pages a search touches for hidden
records, so the plans of all statements that an operation runs for both are compared.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import pytest

from orgctx.resources.catalog import OPERATIONS
from orgctx.resources.search import service as search
from orgctx.schemas.formats import DateTime
from orgctx.schemas.payload import fields_of
from orgctx.stores.db import Statement
from orgctx.stores.pool import Pool
from tests.mcp.endpoint import Endpoint, call
from tests.operations import ROWS
from tests.scale.plans import Plan, explain, explaining
from tests.support import citus, crawl
from tests.support import factories as make
from tests.support.deployment import Deployment

pytestmark = citus.impossible("the plans are those of shards")

SEARCHES = [
    operation.name for operation in OPERATIONS if "q" in fields_of(operation.tool_arguments)
]
OTHER = make.uuid("other")
ABSENT = "qzvxwkjq"
# The words of hidden records by what hides them.
HIDDEN = {
    "unapproved": "zqjvkwxz", "other source": "vkqzxjwv", "suppressed": "jxqkvzwj",
    "account": "wvjzqxkw", "organization": "kjzwvqxk",
}  # fmt: skip
COUNT = 300
# The parameters of a span of time, of each operation with one.
SPANS = {
    operation.name: names
    for operation in OPERATIONS
    if (
        names := [
            *(n for n, f in fields_of(operation.tool_arguments).items() if isinstance(f, DateTime))
        ]
    )
}
# The days of hidden records by what hides them, and the days after them, when nothing is dated.
DAYS = {place: f"2026-03-{2 * number:02}" for number, place in enumerate(HIDDEN, 1)}
NEXT_DAYS = {place: f"2026-03-{2 * number + 1:02}" for number, place in enumerate(HIDDEN, 1)}


def records(place: str, number: int, **ids: str) -> list[dict[str, Any]]:
    """Build a document, a message, its sender and a file with the word of a place."""
    name, word, at = f"{place} {number}", HIDDEN[place], f"{DAYS[place]}T12:00:00Z"
    chat_id = make.uuid(f"chat {place}")
    sender = {"id": name.replace(" ", "-"), "name": f"Ada {word}", "username": None}
    message = make.message(
        number + 1, chatId=chat_id, text=f"A {word}", sender=sender, sentAt=at, **ids
    )
    message["sourceId"] = f"telegram:{place[:5]}"
    # The planner prefers to read the chunks of a large document first.
    count = 1 if number or place != "suppressed" else 40_000
    content = "A " + " ".join(f"{word} {number + n}" for n in range(count))
    document = make.knowledge(name, title=word, content=content, updatedAt=at, **ids)
    # All files but the first are in a folder.
    parent = make.uuid(f"{word} 0") if number else None
    kind = "file" if number else "folder"
    file = make.asset(f"{word} {number}", kind=kind, parentId=parent, updatedAt=at, **ids)
    if place != "suppressed":
        document["sourceId"], file["sourceId"] = f"docs:{place[:5]}", f"assets:{place[:5]}"
    return [document] if place == "suppressed" else [document, message, file]


def hidden_records() -> Iterator[make.Record]:
    yield from (make.organization(OTHER), *make.staff(OTHER))
    for place in HIDDEN:
        ids = {"organization_id": OTHER if place == "organization" else make.ACME}
        for kind in ("docs", "telegram", "assets"):
            yield make.source(kind, f"{kind}:{place[:5]}", label=f"{kind} {place}", **ids)
        yield make.chat(make.uuid(f"chat {place}"), source_id=f"telegram:{place[:5]}", **ids)
        for number in range(COUNT if place != "account" else 0):
            yield from records(place, number, **ids)
    # Mentions of an account that is no longer the source's.
    for number in range(10, COUNT):
        yield make.mention(
            number,
            account="former",
            text=f"A {HIDDEN['account']}",
            createdAt=f"{DAYS['account']}T12:00:00Z",
        )


@pytest.fixture(scope="module")
def world(acme: Deployment) -> Deployment:
    acme.load(hidden_records())
    others = [f"{kind}:other" for kind in ("docs", "telegram", "assets")]
    acme.approve(make.ACME, make.OWNER, *others)
    suppressed = [make.knowledge_id(f"suppressed {number}") for number in range(COUNT)]
    acme.cli("knowledge", "suppress", *make.WHO, *suppressed).done()
    acme.execute("VACUUM (ANALYZE)")
    return acme


Asked = Callable[..., list[tuple[Any, ...]]]


# Tools run the statements of REST, and more.
INTERFACES = [pytest.param(crawl.rest, marks=pytest.mark.thorough), crawl.call]


@pytest.fixture(scope="module", params=INTERFACES, ids=["REST", "MCP"])
def asked(request: pytest.FixtureRequest, world: Deployment) -> Iterator[Asked]:
    """`asked(name, q="word")` asks an operation and returns what its statements touched."""
    key = world.issue_key(make.ACME, make.OWNER, sources=[*make.KIND_SOURCES.values()])
    statements: list[Statement] = []
    original = Pool.query_all

    def recorded(pool: Pool, given: Sequence[Statement], *rest: Any) -> Any:
        statements.extend(given)
        return original(pool, given, *rest)

    @cache
    def ask(name: str, **given: str) -> list[tuple[Any, ...]]:
        statements.clear()
        row = ROWS[name]
        (operation,) = (one for one in OPERATIONS if one.name == name)
        arguments = row.asks[0] | given
        if request.param is crawl.rest and given.keys() <= fields_of(operation.arguments).keys():
            response = crawl.rest(client, key, crawl.PREFIX + row.request(arguments))
            assert response.status_code == (404 if {"id", "folderId"} & given.keys() else 200)
        else:
            response = Endpoint(client, key).post(call(name, arguments))
            assert response.status_code == 200
        return [
            (statement, *touched(explain(connection, statement, values)))
            for statement, values in statements
            if values.keys() & {"q", "words", "folder_id", *given}
        ]

    with (
        world.client(log_level="ERROR") as client,
        explaining(world) as connection,
        pytest.MonkeyPatch.context() as patch,
    ):
        # The searches use their indexes, because few of the newest records are scanned.
        patch.setattr(search, "RECENT", 2)
        patch.setattr(Pool, "query_all", recorded)
        yield ask


@pytest.mark.one_in(7)
@pytest.mark.parametrize("place", HIDDEN)
@pytest.mark.parametrize("name", SEARCHES)
def test_hidden_word_reads_the_same_pages(asked: Asked, name: str, place: str) -> None:
    assert asked(name, q=HIDDEN[place]) == asked(name, q=ABSENT)
    assert asked(name, q=f"{HIDDEN[place]} ada") == asked(name, q=f"{ABSENT} ada")


@pytest.mark.one_in(7)
@pytest.mark.parametrize("place", HIDDEN)
@pytest.mark.parametrize("name", SPANS)
def test_hidden_day_reads_the_same_pages(asked: Asked, name: str, place: str) -> None:
    first, last = SPANS[name]
    days = (DAYS[place], NEXT_DAYS[place])
    spans = [{first: f"{day}T00:00:00Z", last: f"{day}T23:00:00Z"} for day in days]
    for term in ({}, {"q": ABSENT}):
        hidden, empty = (asked(name, **term, **span) for span in spans)
        assert hidden == empty


@pytest.mark.parametrize("q", [None, ABSENT, HIDDEN["suppressed"]])
def test_suppressed_content_is_not_read(asked: Asked, q: str | None) -> None:
    term = {"q": q} if q else {}
    statements = asked("read_knowledge", id=make.knowledge_id("suppressed 0"), **term)
    assert statements
    for _, _, nodes in statements:
        assert not [n for n in nodes if "knowledge_chunks" in (n[1] or "") and any(n[2:])]


@pytest.mark.parametrize("place", ["unapproved", "other source", "organization"])
def test_children_of_a_hidden_folder_are_not_read(asked: Asked, place: str) -> None:
    """Its id can be computed from its path."""
    ((_, _, nodes),) = asked("list_assets", folderId=make.uuid(f"{HIDDEN[place]} 0"))
    # At most the folder itself, in an index and in its table.
    assert sum(rows + removed for _, name, rows, removed in nodes if name) <= 2


def touched(plan: Plan) -> tuple[int, list[tuple[Any, ...]]]:
    """Return the pages that a plan read, and the rows that each of its nodes read or removed."""
    return plan.buffers, [
        (
            node["Node Type"],
            node.get("Relation Name") or node.get("Index Name"),
            node["Actual Rows"] * node["Actual Loops"],
            node.get("Rows Removed by Filter", 0) * node["Actual Loops"],
        )
        for node in plan.nodes
    ]
