"""Marks in Redis: on which days a key used a scope, so that an owner can take away the others.

A process marks a scope of a key once a day, so almost no request waits for it. Every mark expires.
"""

from collections.abc import Collection, Sequence
from datetime import UTC, date, datetime
from time import time
from typing import NamedTuple
from uuid import UUID

from orgctx.stores.deadline import Deadline
from orgctx.stores.redis_client import RedisClient, RedisClusterClient

DAY_SECONDS = 24 * 3600
# The longest life of a key.
KEPT_SECONDS = 90 * DAY_SECONDS
# The marks cover the whole life of a key.
FROM_ISSUE = 0
# How many keys a process remembers as marked.
MOST_KEYS = 10_000

# KEYS: since when the marks are complete, then one mark for each scope.
# ARGV: Unix time, expiry in s.
MARK = """
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2], 'NX')
redis.call('EXPIRE', KEYS[1], ARGV[2])
for i = 2, #KEYS do redis.call('SET', KEYS[i], ARGV[1], 'EX', ARGV[2]) end
"""


class ScopeRecord(NamedTuple):
    """When a key used its scopes, in days of UTC.

    since: the first day whose uses are all known; date.min if all are known since the key was
    issued, None if no day is.
    """

    since: date | None
    days: dict[str, date]  # the last day of use of each used scope


class ScopeUses:
    """The marks of all keys. Methods raise as those of Quota.

    is_marking: False where an answer is not a use of the key.
    """

    def __init__(self, redis: RedisClient | RedisClusterClient) -> None:
        self._redis = redis
        self.is_marking = True
        self._day = 0
        # The scopes that this process has marked on that day, by the key.
        self._marked: dict[UUID, frozenset[str]] = {}

    def unmarked(self, key_id: UUID, scopes: frozenset[str]) -> frozenset[str]:
        """Return the scopes that this process has not marked today."""
        if not self.is_marking:
            return frozenset()
        day = int(time()) // DAY_SECONDS
        if day != self._day:
            self._day, self._marked = day, {}
        marked = self._marked.get(key_id)
        return scopes - marked if marked else scopes

    def mark(
        self, organization_id: UUID, key_id: UUID, scopes: Collection[str], deadline: Deadline
    ) -> None:
        marked = self._marked
        names = [_name(organization_id, key_id, scope) for scope in ("", *sorted(scopes))]
        self._redis.execute(deadline, "EVAL", MARK, len(names), *names, int(time()), KEPT_SECONDS)
        if len(marked) >= MOST_KEYS:
            marked.clear()
        marked[key_id] = marked.get(key_id, frozenset()).union(scopes)

    def start(self, organization_id: UUID, key_id: UUID, deadline: Deadline) -> None:
        """Note that a key was issued just now, so that its marks are complete."""
        name = _name(organization_id, key_id)
        self._redis.execute(deadline, "SET", name, FROM_ISSUE, "EX", KEPT_SECONDS)

    def read(
        self, organization_id: UUID, key_id: UUID, scopes: Sequence[str], deadline: Deadline
    ) -> ScopeRecord:
        names = [_name(organization_id, key_id, scope) for scope in ("", *scopes)]
        since, *marks = self._redis.execute(deadline, "MGET", *names)
        return ScopeRecord(
            _complete_from(since),
            {scope: _day(mark) for scope, mark in zip(scopes, marks, strict=True) if mark},
        )


def _complete_from(mark: bytes | None) -> date | None:
    """Return the first day with complete marks.

    It is the day after `mark`: a process that has marked a scope before Redis lost its data marks
    it again only on the next day.
    """
    if mark is None:
        return None
    return date.min if int(mark) == FROM_ISSUE else _day(int(mark) + DAY_SECONDS)


def _day(mark: bytes | int) -> date:
    return datetime.fromtimestamp(int(mark), UTC).date()


def _name(organization_id: UUID, key_id: UUID, scope: str = "") -> str:
    """Name the Redis key of a mark; without a scope, that of the beginning."""
    name = f"orgctx:scopes:{{{organization_id}}}:{key_id}"
    return f"{name}:{scope}" if scope else name
