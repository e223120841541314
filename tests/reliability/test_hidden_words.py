"""A word that only hidden records contain is searched like one that no record contains.

The time of an answer would tell how many index entries, rows and pages a search touches for hidden
records, so the plans of all statements that an operation runs for both words are compared.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from flask.testing import FlaskClient

from orgctx.resources.catalog import OPERATIONS
from orgctx.resources.search import service as search
from orgctx.resources.telegram import service as telegram
from orgctx.schemas.payload import fields_of
from orgctx.stores.db import Statement
from orgctx.stores.pool import Pool
from tests.operations import ROWS
from tests.scale.plans import Plan, explain
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


def records(place: str, number: int, **ids: str) -> list[dict[str, Any]]:
    """Build a document, a message, its sender and a file with the word of a place."""
    name, word = f"{place} {number}", HIDDEN[place]
    chat_id = make.uuid(f"chat {place}")
    sender = {"id": name.replace(" ", "-"), "name": f"Ada {word}", "username": None}
    message = make.message(number + 1, chatId=chat_id, text=f"A {word}", sender=sender, **ids)
    message["sourceId"] = f"telegram:{place[:5]}"
    document = make.knowledge(name, title=word, content=f"A {word} {number}", **ids)
    file = make.asset(f"{word} {number}", **ids)
    if place != "suppressed":
        document["sourceId"], file["sourceId"] = f"docs:{place[:5]}", f"assets:{place[:5]}"
    return [document] if place == "suppressed" else [document, message, file]


@pytest.fixture(scope="module")
def world(module_deployment: Deployment) -> Deployment:
    deployment = module_deployment
    deployment.load_acme()
    deployment.load([make.organization(OTHER), *make.staff(OTHER)])
    for place in HIDDEN:
        ids = {"organization_id": OTHER if place == "organization" else make.ACME}
        sources = [
            make.source(kind, f"{kind}:{place[:5]}", label=f"{kind} {place}", **ids)
            for kind in ("docs", "telegram", "assets")
        ]
        chat = make.chat(make.uuid(f"chat {place}"), source_id=f"telegram:{place[:5]}", **ids)
        deployment.load(
            [
                *sources, chat,
                *(
                    record
                    for number in range(COUNT)
                    if place != "account"
                    for record in records(place, number, **ids)
                ),
            ]
        )  # fmt: skip
    # Mentions of an account that is no longer the source's.
    mentions = (
        make.mention(number, account="former", text=f"A {HIDDEN['account']}")
        for number in range(10, COUNT)
    )
    deployment.load(mentions)
    others = [f"{kind}:other" for kind in ("docs", "telegram", "assets")]
    deployment.approve(make.ACME, make.OWNER, *others)
    suppressed = [make.knowledge_id(f"suppressed {number}") for number in range(COUNT)]
    author = ("--organization", make.ACME, "--by", make.OWNER)
    assert deployment.cli("knowledge", "suppress", *author, *suppressed).exit_code == 0
    deployment.execute("VACUUM (ANALYZE)")
    return deployment


@pytest.fixture(scope="module")
def client(world: Deployment) -> Iterator[FlaskClient]:
    with world.app(log_level="ERROR") as app:
        yield app.test_client()


@pytest.fixture(scope="module")
def key(world: Deployment) -> str:
    readable = [*make.KIND_SOURCES.values()]
    return world.issue_key(make.ACME, make.OWNER, sources=readable)


@pytest.mark.parametrize("interface", [crawl.rest, crawl.call], ids=["REST", "MCP"])
@pytest.mark.parametrize("place", HIDDEN)
@pytest.mark.parametrize("name", SEARCHES)
def test_hidden_word_reads_the_same_pages(
    world: Deployment,
    client: FlaskClient,
    key: str,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    place: str,
    interface: crawl.Request,
) -> None:
    # The searches use their indexes, because few of the newest records are scanned.
    monkeypatch.setattr(search, "RECENT", 2)
    monkeypatch.setattr(telegram, "RECENT", 1)
    statements: list[Statement] = []
    original = Pool._run

    def recorded(pool: Pool, given: Sequence[Statement], *rest: Any) -> Any:
        statements.extend(given)
        return original(pool, given, *rest)

    monkeypatch.setattr(Pool, "_run", recorded)
    plans = {}
    for term in (ABSENT, HIDDEN[place], f"{ABSENT} ada", f"{HIDDEN[place]} ada"):
        statements.clear()
        assert ask(client, key, name, term, interface) == 200
        plans[term] = [
            (statement, *touched(explain(world, statement, values, "force_generic_plan")))
            for statement, values in statements
            if {"q", "words"} & values.keys()
        ]
    absent, hidden, absent_words, hidden_words = plans.values()
    assert hidden == absent
    assert hidden_words == absent_words


def ask(client: FlaskClient, key: str, name: str, q: str, interface: crawl.Request) -> int:
    row = ROWS[name]
    arguments = row.asks[0] | {"q": q}
    headers = {"Authorization": f"Bearer {key}"}
    if interface is crawl.rest and "q" in fields_of(operation_of(name).arguments):
        path = crawl.PREFIX + row.request(arguments)
        return client.get(path, headers=headers).status_code
    params = {"name": name, "arguments": arguments}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return client.post("/api/mcp", json=body, headers=headers).status_code


def operation_of(name: str) -> Any:
    return next(operation for operation in OPERATIONS if operation.name == name)


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
