"""orgctx doctor: whether this machine can serve, one line for each check."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from typing import Any, NamedTuple

import click
import psycopg

from orgctx.cli import admin
from orgctx.cli.faults import CommandError, reason
from orgctx.cli.migrations import OLDEST_VERSION, check_server, login_of
from orgctx.cli.output import json_option, print_json
from orgctx.config import Config, ConfigError
from orgctx.errors import ApiError
from orgctx.http.health import check_reading
from orgctx.stores.db import NotMigrated, Pool
from orgctx.stores.deadline import Deadline
from orgctx.stores.quota import Quota

NEWEST_VERSION = 18


class Check(NamedTuple):
    """What was found. status: ok, warning or failed."""

    name: str
    status: str
    message: str


class Warned(Exception):
    """The service works, but something should be better."""


@click.command(epilog="Example: orgctx doctor")
@json_option
def doctor(as_json: bool) -> None:
    """Check configuration, database, Redis, migrations and roles.

    Fails if a check does; warnings alone do not.
    """
    checks = list(examine())
    failed = [check.name for check in checks if check.status == "failed"]
    if as_json:
        print_json({"ok": not failed, "checks": [check._asdict() for check in checks]})
    else:
        for check in checks:
            click.echo(f"{check.status:8} {check.name}: {check.message}")
    if failed:
        raise CommandError(f"failed: {', '.join(failed)}; see the lines of these checks")


def examine() -> Iterator[Check]:
    """The checks in order; without a configuration there is only that one."""
    try:
        config = Config.from_environment()
    except ConfigError as error:
        yield Check("configuration", "failed", "; ".join(error.faults))
        return
    yield Check("configuration", "ok", "complete")
    checks: dict[str, Callable[[Config], str]] = {
        "database": lambda c: check_database(c.database_url, "ORGCTX_DATABASE_URL"),
        "admin database": lambda c: check_database(
            c.admin_database_url, "ORGCTX_ADMIN_DATABASE_URL"
        ),
        "read database": lambda c: check_database(c.database_read_url, "ORGCTX_DATABASE_READ_URL"),
        "migrations": check_schema,
        "role": check_role,
        "redis": check_redis,
        "libraries": check_libraries,
    }
    if config.database_read_url == config.database_url:
        del checks["read database"]
    for name, check in checks.items():
        yield _outcome(name, partial(check, config))


def _outcome(name: str, check: Callable[[], str]) -> Check:
    try:
        return Check(name, "ok", check())
    except Warned as warning:
        return Check(name, "warning", str(warning))
    except CommandError as error:
        return Check(name, "failed", error.message)
    except psycopg.Error as error:
        return Check(name, "failed", reason(error))
    except ApiError:
        return Check(name, "failed", "does not answer: check its setting and that it runs")


def check_database(url: str, setting: str) -> str:
    """The database answers, is one that we know, and holds any text."""
    with admin.connect(url, setting=setting) as connection:
        server = check_server(connection)
    version = server["version"] // 10_000
    if version > NEWEST_VERSION:
        raise Warned(
            f"PostgreSQL {version} is newer than those tried, {OLDEST_VERSION} to {NEWEST_VERSION}"
        )
    return f"PostgreSQL {version}, {server['encoding']}"


def check_schema(config: Config) -> str:
    """The service sees every migration of this version, and can look a key up."""
    seconds = config.request_timeout_seconds
    with closing(Pool(config.database_url, size=1, timeout_seconds=seconds)) as pool:
        try:
            check_reading(pool, Deadline(seconds))
        except NotMigrated:
            raise CommandError("not current: run `orgctx migrate`") from None
    return "current"


def check_role(config: Config) -> str:
    """The service reads as a role that can do nothing else."""
    with admin.connect(config.database_url, setting="ORGCTX_DATABASE_URL") as connection:
        found = admin.run(connection, "read_privileges")
    if not found or not found[0]["may_read"]:
        raise CommandError("the service's login cannot read as orgctx_reader: run `orgctx migrate`")
    login, excess = found[0]["login"], found[0]["excess"]
    if excess:
        raise CommandError(f"orgctx_reader may {', '.join(excess)}: revoke what it was granted")
    if login == login_of(config.admin_database_url):
        raise Warned(
            f"the service connects as {login!r}, which may write, and then drops to orgctx_reader; "
            "a login of its own in ORGCTX_DATABASE_URL is safer"
        )
    return f"{login!r} reads as orgctx_reader, which cannot write"


def check_redis(config: Config) -> str:
    """Redis answers, and forgets no counter before its time."""
    seconds = config.request_timeout_seconds
    with closing(Quota(config.redis_url, timeout_seconds=seconds)) as quota:
        policy = quota.eviction_policy(Deadline(seconds))
    if policy not in ("noeviction", ""):
        raise Warned(
            f"maxmemory-policy is {policy}: once its memory is full Redis drops counters, and "
            "their limits begin again; set it to noeviction"
        )
    return "answers"


def check_libraries(config: Config) -> str:  # noqa: ARG001
    """The C parts that make the difference under load."""
    missing: dict[str, Any] = {
        "psycopg[binary]": psycopg.pq.__impl__ == "python",
        "hiredis": not _has_hiredis(),
    }
    if names := [name for name, is_missing in missing.items() if is_missing]:
        raise Warned(f"answers are slower without {' and '.join(names)}: install it with pip")
    return f"psycopg ({psycopg.pq.__impl__}) and hiredis are compiled"


def _has_hiredis() -> bool:
    from redis.utils import HIREDIS_AVAILABLE

    return bool(HIREDIS_AVAILABLE)
