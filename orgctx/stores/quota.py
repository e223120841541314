"""Counters and marks in Redis.

Windows are fixed, 60 s long, and start with the first request in them. Every key expires. The keys
of one organization share a hash tag, so that one script can use them on a Redis Cluster.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from hashlib import sha1
from time import time
from typing import NamedTuple
from uuid import NAMESPACE_URL, UUID, uuid5

from redis.exceptions import NoScriptError

from orgctx.errors import ServiceUnavailable
from orgctx.stores.deadline import Deadline
from orgctx.stores.redis_client import RedisClient, connect

WINDOW_SECONDS = 60
WATCH_SECONDS = 90
LAST_USED_SECONDS = 90 * 24 * 3600
# For how many days usage is kept.
USAGE_DAYS = 35
USAGE_SECONDS = USAGE_DAYS * 24 * 3600

# Increments all counters, or none if one of them would exceed its limit; `independent` is the
# number of one that counts whatever the others do, or 0. A counter whose expiry exceeds a window,
# or whose count is not a natural number, is invalid (a restored copy, another clock) and is reset.
# KEYS: one counter for each limit; optionally the usage of a day; optionally a mark, which is set
# to the time once a window.
# ARGV: cost, window in ms, Unix time, expiry of the mark in s, field of the usage, expiry of the
# usage in s, `independent`, then the limits.
# Returns 1 or 0 (admitted), 1 or 0 (within the limit of `independent`), then count and remaining ms
# of each counter.
CHARGE = """
local cost, window, independent = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[7])
local limits = #ARGV - 7
local reply, opens = {1, 1}, {}
for i = 1, limits do
  local count = tonumber(string.match(redis.call('GET', KEYS[i]) or '0', '^%d+$'))
  local left = redis.call('PTTL', KEYS[i])
  if not count or left < 0 or left > window then count, left, opens[i] = 0, window, true end
  if count + cost > tonumber(ARGV[i + 7]) then
    reply[1] = 0
    if i == independent then reply[2] = 0 end
  end
  reply[2 * i + 1], reply[2 * i + 2] = count, left
end
for i = 1, limits do
  if reply[1] == 1 or i == independent and reply[2] == 1 then
    reply[2 * i + 1] = reply[2 * i + 1] + cost
    if opens[i] then redis.call('SET', KEYS[i], cost, 'PX', window)
    else redis.call('INCRBY', KEYS[i], cost) end
  end
end
if reply[1] == 0 then return reply end
if KEYS[limits + 1] and redis.call('HINCRBY', KEYS[limits + 1], ARGV[5], cost) == cost then
  redis.call('EXPIRE', KEYS[limits + 1], ARGV[6])
end
if opens[1] and KEYS[limits + 2] then
  redis.call('SET', KEYS[limits + 2], ARGV[3], 'EX', ARGV[4])
end
return reply
"""
# Organizations and keys that do not exist, whose counters show whether Redis counts. There are many
# because a cluster stores each on one of its masters.
CHECK_IDS = [uuid5(NAMESPACE_URL, f"orgctx:check:{number}") for number in range(64)]
NO_LIMIT = 2**31
# Files of the page have a counter of their own, so that loading it takes nothing from API keys.
ADDRESS_COUNTERS = {"IP address": "ip", "page": "page"}
CHARGE_DIGEST = sha1(CHARGE.encode(), usedforsecurity=False).hexdigest()


class Limit(NamedTuple):
    """One counter after a charge. name: API key, organization, IP address or page."""

    name: str
    limit: int
    remaining: int
    reset_seconds: int


class Charge(NamedTuple):
    """Whether a request was admitted, and the counters that decided it."""

    admitted: bool
    limits: tuple[Limit, ...]


class Quota:
    """The counters of API keys, organizations and IP addresses, and their marks.

    Every method raises ServiceUnavailable if Redis is unreachable, and RequestTimeout past the
    deadline, so that no request is admitted uncounted.
    """

    def __init__(self, url: str, *, timeout_seconds: float) -> None:
        self._redis = connect(url, timeout_seconds=timeout_seconds)
        # The id whose counters could be charged last.
        self._checked: UUID | None = None
        # In a cluster, counters of an address and of an organization can be on different servers.
        self.is_one_server = isinstance(self._redis, RedisClient)

    def charge_address(self, name: str, address: str, limit: int, deadline: Deadline) -> Charge:
        """Count one request of an IP address. name: of the limit, a key of ADDRESS_COUNTERS."""
        key = f"orgctx:quota:{ADDRESS_COUNTERS[name]}:{address}"
        return self._run([key], [(name, limit)], deadline)[0]

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

        limits: the limit of the key and that of the organization.
        """
        named = list(zip(("API key", "organization"), limits, strict=True))
        keys = _key_names(organization_id, key_id, today())
        return self._run(keys, named, deadline, key_id, cost=cost)[0]

    def charge_all(
        self,
        address: str,
        organization_id: UUID,
        key_id: UUID,
        limits: tuple[int, int, int],
        deadline: Deadline,
    ) -> tuple[Charge, Charge]:
        """Do what charge_address and then charge_key do, at once. Requires `is_one_server`.

        limits: of the key, of its organization and of the address.
        """
        key, organization, usage, last_used = _key_names(organization_id, key_id, today())
        keys = (key, organization, f"orgctx:quota:ip:{address}", usage, last_used)
        named = list(zip(("API key", "organization", "IP address"), limits, strict=True))
        charge, is_within = self._run(keys, named, deadline, key_id, independent=3)
        *of_key, of_address = charge.limits
        return Charge(is_within, (of_address,)), Charge(charge.admitted, tuple(of_key))

    def mark_watched(self, organization_id: UUID, deadline: Deadline) -> None:
        """Mark the organization as being read, for 90 s; collectors read the mark."""
        name = watched_name(organization_id)
        self._redis.execute(deadline, "SET", name, int(time()), "EX", WATCH_SECONDS)

    def last_used(
        self, organization_id: UUID, key_ids: Sequence[UUID], deadline: Deadline
    ) -> list[datetime | None]:
        """Return the last use of each key, to the minute; None if none is recorded."""
        names = [last_used_name(organization_id, key_id) for key_id in key_ids]
        times = self._redis.execute(deadline, "MGET", *names) if names else []
        return [None if time is None else datetime.fromtimestamp(int(time), UTC) for time in times]

    def was_used(self, name: str, deadline: Deadline) -> bool:
        """Return whether `use_once` has used a name."""
        return bool(self._redis.execute(deadline, "EXISTS", f"orgctx:used-once:{name}"))

    def use_once(self, name: str, seconds: int, deadline: Deadline) -> bool:
        """Return whether nothing was used by this name within the last seconds."""
        mark = f"orgctx:used-once:{name}"
        return self._redis.execute(deadline, "SET", mark, 1, "NX", "EX", seconds) is not None

    def usage(
        self, organization_id: UUID, day_count: int, deadline: Deadline
    ) -> dict[date, dict[UUID, int]]:
        """Count the requests of each key on the last days of UTC, newest first, with today.

        Keys without requests are left out. day_count: at most USAGE_DAYS.
        """
        days = [today() - timedelta(days=age) for age in range(day_count)]
        return {day: self._usage(usage_name(organization_id, day), deadline) for day in days}

    def _usage(self, name: str, deadline: Deadline) -> dict[UUID, int]:
        flat = self._redis.execute(deadline, "HGETALL", name)
        pairs = flat.items() if isinstance(flat, dict) else zip(flat[::2], flat[1::2], strict=True)
        return {UUID(key.decode()): int(number) for key, number in pairs if int(number)}

    def check(self, deadline: Deadline) -> None:
        """Raise unless Redis counts. In a cluster, one master that counts is enough.

        A charge needs more than an answer: a full server or a replica answers, but counts nothing.
        """
        errors = []
        for error in self._check_each(deadline):
            if error is None:
                return
            errors.append(error)
        raise errors[0]

    def errors(self, deadline: Deadline) -> list[ServiceUnavailable]:
        """Return the errors of servers that do not count."""
        return [error for error in self._check_each(deadline) if error]

    def _check_each(self, deadline: Deadline) -> Iterator[ServiceUnavailable | None]:
        """Charge a counter on each server, and yield its error; the last that counted first."""
        by_name = {f"orgctx:quota:{{{id_}}}": id_ for id_ in CHECK_IDS}
        names = self._redis.one_per_server([*by_name], deadline)
        ids = sorted((by_name[name] for name in names), key=lambda id_: id_ != self._checked)
        for id_ in ids:
            try:
                self.charge_key(id_, id_, (NO_LIMIT, NO_LIMIT), deadline)
            except ServiceUnavailable as error:
                yield error
            else:
                self._checked = id_
                yield None

    def close(self) -> None:
        self._redis.close()

    def _run(
        self,
        keys: Sequence[str],
        named: list[tuple[str, int]],
        deadline: Deadline,
        key_id: UUID | None = None,
        *,
        cost: int = 1,
        independent: int = 0,
    ) -> tuple[Charge, bool]:
        """Run CHARGE. Return the charge, and whether the independent counter is within its limit.

        Args:
            keys: KEYS of the script.
            named: the name and value of each limit.
            key_id: the field of the usage.
        """
        script: tuple[str | int, ...] = (
            len(keys),
            *keys,
            cost,
            WINDOW_SECONDS * 1000,
            int(time()),
            LAST_USED_SECONDS,
            str(key_id or ""),
            USAGE_SECONDS,
            independent,
            *(limit for _, limit in named),
        )
        try:
            reply = self._redis.execute(deadline, "EVALSHA", CHARGE_DIGEST, *script)
        except NoScriptError:
            # EVAL also loads the script, so nothing can flush it in between.
            reply = self._redis.execute(deadline, "EVAL", CHARGE, *script)
        is_admitted, is_within, *numbers = reply
        counters = zip(named, numbers[::2], numbers[1::2], strict=True)
        limits = tuple(
            Limit(name, limit, max(0, limit - count), -(-left_ms // 1000))
            for (name, limit), count, left_ms in counters
        )
        return Charge(is_admitted == 1, limits), is_within == 1


@lru_cache(1024)
def _key_names(organization_id: UUID, key_id: UUID, day: date) -> tuple[str, ...]:
    """Return the Redis keys of the counters of an API key and of its organization, of the day's
    usage, and of the mark of last use."""
    quota = f"orgctx:quota:{{{organization_id}}}"
    usage = usage_name(organization_id, day)
    return f"{quota}:key:{key_id}", quota, usage, last_used_name(organization_id, key_id)


def today() -> date:
    return datetime.now(UTC).date()


def usage_name(organization_id: UUID, day: date) -> str:
    """Name the Redis hash with the number of requests of each key of an organization on a day."""
    return f"orgctx:usage:{{{organization_id}}}:{day}"


def watched_name(organization_id: UUID) -> str:
    """Return the Redis key that shows collectors a recent read."""
    return f"orgctx:watched:{{{organization_id}}}"


def last_used_name(organization_id: UUID, key_id: UUID) -> str:
    """Return the Redis key that holds when an API key was last used."""
    return f"orgctx:used:{{{organization_id}}}:{key_id}"
