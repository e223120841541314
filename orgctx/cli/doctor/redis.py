"""Check Redis: that it answers, accepts the password, keeps its data and uses TLS."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from urllib.parse import urlsplit

from redis.exceptions import AuthenticationError, NoPermissionError, ResponseError
from redis.sentinel import MasterNotFoundError

from orgctx.cli.doctor import Warned
from orgctx.cli.errors import CommandError
from orgctx.config.redis_url import parse
from orgctx.config.settings import Config
from orgctx.errors import ApiError
from orgctx.stores.deadline import Deadline
from orgctx.stores.quota import Quota

ANSWERS = {
    "server": "answers",
    "cluster": "answers as a cluster, of which {hosts} nodes are named",
    "sentinel": "answers as {service!r}, the master that {hosts} Sentinels name",
}
# What each of these faults says; the first that fits.
REFUSALS: dict[type[Exception], str] = {
    AuthenticationError: (
        "it answers, but refuses the user or the password of ORGCTX_REDIS_URL: correct them"
    ),
    NoPermissionError: (
        "it answers, but the user of ORGCTX_REDIS_URL may not do this: let it GET, SET, MGET, "
        "PTTL, INCRBY, EVAL, EVALSHA, PING and INFO on orgctx:*"
    ),
    ResponseError: "it answers, but refuses ({cause}): correct ORGCTX_REDIS_URL",
}
LOCAL = ("localhost", "127.0.0.1", "::1", None, "")


def check_redis(config: Config) -> str:
    """Redis answers, and does not evict counters early."""
    seconds = config.request_timeout_seconds
    with closing(Quota(config.redis_url, timeout_seconds=seconds)) as quota:
        try:
            policy = quota.eviction_policy(Deadline(seconds))
            warnings = quota.warnings(Deadline(seconds))
        except ApiError as error:
            raise _refused(error, parse(config.redis_url).service) from None
    if policy not in ("noeviction", ""):
        raise Warned(
            f"maxmemory-policy is {policy}: once its memory is full Redis drops counters, and "
            "their limits begin again; set it to noeviction"
        )
    if warnings:
        raise Warned("; ".join(warnings))
    place = parse(config.redis_url)
    parts = urlsplit(place.url)
    hosts: set[str | None] = {host for host, _ in place.hosts} or {parts.hostname}
    if parts.scheme == "redis" and not hosts <= set(LOCAL):
        raise Warned("the connection is not encrypted: use rediss in ORGCTX_REDIS_URL")
    return ANSWERS[place.kind].format(hosts=len(place.hosts), service=place.service)


def _refused(error: ApiError, service: str) -> CommandError:
    """service: the master's name, if Sentinels are asked for it."""
    for cause in _causes(error):
        for kind, text in REFUSALS.items():
            if isinstance(cause, kind):
                return CommandError(text.format(cause=cause))
        if isinstance(cause, MasterNotFoundError):
            return CommandError(_unnamed(str(cause), service))
    return CommandError(
        "does not answer: check ORGCTX_REDIS_URL (rediss is with TLS) and that it runs"
    )


def _causes(error: BaseException) -> Iterator[BaseException]:
    while cause := error.__cause__ or error.__context__:
        yield (error := cause)


def _unnamed(message: str, service: str) -> str:
    """message: redis-py's, whose first words are followed by what each Sentinel met."""
    if AuthenticationError.__name__ in message:
        return "a Sentinel answers, but refuses sentinel_password of ORGCTX_REDIS_URL: correct it"
    if message.endswith(repr(service)):
        return f"the Sentinels answer, but know no master {service!r}: correct ORGCTX_REDIS_URL"
    return "no Sentinel of ORGCTX_REDIS_URL answers: check the setting and that they run"
