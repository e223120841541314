"""orgctx doctor: report whether this machine can serve, with one line per check.

A check returns a description if it passes. It raises CommandError if the service cannot work or may
write, and CheckWarning if an operator should improve something.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import fields
from difflib import get_close_matches
from functools import partial
from typing import NamedTuple

import click
import psycopg

from orgctx.cli import admin
from orgctx.cli.database.migrations import check_server, login_of, mismatch
from orgctx.cli.errors import CommandError, reason
from orgctx.cli.output import echo, json_option, print_json
from orgctx.config.settings import Config, ConfigError
from orgctx.config.urls import each_host
from orgctx.decisions.connection import DESK_ROLE
from orgctx.desk.settings import check_login, is_local
from orgctx.errors import ApiError
from orgctx.http.health import check_reading
from orgctx.stores import db
from orgctx.stores.db import READER_ROLE, NotMigrated, run
from orgctx.stores.deadline import Deadline
from orgctx.stores.pool import Pool
from orgctx.stores.quota import Quota
from orgctx.stores.redis_client import reason_of

PREFIX = "ORGCTX_"
# Prefixes of variables that are not settings: tests and clients use them.
OTHER_VARIABLES = ("ORGCTX_TEST_", "ORGCTX_API_KEY")
# Longer than a round trip takes, because the clocks are read at both ends of it.
MAX_CLOCK_DIFFERENCE_SECONDS = 5
# How many excess privileges a message lists.
MAX_PRIVILEGES = 8
HOW_TO_CREATE = "See docs/operations/install.md for the logins."
OLD_SCHEMA = "The schema is not current. Run `orgctx migrate`."


class CheckWarning(Exception):
    """The service works, but something should be improved. The message says what."""


class Login(NamedTuple):
    """A program's login and its role. verb: what it may do; excess: what it must not."""

    program: str
    setting: str
    role: str
    verb: str
    excess: str


SERVICE = Login("service", "ORGCTX_DATABASE_URL", READER_ROLE, "read", "write")
DESK = Login(
    "desk",
    "ORGCTX_DESK_DATABASE_URL",
    DESK_ROLE,
    "decide",
    "do more than decide",
)


class Check(NamedTuple):
    name: str
    status: str  # ok, warning or failed
    message: str


@click.command(epilog="Example: orgctx doctor")
@json_option
def doctor(as_json: bool) -> None:
    """Check configuration, database, roles, migrations, clocks and Redis.

    Exits with status 1 if a check fails; warnings do not count.
    """
    checks = list(examine())
    failed = [check.name for check in checks if check.status == "failed"]
    if as_json:
        print_json({"ok": not failed, "checks": [check._asdict() for check in checks]})
    else:
        for check in checks:
            echo(f"{check.status:8} {check.name}: {check.message}")
    if failed:
        raise CommandError(f"Failed checks: {', '.join(failed)}. Their lines say what to do.")


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
        "configuration": check_names,
        "database": partial(check_database, service, SERVICE.setting),
        "migrations": partial(check_schema, service, config),
        "role": partial(check_role, SERVICE, service),
        "redis": partial(check_redis, config),
    }
    # One login for everything is enough for a trial; `role` says that it may write.
    if login_of(config.admin_database_url) != login_of(service):
        checks["admin database"] = partial(check_admin, config)
    has_trial = config.desk_bind or config.desk_url != Config.desk_url
    if config.desk_database_url or (has_trial and is_local(config)):
        checks["desk"] = partial(check_desk, config)
    if is_distributed(service):
        checks["citus workers"] = partial(check_workers, config)
    for name, url in each_host(read).items() if read != service else ():
        checks[f"replica {name}"] = partial(check_replica, url, config)
    return checks


def _run(name: str, check: Callable[[], str]) -> Check:
    try:
        return Check(name, "ok", check())
    except CheckWarning as warning:
        return Check(name, "warning", str(warning))
    except CommandError as error:
        return Check(name, "failed", error.message)
    except ConfigError as error:
        return Check(name, "failed", "; ".join(error.errors))
    except psycopg.Error as error:
        return Check(name, "failed", reason(error))
    except ApiError:
        return Check(name, "failed", "Unavailable. Check the setting and that the server runs.")


def check_names() -> str:
    """Check that every variable that begins with ORGCTX_ is a setting."""
    known = [PREFIX + field.name.upper() for field in fields(Config)]
    unknown = [
        f"Unknown setting {name}{_hint(name, known)}"
        for name in sorted(os.environ)
        if name.startswith(PREFIX) and name not in known and not name.startswith(OTHER_VARIABLES)
    ]
    if unknown:
        raise CheckWarning(" ".join(unknown))
    return "complete"


def _hint(name: str, known: list[str]) -> str:
    matches = get_close_matches(name, known, 1)
    return f"; did you mean {matches[0]}?" if matches else "."


def check_database(url: str, setting: str) -> str:
    """Check that the database is reachable, has a supported version and encoding, and its clock."""
    with admin.connect(url, setting=setting) as connection:
        server = check_server(connection)
    difference_seconds = abs(server["clock_ahead_seconds"])
    if difference_seconds > MAX_CLOCK_DIFFERENCE_SECONDS:
        raise CheckWarning(
            f"The server's clock and this machine's differ by {difference_seconds:.0f} s. Keys "
            "expire and data becomes stale by the server's clock. Synchronize both."
        )
    return f"PostgreSQL {server['version'] // 10_000}, {server['encoding']}"


def check_admin(config: Config) -> str:
    """Check that the login of ORGCTX_ADMIN_DATABASE_URL owns the tables."""
    description = check_database(config.admin_database_url, "ORGCTX_ADMIN_DATABASE_URL")
    with admin.connect(config.admin_database_url) as connection:
        login = connection.info.user
        tables = [row["name"] for row in run(connection, "cli/list_foreign_tables")]
    if tables:
        raise CommandError(
            f"The login {login!r} does not own {_first_few(tables)}, so it cannot migrate. Use the "
            f"owner in ORGCTX_ADMIN_DATABASE_URL, or make it the owner. {HOW_TO_CREATE}"
        )
    return f"{description}; {login!r} may migrate and load"


def check_schema(url: str, config: Config) -> str:
    """Check that the service sees every migration of this version, and can look up a key."""
    with closing(_pool(url, config)) as pool:
        try:
            check_reading(pool, Deadline(config.request_timeout_seconds))
        except NotMigrated as error:
            if error.reason:
                raise mismatch(error.reason) from None
            raise CommandError(OLD_SCHEMA) from None
    return "current"


def check_role(login: Login, url: str) -> str:
    """Check that a login may become its role, and that neither has another privilege."""
    with admin.connect(url, setting=login.setting) as connection:
        rows = run(connection, "cli/read_privileges", role=login.role)
    if not rows or not rows[0]["may_become"]:
        raise CommandError(
            f"The {login.program}'s login cannot {login.verb} as {login.role}. Run `orgctx "
            f"migrate` where {login.setting} is set."
        )
    (row,) = rows
    if row["excess"]:
        excess = _first_few(row["excess"])
        raise CommandError(f"{login.role} may {excess}. Run `orgctx migrate`; revoke what is left.")
    if row["login_excess"]:
        raise CommandError(
            f"The {login.program} connects as {row['login']!r}, which may {login.excess}: "
            f"{_first_few(row['login_excess'])}. Use a separate login in {login.setting}, and run "
            f"`orgctx migrate` with it. {HOW_TO_CREATE}"
        )
    return f"{row['login']!r} {login.verb}s as {login.role}; neither may {login.excess}"


def check_desk(config: Config) -> str:
    """Check that the desk's login may decide, and has no other privilege."""
    if not config.desk_database_url:
        check_login(config)
        return f"the admin's login decides as {DESK_ROLE}: a trial on this machine"
    if (login := login_of(config.desk_database_url)) == login_of(config.database_url):
        raise CommandError(
            f"The service connects as {login!r}, too, and must not decide. Use a separate login in "
            f"{DESK.setting}. {HOW_TO_CREATE}"
        )
    return check_role(DESK, config.desk_database_url)


def _first_few(privileges: list[str]) -> str:
    """Return the first privileges of a list as text."""
    rest_count = len(privileges) - MAX_PRIVILEGES
    rest = [f"{rest_count} more"] if rest_count > 0 else []
    return ", ".join(privileges[:MAX_PRIVILEGES] + rest)


def check_redis(config: Config) -> str:
    """Check that Redis counts requests."""
    seconds = config.request_timeout_seconds
    with closing(Quota(config.redis_url, timeout_seconds=seconds)) as quota:
        try:
            quota.check(Deadline(seconds))
            errors = quota.errors(Deadline(seconds))
        except ApiError as error:
            raise CommandError(_redis_message(error)) from None
    if errors:
        raise CheckWarning("; ".join(map(_redis_message, errors)))
    return "available"


def _redis_message(error: ApiError) -> str:
    reason, cause = reason_of(error)
    return (
        f"Redis does not count requests: {reason or 'unavailable'} ({cause}). Mend that, or "
        "correct ORGCTX_REDIS_URL (rediss:// and ssl_ca_certs=FILE for TLS)."
    )


def is_distributed(url: str) -> bool:
    """Return whether Citus distributes the database; False if it cannot be asked."""
    with suppress(CommandError, psycopg.Error), admin.connect(url) as connection:
        return db.is_distributed(connection)
    return False


def check_workers(config: Config) -> str:
    """Check that the coordinator reaches each worker of the Citus cluster."""
    with closing(_pool(config.database_url, config)) as pool:
        deadline = Deadline(config.request_timeout_seconds)
        workers = pool.query("cli/citus/list_workers", {}, deadline).rows
    if lost := [name for name, is_reachable in workers if not is_reachable]:
        raise CommandError(
            f"The coordinator does not reach the Citus worker {', '.join(lost)}. Organizations "
            "with shards there get 503, and every load and decision fails, except that keys can be "
            "issued, changed and revoked. Start it, or promote its standby."
        )
    return f"{len(workers)} reachable"


def check_replica(url: str, config: Config) -> str:
    """Check that a replica is reachable and has the schema."""
    description = check_database(url, "ORGCTX_DATABASE_READ_URL")
    check_schema(url, config)
    return description


def _pool(url: str, config: Config) -> Pool:
    return Pool(url, size=1, timeout_seconds=config.request_timeout_seconds)
