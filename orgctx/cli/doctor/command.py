"""orgctx doctor: report whether this machine can serve, with one line per check."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from typing import NamedTuple
from urllib.parse import urlsplit

import click
import psycopg

from orgctx.cli.doctor import CheckWarning, NotChecked, database, machine
from orgctx.cli.errors import CommandError, reason
from orgctx.cli.output import echo, json_option, print_json
from orgctx.config.settings import Config, ConfigError
from orgctx.config.urls import each_host, parse_redis_url
from orgctx.errors import ApiError
from orgctx.stores.db import NotMigrated
from orgctx.stores.deadline import Deadline
from orgctx.stores.quota import COMMANDS, Quota
from orgctx.stores.redis_errors import reason_of

LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1", None, "")


class Check(NamedTuple):
    name: str
    status: str  # ok, warning, failed or skipped
    message: str


@click.command(epilog="Example: orgctx doctor")
@json_option
def doctor(as_json: bool) -> None:
    """Check configuration, database, Redis, migrations and roles.

    Exits with status 1 if a check fails; warnings do not count.
    """
    checks = list(examine())
    failed = [check.name for check in checks if check.status == "failed"]
    if as_json:
        print_json({"ok": not failed, "checks": [check._asdict() for check in checks]})
    else:
        _print(checks)
    if failed:
        raise CommandError(f"Failed checks: {', '.join(failed)}. Their lines say what to do.")


def _print(checks: Iterable[Check]) -> None:
    """Print each check. A problem that was printed before is replaced by the name of its check."""
    names: dict[str, str] = {}
    for check in checks:
        first = check.name
        if check.status != "ok":
            first = names.setdefault(check.message, check.name)
        message = check.message if first == check.name else f"see {first}"
        echo(f"{check.status:8} {check.name}: {message}")


def examine() -> Iterator[Check]:
    """Yield the result of each check, in order; only the first if the configuration is invalid."""
    try:
        config = Config.from_environment()
    except ConfigError as error:
        yield Check("configuration", "failed", "; ".join(error.errors))
        return
    for name, check in _checks(config).items():
        yield _run(name, check)


def _checks(config: Config) -> dict[str, Callable[[], str]]:
    service, read = config.database_url, config.database_read_url
    checks: dict[str, Callable[[], str]] = {
        "configuration": machine.check_names,
        "database": lambda: database.check_database(service, "ORGCTX_DATABASE_URL"),
        "admin database": lambda: database.check_admin_database(config),
        "admin rights": lambda: database.check_admin_rights(config),
        "migrations": lambda: database.check_schema(service, config),
        "statements": lambda: database.check_statements(service, config),
        "role": lambda: database.check_role(config),
        "connections": lambda: database.check_connections(config),
        "open files": lambda: machine.check_open_files(config),
        "redis": lambda: check_redis(config),
        "libraries": machine.check_libraries,
        "base URL": lambda: machine.describe_base_url(config),
    }
    if machine.has_desk(config):
        checks["desk"] = lambda: database.check_desk(config)
        checks["desk URL"] = lambda: machine.check_desk_url(config)
        checks["desk reads"] = lambda: machine.check_reads(config)
    if database.is_distributed(service):
        checks["citus workers"] = lambda: database.check_workers(config)
    for name, url in each_host(read).items() if read != service else ():
        checks[f"replica {name}"] = partial(database.check_replica, url, config)
    for name, setting, url in (
        ("certificate", "ORGCTX_BASE_URL", config.base_url),
        ("desk certificate", "ORGCTX_DESK_URL", config.desk_url),
    ):
        if url.startswith("https:"):
            checks[name] = partial(machine.check_certificate, url, setting)
    return checks


def _run(name: str, check: Callable[[], str]) -> Check:
    try:
        return Check(name, "ok", check())
    except CheckWarning as warning:
        return Check(name, "warning", str(warning))
    except NotChecked as unknown:
        return Check(name, "skipped", f"not checked, because {unknown}")
    except CommandError as error:
        return Check(name, "failed", error.message)
    except psycopg.Error as error:
        return Check(name, "failed", reason(error))
    except NotMigrated:
        return Check(name, "failed", "The schema is not current. Run `orgctx migrate`.")
    except ApiError:
        return Check(name, "failed", "Unavailable. Check the setting and that the server runs.")


def check_redis(config: Config) -> str:
    """Check that Redis counts requests, does not evict counters and is encrypted."""
    seconds = config.request_timeout_seconds
    with closing(Quota(config.redis_url, timeout_seconds=seconds)) as quota:
        try:
            quota.check(Deadline(seconds))
            policy = quota.eviction_policy(Deadline(seconds))
            warnings = [
                *map(_message, quota.errors(Deadline(seconds))),
                *quota.warnings(Deadline(seconds)),
            ]
        except ApiError as error:
            raise CommandError(_message(error)) from None
    if policy not in ("noeviction", ""):
        raise CheckWarning(
            f"maxmemory-policy is {policy}: when its memory is full, Redis evicts counters and "
            "their limits start again. Set it to noeviction."
        )
    if warnings:
        raise CheckWarning("; ".join(warnings))
    address = parse_redis_url(config.redis_url)
    parts = urlsplit(address.url)
    hosts: set[str | None] = {host for host, _ in address.nodes} or {parts.hostname}
    if parts.scheme == "redis" and not hosts <= set(LOCAL_HOSTS):
        raise CheckWarning("The connection is not encrypted. Use rediss:// in ORGCTX_REDIS_URL.")
    if not address.nodes:
        return "available"
    return f"available as a cluster; ORGCTX_REDIS_URL has {len(address.nodes)} of its nodes"


def _message(error: ApiError) -> str:
    reason, cause = reason_of(error)
    return reason.message.format(cause=cause, commands=", ".join(COMMANDS))
