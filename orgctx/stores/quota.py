"""Counters and watch marks in Redis. No HTTP and no SQL here.

Windows are fixed, 60 s long, and start with the first request in them. Every
key carries an expiry. The keys of one organization share a hash tag, so that
one script may touch them on a Redis Cluster.
"""

from __future__ import annotations

from hashlib import sha1
from time import time
from typing import Any, NamedTuple
from uuid import UUID

from redis.exceptions import NoScriptError

from orgctx.stores.deadline import Deadline
from orgctx.stores.redis_client import connect

WINDOW_SECONDS = 60
WATCH_SECONDS = 90
LAST_USED_SECONDS = 90 * 24 * 3600
# The mark of a key that was issued and not used yet. No mark at all says nothing.
NEVER = 0

# Counts in all counters, or in none if one of them has too little left. A counter that lasts
# longer than a window, or for ever, is not ours (a restored copy, another clock): it begins again.
# KEYS: one counter for each limit, then perhaps a mark, set to the time once a window.
# ARGV: cost, window in ms, unix time, expiry of the mark in s, then the limits.
# Returns 1 or 0 (admitted), then count and remaining ms of each counter.
CHARGE = """
local cost, window, limits = tonumber(ARGV[1]), tonumber(ARGV[2]), #ARGV - 4
local answer, opens = {1}, {}
for i = 1, limits do
  local count = tonumber(redis.call('GET', KEYS[i]) or '0')
  local left = redis.call('PTTL', KEYS[i])
  if left < 0 or left > window then count, left, opens[i] = 0, window, true end
  if count + cost > tonumber(ARGV[i + 4]) then answer[1] = 0 end
  answer[2 * i], answer[2 * i + 1] = count, left
end
if answer[1] == 0 then return answer end
for i = 1, limits do
  answer[2 * i] = answer[2 * i] + cost
  if opens[i] then redis.call('SET', KEYS[i], cost, 'PX', window)
  else redis.call('INCRBY', KEYS[i], cost) end
end
if opens[1] and KEYS[limits + 1] then
  redis.call('SET', KEYS[limits + 1], ARGV[3], 'EX', ARGV[4])
end
return answer
"""
CHARGE_DIGEST = sha1(CHARGE.encode(), usedforsecurity=False).hexdigest()


class Limit(NamedTuple):
    """One counter after a charge. name: API key, organization or IP address."""

    name: str
    limit: int
    remaining: int
    reset_seconds: int


class Charge(NamedTuple):
    """Whether a request was admitted, and the counters that decided it."""

    admitted: bool
    limits: tuple[Limit, ...]


class Quota:
    """The counters of keys, organizations and IP addresses, and the marks beside them.

    Every method raises ServiceUnavailable if Redis refuses or drops, and
    RequestTimeout past the deadline: nothing is admitted uncounted.
    """

    def __init__(self, url: str, *, timeout_seconds: float) -> None:
        self._redis = connect(url, timeout_seconds=timeout_seconds)

    def charge_ip(self, address: str, limit: int, deadline: Deadline, *, cost: int = 1) -> Charge:
        """Count `cost` requests of an IP address."""
        keys = [f"orgctx:quota:ip:{address}"]
        return self._charge(keys, [("IP address", limit)], cost, deadline)

    def charge_key(
        self,
        organization_id: UUID,
        key_id: UUID,
        limits: tuple[int, int],
        deadline: Deadline,
        *,
        cost: int = 1,
    ) -> Charge:
        """Count `cost` requests of a key and of its organization, or of neither.

        limits: of the key, of the organization.
        """
        keys = [
            f"orgctx:quota:{{{organization_id}}}:key:{key_id}",
            f"orgctx:quota:{{{organization_id}}}",
            last_used_name(organization_id, key_id),
        ]
        named = list(zip(("API key", "organization"), limits, strict=True))
        return self._charge(keys, named, cost, deadline)

    def mark_watched(self, organization_id: UUID, deadline: Deadline) -> None:
        """Tell the collectors that the organization is being read, for 90 s."""
        name = watched_name(organization_id)
        self._redis.execute(deadline, "SET", name, int(time()), "EX", WATCH_SECONDS)

    def last_used(
        self, organization_id: UUID, key_ids: list[UUID], deadline: Deadline
    ) -> list[Any]:
        """Unix times (bytes), to the minute, in the order of `key_ids`; None is unknown."""
        names = [last_used_name(organization_id, key_id) for key_id in key_ids]
        values: list[Any] = self._redis.execute(deadline, "MGET", *names) if names else []
        return values

    def mark_unused(self, organization_id: UUID, key_id: UUID, deadline: Deadline) -> None:
        """Note that a key, which was just issued, was never used."""
        name = last_used_name(organization_id, key_id)
        self._redis.execute(deadline, "SET", name, NEVER, "EX", LAST_USED_SECONDS)

    def ping(self, deadline: Deadline) -> None:
        """Raise unless Redis answers."""
        self._redis.execute(deadline, "PING")

    def eviction_policy(self, deadline: Deadline) -> str:
        """What the server drops when its memory is full; empty where it does not say."""
        return self._redis.info(deadline).get("maxmemory_policy", "")

    def close(self) -> None:
        """Close every connection."""
        self._redis.close()

    def _charge(
        self, keys: list[str], named: list[tuple[str, int]], cost: int, deadline: Deadline
    ) -> Charge:
        limits = [limit for _, limit in named]
        window = WINDOW_SECONDS * 1000
        script: tuple[str | int, ...] = (
            len(keys),
            *keys,
            cost,
            window,
            int(time()),
            LAST_USED_SECONDS,
            *limits,
        )
        try:
            answer = self._redis.execute(deadline, "EVALSHA", CHARGE_DIGEST, *script)
        except NoScriptError:
            # Loads it as well, in the same step: nothing can flush it in between.
            answer = self._redis.execute(deadline, "EVAL", CHARGE, *script)
        admitted, *counters = answer
        return Charge(
            admitted == 1,
            tuple(
                Limit(name, limit, max(0, limit - counters[2 * i]), -(-counters[2 * i + 1] // 1000))
                for i, (name, limit) in enumerate(named)
            ),
        )


def watched_name(organization_id: UUID) -> str:
    """The Redis key that tells collectors of a recent read."""
    return f"orgctx:watched:{{{organization_id}}}"


def last_used_name(organization_id: UUID, key_id: UUID) -> str:
    """The Redis key that holds when an API key was last used."""
    return f"orgctx:used:{{{organization_id}}}:{key_id}"
