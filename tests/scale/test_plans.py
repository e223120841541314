"""A statement reads little more than it returns, with generic and with custom plans.

The data has 100,000 messages, and 1,000,000 in `make test-system`. The number of pages read does
not depend on the machine; bounds are twice the numbers measured at 1,000,000.
"""

from collections.abc import Callable
from hashlib import md5
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
import pytest

from orgctx.operations.lookups import CHUNK_LIMIT
from orgctx.resources.search.partial import LIMITS
from orgctx.resources.search.service import LIMITS as SEARCH_LIMITS
from orgctx.resources.search.service import RECENT, SINCE_SETTING
from orgctx.resources.telegram.service import MOST_COUNTED, RECENT_OF_SENDER
from orgctx.resources.x import VIEWS_WINDOW
from tests.scale.data import (
    ABSENT,
    ACCOUNT,
    COMMON,
    LARGE,
    OTHERS,
    RARE,
    SHARED,
    SMALL,
    TELEGRAM,
    Size,
    chat,
    folder,
)
from tests.scale.plans import explain
from tests.support import factories as make

LONG = {"telegram_messages", "telegram_search", "people", "knowledge_chunks", "knowledge_search"}
PEOPLE = [*TELEGRAM, "x:main"]
BASE: dict[str, Any] = {
    "organization_id": make.ACME,
    "chat_id": chat(make.ACME, 0),
    "source_ids": [*SHARED, *TELEGRAM],
    "before": 2**31 - 1,
    "after": None,
    "row_limit": 51,
    "newer_limit": 0,
    "page_size": 50,
    "page_offset": 0,
    "q": None,
    "kind": "all",
    "visibility": "all",
    "archived": False,
    "account": ACCOUNT,
    "folder_id": folder(make.ACME, 1),
}


class Case(NamedTuple):
    """indexes: must be used. buffers, removed: the most pages read, and rows read and discarded.

    last: the parameters that name a place far from the beginning of a list.
    """

    name: str
    values: dict[str, Any]
    indexes: set[str]
    buffers: int
    removed: int = 15_000
    last: Callable[[Size], dict[str, Any]] = lambda _: {}


def offset(number: Callable[[Size], int]) -> Callable[[Size], dict[str, Any]]:
    return lambda size: {"page_offset": number(size)}


class Part(NamedTuple):
    """A part of a search. walks: the index of the newest rows. searches: that of terms."""

    name: str
    source_ids: list[str]
    walks: set[str]
    searches: set[str]


PARTS = (
    Part("messages", TELEGRAM, {"telegram_search_by_chat"}, {"telegram_search_tokens"}),
    Part("documents", SHARED, {"knowledge_search_by_time"}, {"knowledge_search_tokens"}),
    Part("posts", ["x:main"], {"x_mentions_by_account"}, {"x_mentions_tokens"}),
    Part("people", PEOPLE, {"people_by_source"}, {"people_tokens"}),
    Part("assets", SHARED, {"assets_by_source_and_time"}, {"assets_tokens"}),
)


def search(q: str | None, source_ids: list[str], **values: Any) -> dict[str, Any]:
    defaults = {"q": q, "source_ids": source_ids, "recent_limit": RECENT if q else 210}
    defaults |= {"since_setting": SINCE_SETTING} | SEARCH_LIMITS
    return {"before": None, "row_limit": 21} | defaults | values


OF_PEOPLE = {"source_ids": PEOPLE}
OF_OTHER = {
    "organization_id": OTHERS[7],
    "chat_id": chat(OTHERS[7], 0),
    "folder_id": folder(OTHERS[7], 1),
}
LIST, SEARCH_CHAT = "telegram/list_telegram_messages", "telegram/search_telegram_messages"
MESSAGE_FILTERS = {"sender_id": None, "since": None, "until": None, "count_limit": MOST_COUNTED + 1}
KNOWLEDGE, SEARCH_KNOWLEDGE = "knowledge/list_knowledge", "knowledge/search_knowledge"
CONTEXT = "search/find_{}"
MENTIONS, ASSETS = "x/list_x_mentions", "assets/list_assets"
MENTION_FILTERS = {"before": None, "author_id": None, "sort": "newest", "views_limit": VIEWS_WINDOW}
TERMS = {
    "common": COMMON, "rare": RARE, "absent": ABSENT, "2 characters": "zq", "signs": "...",
}  # fmt: skip
CASES = {
    "messages": Case(LIST, {}, {"telegram_messages_pkey"}, 50, 50),
    "messages, old": Case(
        LIST, {}, {"telegram_messages_pkey"}, 50, 50, lambda size: {"before": size.messages // 50}
    ),
    **{
        f"messages of a chat, {label}": Case(
            SEARCH_CHAT, MESSAGE_FILTERS | {"q": term}, {"telegram_search_tokens"}, 3_000
        )
        for label, term in TERMS.items()
    },
    "messages around": Case(
        LIST,
        {"newer_limit": 51},
        {"telegram_messages_pkey"},
        100,
        100,
        lambda size: {"before": size.messages // 40},
    ),
    "messages of a sender": Case(
        f"{LIST}_of_sender",
        {"recent_limit": RECENT_OF_SENDER, "sender_id": "user20"},
        {"telegram_messages_pkey", "telegram_messages_by_sender"},
        800,
        RECENT_OF_SENDER,
    ),
    **{
        f"messages of a sender, {label}": Case(
            SEARCH_CHAT,
            MESSAGE_FILTERS | {"q": term, "sender_id": "user20"},
            {"telegram_search_tokens"},
            3_000,
        )
        for label, term in TERMS.items()
    },
    "people": Case(
        "people/list_people", OF_PEOPLE, {"people_by_time", "people_by_person"}, 700, 100
    ),
    "people, page 100": Case(
        "people/list_people",
        OF_PEOPLE,
        {"people_by_time"},
        18_000,
        6_000,
        offset(lambda size: size.people // 10 - 50),
    ),
    "people of a name": Case(
        "operations/find_named",
        OF_PEOPLE | {"person_name": "name1234", "display_name": "name1234"},
        {"people_tokens"},
        2_000,
        1_000,
    ),
    "people of a name that is part of all": Case(
        "operations/find_named",
        OF_PEOPLE | {"person_name": "er", "display_name": "er"},
        {"people_tokens"},
        # It reads everyone in the sources of the chat, and each has rows of two sources.
        5_000,
        200_000,
    ),
    "people list, common": Case(
        "people/search_people", OF_PEOPLE | {"q": "er"}, {"people_by_time"}, 36_000
    ),
    "people list, absent": Case(
        "people/search_people", OF_PEOPLE | {"q": "zq"}, {"people_by_time"}, 36_000
    ),
    "knowledge": Case(KNOWLEDGE, {}, set(), 600),
    "knowledge, last": Case(
        KNOWLEDGE, {}, set(), 800, last=offset(lambda size: size.knowledge * 97 // 100)
    ),
    "knowledge, rare": Case(SEARCH_KNOWLEDGE, {"q": RARE}, {"knowledge_search_tokens"}, 700),
    "knowledge, absent": Case(SEARCH_KNOWLEDGE, {"q": "zq"}, {"knowledge_search_tokens"}, 600),
    "mentions": Case(MENTIONS, MENTION_FILTERS, set(), 800),
    "mentions, last": Case(
        MENTIONS,
        MENTION_FILTERS,
        {"x_mentions_pkey"},
        1_200,
        last=offset(lambda size: size.mentions - 20),
    ),
    **{
        f"mentions, {label}": Case(MENTIONS, MENTION_FILTERS | values, indexes, buffers)
        for label, values, indexes, buffers in (
            ("after", {"after": "2024-01-01T00:00:00Z"}, set(), 1_000),
            ("rare", {"q": RARE}, {"x_mentions_tokens"}, 1_000),
            ("absent", {"q": ABSENT}, {"x_mentions_tokens"}, 400),
            ("views", {"sort": "views"}, {"x_mentions_pkey"}, 62_000),
        )
    },
    "assets": Case(ASSETS, {}, {"assets_pkey"}, 1_400),
    "assets, last": Case(
        ASSETS, {}, {"assets_pkey"}, 1_900, last=offset(lambda size: size.assets // 2 - 100)
    ),
    "chats": Case("telegram/list_telegram_chats", {}, set(), 20),
    "other, messages": Case(LIST, OF_OTHER, {"telegram_messages_pkey"}, 50, 50),
    "other, mentions": Case(MENTIONS, MENTION_FILTERS | OF_OTHER, set(), 600),
    "other, assets": Case(ASSETS, OF_OTHER, {"assets_pkey"}, 700),
}
SIZES = (SMALL, pytest.param(LARGE, marks=(pytest.mark.system, pytest.mark.timeout(900))))
for part in PARTS:
    name = CONTEXT.format(part.name)
    CASES[f"{part.name}, nothing"] = Case(name, search(None, part.source_ids), part.walks, 700, 250)
    CASES[f"{part.name}, no source"] = Case(name, search(COMMON, []), set(), 20, 100)
    for label, term in TERMS.items():
        indexes = part.walks if term == COMMON else part.searches
        # Each source takes a look-up of its own.
        CASES[f"{part.name}, {label}"] = Case(
            name, search(term, part.source_ids), indexes, 1_400 + 10 * len(part.source_ids), 1_000
        )
CASES["other, search"] = Case(
    CONTEXT.format("messages"), search(ABSENT, TELEGRAM, **OF_OTHER),
    {"telegram_search_by_chat"}, 1_400, 1_000,
)  # fmt: skip

for label, words in (
    ("common", [COMMON, "item"]),
    ("rare", [RARE, ABSENT]),
    ("2 letters", ["ha"]),
    ("signs", ["...", "zq"]),
):
    asked = {"words": words, "stems": words, "before": None} | LIMITS
    for part in PARTS:
        name = f"search/rank_{part.name}"
        values = asked | {"source_ids": part.source_ids}
        most = LIMITS["posting_limit"] if part.name == "documents" else 2_000
        CASES[f"{name}, {label}"] = Case(name, values, part.searches, 6_000, most)
IDS = [f"docs:{UUID(md5(b'%d' % number).hexdigest())}" for number in range(1, 21)]
OF_MATCHES = {
    "knowledge_ids": IDS, "segment_start": 0, "first_chunk": 0, "least_units": 0,
    "chunk_limit": CHUNK_LIMIT,
}  # fmt: skip
for label, term in TERMS.items():
    CASES[f"matches, {label}"] = Case(
        "operations/find_matches",
        {"q": term} | OF_MATCHES,
        {"knowledge_pkey", "knowledge_chunks_pkey"},
        1_000,
    )


@pytest.mark.thorough
@pytest.mark.parametrize("size", SIZES, indirect=True, scope="module")
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_statement_reads_few_pages(scale: psycopg.Connection, size: Size, case: Case) -> None:
    plan = explain(scale, case.name, BASE | case.values | case.last(size))
    assert not plan.scanned & LONG
    assert plan.indexes >= case.indexes
    assert plan.buffers <= case.buffers
    # Ranking compares the newest records and all postings, in memory.
    in_memory = {"newest", "postings"} if case.name.startswith("search/rank_") else ()
    assert plan.removed(in_memory) <= case.removed
