"""Loads keep derived data about people right, whatever was loaded before."""

from collections.abc import Sequence
from itertools import chain, combinations, product
from typing import Any

import psycopg
import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.factories import Record
from tests.support.thorough import FACTOR

CHATS = ("first", "second", "third")
SOURCES = (*(f"telegram:{name}" for name in CHATS), "x:main")
USERS = ("u1", "u2", "u3")
# They are few, so that some messages have equal times.
TIMES = [f"2026-01-0{day}T08:00:00Z" for day in (1, 2, 3)]

NEWER = """
    SELECT o.source_id, o.platform, o.person_id, o.newer_source_ids, coalesce(
        array_agg(n.source_id ORDER BY n.source_id) FILTER (WHERE n.source_id IS NOT NULL), '{}'
    )
    FROM people AS o
    LEFT JOIN people AS n
        ON (n.organization_id, n.platform, n.person_id)
            = (o.organization_id, o.platform, o.person_id)
        AND (n.last_active_at > o.last_active_at
            OR n.last_active_at = o.last_active_at AND n.source_id < o.source_id)
    GROUP BY o.organization_id, o.source_id, o.platform, o.person_id
"""
COUNTED = """
    SELECT coalesce(sum(people_count), 0) FROM people_counts
    WHERE source_id = ANY(%(ids)s) AND NOT newer_source_ids && %(ids)s
"""
COUNTABLE = """
    SELECT count(DISTINCT (platform, person_id)) FROM people WHERE source_id = ANY(%(ids)s)
"""


def source(name: str) -> Record:
    return make.source("telegram", f"telegram:{name}")


def chat(name: str, source_name: str) -> Record:
    return make.chat(make.uuid(name), source_id=f"telegram:{source_name}")


def message(name: str, number: int, user: str, sent_at: str) -> Record:
    sender = {"id": user, "name": user, "username": None}
    where = {"chatId": make.uuid(name), "source_id": f"telegram:{name}"}
    return make.message(number, sender=sender, sentAt=sent_at, **where)


def mention(number: int, user: str, sent_at: str) -> Record:
    return make.mention(number, author=make.author(user), createdAt=sent_at)


def moved(name: str, source_name: str) -> list[Record]:
    return [make.delete("telegram.chat", make.uuid(name)), chat(name, source_name)]


def swapped(names: Sequence[str]) -> list[list[Record]]:
    """Loads in which two chats exchange their sources, by way of a spare one, and back."""
    first, second, *_ = names
    there = [[source("spare"), *moved(first, "spare")], moved(second, first), moved(first, second)]
    return [*there, moved(first, "spare"), moved(second, second), moved(first, first)]


BEGIN = [
    make.delete("organization", make.ACME),
    make.organization(),
    *make.staff(),
    make.source("x"),
    *map(source, CHATS),
    *(chat(name, name) for name in CHATS),
]
NUMBERS = (1, 2, 3, 4)
MESSAGES = [[message(*each)] for each in product(CHATS, NUMBERS, USERS, TIMES)]
MENTIONS = [[mention(*each)] for each in product(NUMBERS, USERS, TIMES)]
UNSAID = [
    [make.delete("telegram.message", number, chatId=make.uuid(name))]
    for name, number in product(CHATS, NUMBERS)
]
UNMENTIONED = [[make.delete("x.mention", str(number))] for number in NUMBERS]
# A chat or a source that is deleted comes back.
GONE_CHATS = [[make.delete("telegram.chat", make.uuid(name)), chat(name, name)] for name in CHATS]
GONE_SOURCES = [
    [make.delete("source", f"telegram:{name}"), source(name), chat(name, name)] for name in CHATS
]
KINDS = (MESSAGES, MESSAGES, MENTIONS, UNSAID, UNMENTIONED, GONE_CHATS, GONE_SOURCES)
STEPS = st.lists(st.one_of(*map(st.sampled_from, KINDS)), min_size=1, max_size=4)
LOADS = st.lists(
    STEPS.map(lambda steps: [[*chain(*steps)]]) | st.permutations(CHATS).map(swapped),
    min_size=1,
    max_size=8,
).map(lambda loads: [*chain(*loads)])


def check(admin: psycopg.Connection[Any]) -> None:
    """Compare what loads derived with what the stored people give, for each set of sources."""
    for *whose, stored, expected in admin.execute(NEWER):
        assert stored == expected, whose
    for size in range(1, len(SOURCES) + 1):
        for ids in combinations(SOURCES, size):
            numbers = [
                admin.execute(query, {"ids": list(ids)}).fetchone()
                for query in (COUNTED, COUNTABLE)
            ]
            assert numbers[0] == numbers[1], ids


ACTIVE = [message("first", 1, "u1", TIMES[2]), message("second", 1, "u1", TIMES[0])]
TIED = [message(name, 1, "u1", TIMES[0]) for name in CHATS]


@pytest.mark.thorough
@given(loads=LOADS)
@example(loads=[TIED, UNSAID[0]])
@example(loads=[ACTIVE, GONE_CHATS[0]])
@example(loads=[ACTIVE, GONE_SOURCES[0]])
@example(loads=[ACTIVE, *swapped(CHATS)[:3], UNSAID[0]])
# A history takes a second; `make test` tries those above.
@settings(max_examples=12, phases=[*Phase] if FACTOR >= 1 else [Phase.explicit])
def test_people_match_any_history_of_loads(
    module_deployment: Deployment, admin: psycopg.Connection[Any], loads: list[list[Record]]
) -> None:
    for records in [BEGIN, *loads]:
        module_deployment.load(records)
        check(admin)
