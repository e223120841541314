"""A search that finds nothing says which of its words occur where, and reveals nothing else."""

import itertools
from collections.abc import Callable
from functools import partial
from typing import Any

import psycopg
import pytest
from flask import Flask

from orgctx.operations.source_kinds import KNOWLEDGE_KINDS, KNOWLEDGE_SCOPE, SCOPES
from orgctx.resources.search.items import PARTS
from orgctx.resources.search.partial import LIMITS
from orgctx.stores.db import statements
from tests.mcp.endpoint import Endpoint, call, connected
from tests.properties.model import SCOPE_OF
from tests.support import factories as make
from tests.support.deployment import Deployment

DOCS = make.KIND_SOURCES["docs"]
TEXTS = (
    "walrus with a rebate", "サーバーのメンテナンスは２４時間", "线性 解析", "Die Paketverwaltung",
)  # fmt: skip


def search(deployment: Deployment, key: str, **arguments: Any) -> Any:
    with connected(deployment, key) as endpoint:
        return endpoint.tool("search_context", **arguments)


def load(deployment: Deployment) -> None:
    deployment.load(
        [
            make.knowledge("both", content="Every refund follows\nthe zebra policy."),
            make.knowledge("one", title="Zebra", content="Nothing else."),
            make.knowledge("archived", content="refund zebra", archived=True),
            make.message(1, text="Who decides on a refund?"),
            make.mention(1, text="zebra refunds are slow"),
            make.asset("zebra.png"),
            *(make.knowledge(text, title="T", content=text) for text in TEXTS),
        ]
    )


Search = Callable[..., Any]
EARLY = "2020-01-01T00:00:00Z"
FAR = "valve " + "word " * 300 + "a boiler and its valve " + "word " * 300
SAID = (
    "Message 0", "Message 1", "Is the valve of the boiler old?", "Message 3", "Yes, from 1999.",
    "Message 5", "Who unplugged the kettle?", "I did.", "The kettle was unplugged.",
)  # fmt: skip
PAIRS = ("pelican ledger", "ledger walnut", "walnut pelican")
GUIDES = [f"Guide (7.{number})" for number in range(5)]
FOOTER = f"Every truck leaves the yard before dawn{', says the footer of each copy' * 3}."


@pytest.fixture(scope="module")
def found(acme: Deployment, acme_app: Flask, key: str) -> Search:
    """Search the records of `load`, and others with words of their own."""
    load(acme)
    acme.load(
        [
            *(make.message(number + 10, text=text) for number, text in enumerate(SAID)),
            make.knowledge("passages", content=FAR),
            make.knowledge("cold", content="A truck is kept at two degrees.", updatedAt=EARLY),
            *(make.knowledge(f"copy{number}", content=FOOTER) for number in range(20)),
            make.knowledge("invoices", content="Keep each invoice, says the rule."),
            make.knowledge("fog", content="The fog horn of the WHO. About what?"),
            make.mention(9, text="Compress it.", createdAt="2026-03-01T00:00:00Z"),
            make.asset("press.pdf", parentId=make.uuid("Brand"), bytes=7),
            make.knowledge("short", content=f"The press. {'word ' * 110}end"),
            *(make.knowledge(f"long{i}", content=f"Press {i}. {'word ' * 900}") for i in range(4)),
            *(make.knowledge(f"gale{i}", content=f"A gale {i}.") for i in range(2)),
            *(make.knowledge(f"wharf{i}", content=f"A wharf {i}.") for i in range(5)),
            make.knowledge("title", title="Wharf", content="A wharf.", updatedAt=EARLY),
            make.knowledge("all", content="A walnut, a ledger, a pelican.", updatedAt=EARLY),
            *(make.knowledge(i, content=f"{PAIRS[i % 3]} {i}") for i in range(200)),
            *(make.knowledge(title, title=title, content="By the printer.") for title in GUIDES),
        ]
    )
    return partial(Endpoint(acme_app.test_client(), key).tool, "search_context")


def test_poor_search_counts_words_and_shows_partial_matches(found: Search) -> None:
    """[4.15.21]"""
    result = found(q="Zebra  REFUND quokka?")
    data = result["data"]
    assert data["items"] == []
    assert data["words"] == [
        {"word": "Zebra", "recordCount": 4},
        {"word": "REFUND", "recordCount": 3},
        {"word": "quokka", "recordCount": 0},
    ]
    partial = data["partialItems"]
    # Others score less than half, and have one word.
    assert len(partial) == 2
    assert {item["id"] for item in partial[:2]} == {make.knowledge_id("both"), "1"}
    assert all(item["words"] == ["Zebra", "REFUND"] for item in partial[:2])
    (both,) = (item for item in partial if item["id"] == make.knowledge_id("both"))
    assert both["preview"] == "Every refund follows the zebra policy."
    assert {source["id"] for source in data["sources"]} == {item["sourceId"] for item in partial}
    assert result["hints"][0] == "No record was found with quokka."
    assert "partialItems" in result["hints"][1]


@pytest.mark.parametrize(
    "arguments",
    [{"q": "refund"}, {}, {"q": "e e"}, {"q": "zebra policy", "limit": 1}, {"q": "? !"}],
)
def test_other_searches_are_as_before(found: Search, arguments: dict[str, Any]) -> None:
    """[4.15.21]"""
    data = found(**arguments)["data"]
    assert data.keys() == {"items", "sources", "hasMore", "searchedSourceCount"}


def test_poor_search_respects_its_filters(found: Search) -> None:
    """[4.15.21]"""
    data = found(q="zebra nothing refund", source="x:main")["data"]
    assert [item["id"] for item in data["partialItems"]] == ["1"]
    late = found(q="zebra nothing refund", after="2090-01-01T00:00:00Z")["data"]
    assert late["partialItems"] == []
    assert [word["recordCount"] for word in late["words"]] == [0, 0, 0]


def test_partial_items_show_the_best_passage_and_the_next_messages(found: Search) -> None:
    """[4.15.34] [4.15.35]"""
    items = {item["kind"]: item for item in found(q="valve boiler")["data"]["partialItems"]}
    following = [f"Ada: {text}" for text in SAID[3:6]]
    assert items["message"]["following"] == following
    assert "a boiler and its valve" in items["document"]["preview"]
    assert len(items["document"]["preview"]) == 480
    assert "following" not in items["document"]


def test_message_with_all_words_shows_the_next_messages(found: Search) -> None:
    """[4.15.35]"""
    data = found(q="unplugged the kettle")["data"]
    assert data["items"][0]["following"] == ["Ada: I did.", "Ada: The kettle was unplugged."]
    assert "following" not in found(q="unplugged", limit=1)["data"]["items"][0]


def test_partial_items_show_each_word_and_titles_first(found: Search) -> None:
    """[4.15.34]"""
    items = found(q="gale wharf absent")["data"]["partialItems"]
    assert {*(word for item in items for word in item["words"])} == {"gale", "wharf"}
    assert items[0]["title"] == "Wharf"


def test_help_finds_three_words_among_chunks_with_two(found: Search) -> None:
    """[4.15.34]"""
    item = found(q="pelican ledgers walnut")["data"]["partialItems"][0]
    assert item["id"] == make.knowledge_id("all")


def test_equal_passages_do_not_displace_others(found: Search) -> None:
    """[4.15.34]"""
    data = found(q="truck temperature")["data"]
    previews = [item["preview"] for item in data["partialItems"]]
    assert sorted(previews) == ["A truck is kept at two degrees.", FOOTER]
    assert data["words"][0] == {"word": "truck", "recordCount": 21, "isLeast": True}


@pytest.mark.parametrize("title", GUIDES)
def test_copy_whose_title_q_names_is_first(found: Search, title: str) -> None:
    """[4.15.34]"""
    data = found(q=f"Which printer has the {title}?")["data"]
    assert data["partialItems"][0]["title"] == title


@pytest.mark.parametrize(
    ("q", "words"),
    [
        ("keeping invoices of Status", ["keeping", "invoices", "Status"]),
        ("which fog, and from where?", ["fog"]),
        ("WHO horn", ["WHO", "horn"]),
        ("what about", ["what", "about"]),
    ],
)
def test_common_words_count_only_alone(found: Search, q: str, words: list[str]) -> None:
    """[4.15.21]"""
    assert [word["word"] for word in found(q=q)["data"]["words"]] == words


HELPED = {
    "walrus-rebate": ["walrus", "rebate"],
    "サーバー の 保守": ["サーバー", "保守"],
    "サーバーメンテナンス時間": ["サーバーメンテナンス", "時間"],
    "ﾒﾝﾃﾅﾝｽの": ["メンテナンス"],
    "线性回归的解析解": ["线性", "解析"],
    "线性回": ["线性"],
    "Paketverwaltungen": ["Paketverwaltung"],
}


@pytest.mark.parametrize("q", HELPED)
def test_single_word_gets_the_help_of_several(found: Search, q: str) -> None:
    """[4.15.21]"""
    result = found(q=q)
    data = result["data"]
    assert result["hints"] == ["No record was found with q. partialItems have only parts of it."]
    assert {word["word"] for word in data["words"]} & {*HELPED[q]}
    (item,) = data["partialItems"]
    assert set(item["words"]) <= {word["word"] for word in data["words"]}
    assert item["preview"] in TEXTS


def test_records_with_some_words_are_shown_beside_few_items(
    own_acme: Deployment, own_key: str
) -> None:
    """[4.15.21]"""
    load(own_acme)
    own_acme.load([make.mention(2, text="The policy on each zebra.")])
    data = search(own_acme, own_key, q="zebra policy")["data"]
    assert [item["id"] for item in data["items"]] == [make.knowledge_id("both")]
    assert data["partialItems"][0]["id"] == "2"
    assert make.knowledge_id("both") not in {item["id"] for item in data["partialItems"]}


def test_previews_are_long_and_hits_inside_words_come_last(
    found: Search, acme_app: Flask, key: str
) -> None:
    """[4.15.13] [4.15.16]"""
    data = found(q="press")["data"]
    assert [item["id"] for item in data["items"]][-1] == "9"
    items = {item["title"]: item for item in data["items"]}
    place = {"kind": "file", "path": "Brand", "bytes": 7, "publicUrl": None}
    assert items["press.pdf"]["asset"] == place
    lengths = sorted(len(item["preview"]) for item in data["items"] if item["kind"] == "document")
    assert lengths == [480] * 5
    read = {**place, "sourceId": "assets:main"}
    endpoint = Endpoint(acme_app.test_client(), key)
    asset = endpoint.tool("read_asset", id=items["press.pdf"]["id"])
    assert asset["data"].items() >= read.items()


@pytest.mark.parametrize(
    ("q", "is_inside"), [("rebat", False), ("paket", True), ("press", False), ("ress", True)]
)
def test_search_says_if_q_is_only_inside_words(found: Search, q: str, is_inside: bool) -> None:
    """[4.15.13] [4.15.38]"""
    hints = found(q=q).get("hints", [])
    assert any("inside longer words" in hint for hint in hints) is is_inside


HELP: tuple[tuple[str, dict[str, Any]], ...] = (
    ("search_context", {"q": "xylophone-zebra"}),
    ("search_context", {"q": "xylophone zebra refund"}),
    ("search_context", {"q": "xylophones"}),
    ("search_context", {"q": "xylofone"}),
    ("search_context", {"q": "zebr xylophnoe"}),
    ("search_context", {"q": "サーバーの xylophone"}),
    ("search_context", {"q": "xylophone", "source": "x:main"}),
    ("search_context", {"q": "zebra", "before": "2001-01-01T00:00:00Z"}),
    ("list_telegram_messages", {"chatId": make.CHAT, "sender": "xylophone zebra"}),
    ("list_telegram_messages", {"chatId": make.CHAT, "sender": "Ada"}),
    ("list_telegram_messages", {"chatId": make.CHAT, "since": "2020-01-01T00:00:00Z"}),
    ("list_telegram_messages", {"chatId": "telegram:other"}),
    ("list_telegram_messages", {"chatId": "Acme telegram"}),
    ("list_x_mentions", {"author": "bob"}),
    ("list_assets", {}),
    ("read_knowledge", {"id": make.knowledge_id(), "q": "xylophone zebra"}),
)


def test_help_is_the_same_whatever_is_hidden(own_acme: Deployment, own_key: str) -> None:
    """[4.15.39] [4.11.12] [4.12.8] Two worlds that differ only in hidden data."""
    load(own_acme)

    def answers() -> list[Any]:
        with connected(own_acme, own_key) as endpoint:
            sent = [endpoint.send(call(name, arguments)) for name, arguments in HELP]
            request_ids = [response.headers["X-Request-Id"] for response in sent]
            texts = zip(sent, request_ids, strict=True)
            return [response.text.replace(id_, "") for response, id_ in texts]

    before = answers()
    text, other = f"{SECRET} zebra サーバー", make.uuid("other")
    sender = {"id": "user9", "name": f"{SECRET} zebra", "username": "ada"}
    own_acme.load(
        [
            *make.everything(OTHER),
            *secrets(OTHER),
            *(make.source(kind, f"{kind}:other") for kind in ("docs", "assets", "telegram")),
            make.chat(other, source_id="telegram:other"),
            make.message(9, chatId=other, text=text, sender=sender)
            | {"sourceId": "telegram:other"},
            make.knowledge("hidden", source_id="docs:other", title=text, content=text),
            make.knowledge("archived", title=text, content=text, archived=True),
            make.asset(text, source_id="assets:other"),
            make.mention(78, text=text, account="former", author=make.author(9)),
        ]
    )
    assert answers() == before


@pytest.mark.parametrize("q", ["Quallenverwaltungen", "神经网络训练方法", "absent quokkas"])
def test_empty_search_says_what_to_try(found: Search, q: str) -> None:
    """[4.15.38]"""
    result = found(q=q)
    assert result["data"]["items"] == []
    assert "a part of a word" in result["hints"][0]
    assert "hints" not in found(after="2090-01-01T00:00:00Z")


def test_empty_search_says_what_was_searched(own_acme: Deployment) -> None:
    """[4.15.38]"""
    own_acme.load([make.knowledge("one", title="Zebra", content="Nothing else.")])
    key = own_acme.issue_key(make.ACME, make.OWNER, ["context:read", "knowledge:read"])
    _, searched, *others = search(own_acme, key, q="quokka")["hints"]
    assert searched.startswith("Searched: 2 documents of 1 source up to 2026-")
    assert others == ["The scopes of this key exclude: assets, token, x, telegram."]
    hints = search(own_acme, key, q="quokka", source=DOCS, after=EARLY)["hints"]
    assert "Only what source and after allow was searched. There may be more without." in hints


SECRET = "xylophone"
SEVERAL = ("context:read", "assets:read", "x:read")
OTHER = "22222222-2222-4222-8222-222222222222"


def secrets(organization_id: str = make.ACME) -> list[make.Record]:
    """A record of each kind that contains both words, but not the phrase.

    A kind without one fails test_poor_search_reveals_nothing_beyond_scopes_and_approvals.
    """
    text = f"{SECRET} zebra"
    sender = {"id": "9", "name": text, "username": None}
    records = [
        make.knowledge("secret", title=text, content=text),
        make.asset(text),
        make.message(77, text=text, sender=sender),
        make.mention(77, text=text, author=make.author(9, name=text)),
    ]
    return [record | {"organizationId": organization_id} for record in records]


def found_kinds(deployment: Deployment, key: str) -> set[str]:
    """The kinds that a poor search counts and shows records of."""
    data = search(deployment, key, q=f"zebra {SECRET}")["data"]
    assert data["items"] == []
    words, partial = data["words"], data["partialItems"]
    # There are as many places as kinds, and kinds take turns.
    kinds = {item["kind"] for item in partial}
    # A message has a sender who is a person, and a post an author.
    people = {"message", "post"} & kinds if "person" in kinds else kinds - kinds
    count = len(kinds - {"person"}) + len(people)
    assert [word["recordCount"] for word in words] == [count, count]
    assert (SECRET in str(partial)) == bool(kinds)
    return kinds


def kinds_with(*scopes: str) -> set[str]:
    """The kinds of item that a poor search with a key of these scopes counts: those ranked."""
    return {
        text.partition("' AS kind")[0].rpartition("'")[2]
        for name, kinds in PARTS.items()
        if (text := statements().get(name.replace("find", "rank")))
        if any(SCOPE_OF[kind] in scopes for kind in kinds)
        if kinds is not KNOWLEDGE_KINDS or KNOWLEDGE_SCOPE in scopes
    }


def test_poor_search_reveals_nothing_beyond_scopes_and_approvals(own_acme: Deployment) -> None:
    """[4.15.39]"""
    own_acme.load(secrets())
    for scopes in (*({"context:read", scope} for scope in SCOPES), {*SEVERAL}):
        key = own_acme.issue_key(make.ACME, make.OWNER, [*scopes])
        assert found_kinds(own_acme, key) == kinds_with(*scopes)
    key = own_acme.issue_key(make.ACME, make.OWNER)
    left = kinds_with(*SCOPES)
    assert found_kinds(own_acme, key) == left
    own_acme.cli("knowledge", "suppress", *make.WHO, make.knowledge_id("secret")).done()
    left -= {"document"}
    assert found_kinds(own_acme, key) == left
    for kind, item in (("telegram", "message"), ("assets", "asset")):
        source = make.KIND_SOURCES[kind]
        own_acme.cli("sources", "exclude", *make.WHO, source).done()
        left -= {item}
        assert found_kinds(own_acme, key) == left
    own_acme.execute("UPDATE sources SET external = false WHERE kind <> 'profile'")
    assert found_kinds(own_acme, key) == set()


def test_unreadable_records_displace_no_others(own_acme: Deployment, own_key: str) -> None:
    """[4.15.39]"""
    texts = [f"{SECRET} zebra {number}" for number in range(LIMITS["loose_limit"] + 50)]
    own_acme.load(
        [
            *(make.source(kind, f"{kind}:other") for kind in ("docs", "assets")),
            *(make.asset(text, source_id="assets:other") for text in texts),
            *(make.knowledge(text, source_id="docs:other", content=text) for text in texts),
            make.asset(f"{SECRET} of zebra"),
            make.knowledge("secret", content=f"{SECRET} of zebra"),
        ]
    )
    assert found_kinds(own_acme, own_key) == {"asset", "document"}


def test_poor_search_finds_old_messages_among_those_with_common_words(
    own_acme: Deployment, own_key: str
) -> None:
    """[4.15.34]"""
    texts = itertools.cycle(("buoy", "keel", "mast"))
    old = {1: "a mast, a keel, a buoy", 2: "a buoy and a quokka", 3: "a mast, a buoy"}
    own_acme.load(
        [
            *(make.message(i, text=text, sentAt=EARLY) for i, text in old.items()),
            *(make.message(100 + i, text=next(texts)) for i in range(6_150)),
        ]
    )
    find = partial(search, own_acme, own_key)
    data = find(q="buoy keel mast")["data"]
    assert data["partialItems"][0]["id"].endswith(":1")
    assert all(word["isLeast"] for word in data["words"])
    assert all(1 <= word["recordCount"] <= 2_052 for word in data["words"])
    data = find(q="buoy mast quokka")["data"]
    assert {item["id"][-2:] for item in data["partialItems"][:3]} == {":1", ":2", ":3"}
    assert data["words"][-1] == {"word": "quokka", "recordCount": 1}


@pytest.mark.thorough
def test_search_succeeds_although_its_help_times_out(own_acme: Deployment, own_key: str) -> None:
    """[4.15.21]"""
    load(own_acme)
    with (
        psycopg.connect(own_acme.admin_url) as connection,
        own_acme.app(search_timeout_seconds=3) as app,
    ):
        # Let the database take long for each row that the help reads.
        connection.execute("ALTER TABLE knowledge_search ENABLE ROW LEVEL SECURITY")
        connection.execute(
            "CREATE POLICY slow ON knowledge_search"
            " USING (current_query() NOT LIKE '%word_counts%' OR pg_sleep(30) IS NULL)"
        )
        connection.commit()
        endpoint = Endpoint(app.test_client(), own_key)
        result = endpoint.tool("search_context", q="zebra nothing", source=DOCS)
    assert result["data"]["items"] == []
    assert "words" not in result["data"]


def test_poor_search_prefers_rare_words_near_each_other_in_each_kind(
    own_acme: Deployment, own_key: str
) -> None:
    """[4.15.34]"""
    noise = "So it is. " * 90
    texts = [f"{'gale wharf'.split()[number % 2]} {number}" for number in range(40)]
    own_acme.load(
        [
            *(make.knowledge(text, title="T", content=f"the {text}") for text in texts),
            *(make.message(100 + i, text=f"the {text}") for i, text in enumerate(texts)),
            make.knowledge("near", content=f"{noise}A gale hit the wharf.", updatedAt=EARLY),
            make.knowledge("far", content=f"A gale. {noise} The wharf."),
            make.knowledge("rare", content="Only a quokka.", updatedAt=EARLY),
        ]
    )
    partial = search(own_acme, own_key, q="wharf gale")["data"]["partialItems"]
    assert partial[0]["id"] == make.knowledge_id("near")
    partial = search(own_acme, own_key, q="wharf gale absent")["data"]["partialItems"]
    assert [item["id"] for item in partial[:2]] == list(map(make.knowledge_id, ("near", "far")))
    rare = search(own_acme, own_key, q="the quokka")["data"]["partialItems"]
    assert rare[0]["id"] == make.knowledge_id("rare")
