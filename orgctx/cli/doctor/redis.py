"""Check Redis: it is reachable, accepts the password, does not evict counters and uses TLS."""

from contextlib import closing
from urllib.parse import urlsplit

from redis.exceptions import AuthenticationError
from redis.sentinel import MasterNotFoundError

from orgctx.cli.doctor import CheckWarning
from orgctx.cli.errors import CommandError
from orgctx.config.settings import Config
from orgctx.config.urls import parse_redis_url
from orgctx.errors import ApiError
from orgctx.stores.causes import causes
from orgctx.stores.deadline import Deadline
from orgctx.stores.quota import COMMANDS, Quota
from orgctx.stores.redis_errors import reason_of

DESCRIPTIONS = {
    "server": "available",
    "cluster": "available as a cluster; ORGCTX_REDIS_URL has {hosts} of its nodes",
    "sentinel": "available as {service!r}, the master of {hosts} Sentinels",
}
LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1", None, "")


def check_redis(config: Config) -> str:
    """Check that Redis counts requests, does not evict counters and is encrypted."""
    seconds = config.request_timeout_seconds
    with closing(Quota(config.redis_url, timeout_seconds=seconds)) as quota:
        try:
            quota.check(Deadline(seconds))
            policy = quota.eviction_policy(Deadline(seconds))
            warnings = [
                *map(_message, quota.refusals(Deadline(seconds))),
                *quota.warnings(Deadline(seconds)),
            ]
        except ApiError as error:
            raise _command_error(error, parse_redis_url(config.redis_url).service) from None
    if policy not in ("noeviction", ""):
        raise CheckWarning(
            f"maxmemory-policy is {policy}: when its memory is full, Redis evicts counters and "
            "their limits start again. Set it to noeviction."
        )
    if warnings:
        raise CheckWarning("; ".join(warnings))
    address = parse_redis_url(config.redis_url)
    parts = urlsplit(address.url)
    hosts: set[str | None] = {host for host, _ in address.hosts} or {parts.hostname}
    if parts.scheme == "redis" and not hosts <= set(LOCAL_HOSTS):
        raise CheckWarning("The connection is not encrypted. Use rediss:// in ORGCTX_REDIS_URL.")
    return DESCRIPTIONS[address.kind].format(hosts=len(address.hosts), service=address.service)


def _message(error: ApiError) -> str:
    reason, cause = reason_of(error)
    return reason.message.format(cause=cause, commands=", ".join(COMMANDS))


def _command_error(error: ApiError, service: str) -> CommandError:
    """Explain an error. service: the name of the master in the Sentinels."""
    for cause in causes(error):
        if isinstance(cause, MasterNotFoundError):
            return CommandError(_sentinel_message(str(cause), service))
    return CommandError(_message(error))


def _sentinel_message(error_message: str, service: str) -> str:
    """Explain a message of redis-py, which ends with the error of each Sentinel."""
    if AuthenticationError.__name__ in error_message:
        return "A Sentinel rejects sentinel_password of ORGCTX_REDIS_URL. Correct it."
    if error_message.endswith(repr(service)):
        return f"The Sentinels do not know the master {service!r}. Correct ORGCTX_REDIS_URL."
    return "No Sentinel of ORGCTX_REDIS_URL is reachable. Check the setting and that they run."
