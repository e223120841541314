"""Check Redis: it is reachable, accepts the password, does not evict counters and uses TLS."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from urllib.parse import urlsplit

from redis.exceptions import AuthenticationError, NoPermissionError, ResponseError
from redis.sentinel import MasterNotFoundError

from orgctx.cli.doctor import CheckWarning
from orgctx.cli.errors import CommandError
from orgctx.config.redis_url import parse
from orgctx.config.settings import Config
from orgctx.errors import ApiError
from orgctx.stores.deadline import Deadline
from orgctx.stores.quota import Quota

DESCRIPTIONS = {
    "server": "available",
    "cluster": "available as a cluster; ORGCTX_REDIS_URL has {hosts} of its nodes",
    "sentinel": "available as {service!r}, the master of {hosts} Sentinels",
}
# Messages by class; the first one that matches the error or its cause is used.
MESSAGES: dict[type[Exception], str] = {
    AuthenticationError: (
        "Redis rejects the user or the password of ORGCTX_REDIS_URL. Correct them."
    ),
    NoPermissionError: (
        "The user of ORGCTX_REDIS_URL lacks a permission. Allow GET, SET, MGET, PTTL, INCRBY, "
        "EVAL, EVALSHA, PING and INFO on orgctx:*."
    ),
    ResponseError: "Redis rejects a command ({cause}). Correct ORGCTX_REDIS_URL.",
}
LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1", None, "")


def check_redis(config: Config) -> str:
    """Check that Redis is reachable and encrypted, and does not evict counters."""
    seconds = config.request_timeout_seconds
    with closing(Quota(config.redis_url, timeout_seconds=seconds)) as quota:
        try:
            policy = quota.eviction_policy(Deadline(seconds))
            warnings = quota.warnings(Deadline(seconds))
        except ApiError as error:
            raise _command_error(error, parse(config.redis_url).service) from None
    if policy not in ("noeviction", ""):
        raise CheckWarning(
            f"maxmemory-policy is {policy}: when its memory is full, Redis evicts counters and "
            "their limits start again. Set it to noeviction."
        )
    if warnings:
        raise CheckWarning("; ".join(warnings))
    address = parse(config.redis_url)
    parts = urlsplit(address.url)
    hosts: set[str | None] = {host for host, _ in address.hosts} or {parts.hostname}
    if parts.scheme == "redis" and not hosts <= set(LOCAL_HOSTS):
        raise CheckWarning("The connection is not encrypted. Use rediss:// in ORGCTX_REDIS_URL.")
    return DESCRIPTIONS[address.kind].format(hosts=len(address.hosts), service=address.service)


def _command_error(error: ApiError, service: str) -> CommandError:
    """service: the master that Sentinels were asked for."""
    for cause in _causes(error):
        for kind, message in MESSAGES.items():
            if isinstance(cause, kind):
                return CommandError(message.format(cause=cause))
        if isinstance(cause, MasterNotFoundError):
            return CommandError(_sentinel_message(str(cause), service))
    return CommandError(
        "Redis is unavailable. Check ORGCTX_REDIS_URL (rediss:// for TLS) and that it runs."
    )


def _causes(error: BaseException) -> Iterator[BaseException]:
    while cause := error.__cause__ or error.__context__:
        yield (error := cause)


def _sentinel_message(error_message: str, service: str) -> str:
    """error_message: that of redis-py, which ends with the error of each Sentinel."""
    if AuthenticationError.__name__ in error_message:
        return "A Sentinel rejects sentinel_password of ORGCTX_REDIS_URL. Correct it."
    if error_message.endswith(repr(service)):
        return f"The Sentinels do not know the master {service!r}. Correct ORGCTX_REDIS_URL."
    return "No Sentinel of ORGCTX_REDIS_URL is reachable. Check the setting and that they run."
