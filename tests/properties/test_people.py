"""Loads keep derived data about people right, whatever was loaded before."""

from itertools import combinations
from typing import Any

import psycopg
import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from tests.support import factories as make
from tests.support.deployment import Deployment
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


def source(name: str) -> dict[str, Any]:
    return make.source("telegram", f"telegram:{name}")


def chat(name: str, source_name: str) -> dict[str, Any]:
    return make.chat(make.uuid(name), source_id=f"telegram:{source_name}")


def message(name: str, source_name: str, number: int, user: str, sent_at: str) -> dict[str, Any]:
    sender = {"id": user, "name": user, "username": None}
    where = {"chatId": make.uuid(name), "source_id": f"telegram:{source_name}"}
    return make.message(number, sender=sender, sentAt=sent_at, **where)


def mention(number: int, user: str, sent_at: str) -> dict[str, Any]:
    return make.mention(number, author=make.author(user), createdAt=sent_at)


BEGIN = [
    make.delete("organization", make.ACME),
    make.organization(),
    *make.staff(),
    make.source("x"),
    *map(source, CHATS),
]
NAMES, NUMBERS = st.sampled_from(CHATS), st.integers(1, 4)
SPOKEN = st.tuples(
    st.just("message"), NAMES, NUMBERS, st.sampled_from(USERS), st.sampled_from(TIMES)
)
STEPS = st.one_of(
    SPOKEN,
    SPOKEN,
    st.tuples(st.just("mention"), NUMBERS, st.sampled_from(USERS), st.sampled_from(TIMES)),
    st.tuples(st.just("unsay"), NAMES, NUMBERS),
    st.tuples(st.just("unmention"), NUMBERS),
    st.tuples(st.just("delete chat"), NAMES),
    st.tuples(st.just("delete source"), NAMES),
)
SWAP = st.tuples(NAMES, NAMES).filter(lambda names: names[0] != names[1])
LOADS = st.lists(st.one_of(st.lists(STEPS, min_size=1, max_size=4), SWAP), min_size=1, max_size=8)


class History:
    """Turns steps into records that fit what is stored. sources: the source of each chat."""

    def __init__(self) -> None:
        self.sources = {name: name for name in CHATS}

    def records(self, step: tuple[Any, ...]) -> list[dict[str, Any]]:
        match step:
            case "message", name, number, user, at:
                return [message(name, self.sources[name], number, user, at)]
            case "mention", number, user, at:
                return [mention(number, user, at)]
            case "unsay", name, number:
                return [make.delete("telegram.message", number, chatId=make.uuid(name))]
            case "unmention", number:
                return [make.delete("x.mention", str(number))]
            case "delete chat", name:
                gone = make.delete("telegram.chat", make.uuid(name))
                return [gone, chat(name, self.sources[name])]
            case "delete source", name:
                gone = make.delete("source", f"telegram:{self.sources[name]}")
                return [gone, source(self.sources[name]), chat(name, self.sources[name])]
        return []

    def swap(self, name: str, other: str) -> list[list[dict[str, Any]]]:
        """Let two chats exchange their sources in three loads, by way of a spare source."""
        first, second = self.sources[name], self.sources[other]
        self.sources |= {name: second, other: first}
        return [[source("spare"), chat(name, "spare")], [chat(other, first)], [chat(name, second)]]


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


ACTIVE = [("message", "first", 1, "u1", TIMES[2]), ("message", "second", 1, "u1", TIMES[0])]

TIED = [("message", name, 1, "u1", TIMES[0]) for name in CHATS]


@pytest.mark.thorough
@given(loads=LOADS)
@example(loads=[TIED, [("unsay", "first", 1)]])
@example(loads=[ACTIVE, [("delete chat", "first")]])
@example(loads=[ACTIVE, [("delete source", "first")]])
@example(loads=[ACTIVE, ("first", "second"), [("unsay", "first", 1)]])
# A history takes a second; `make test` tries those above.
@settings(max_examples=12, phases=[*Phase] if FACTOR >= 1 else [Phase.explicit])
def test_people_match_any_history_of_loads(
    module_deployment: Deployment, admin: psycopg.Connection[Any], loads: list[Any]
) -> None:
    history = History()
    module_deployment.load([*BEGIN, *(chat(name, name) for name in CHATS)])
    for change in loads:
        if isinstance(change, tuple):
            for records in history.swap(*change):
                module_deployment.load(records)
                check(admin)
        else:
            module_deployment.load([record for step in change for record in history.records(step)])
        check(admin)
