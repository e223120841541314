"""Check PostgreSQL: its version, the privileges of the logins, and the number of connections."""

from contextlib import ExitStack, closing, suppress
from ipaddress import ip_address
from time import monotonic, sleep

import psycopg

from orgctx.cli import admin
from orgctx.cli.database.migrations import (
    OLDEST_VERSION,
    as_superuser,
    check_rights,
    check_server,
    login_of,
    mismatch,
)
from orgctx.cli.doctor import CheckWarning, NotChecked
from orgctx.cli.doctor.machine import NO_DESK, count_workers
from orgctx.cli.errors import CommandError
from orgctx.config.settings import Config, ConfigError
from orgctx.decisions.connection import DESK_ROLE
from orgctx.desk.settings import check_login, is_local
from orgctx.http.health import check_reading
from orgctx.stores import db
from orgctx.stores.db import LIST_MIGRATIONS, READER_ROLE, Connection, NotMigrated, run
from orgctx.stores.deadline import Deadline
from orgctx.stores.pool import Pool
from orgctx.stores.replicas import OK, list_workers, read_position

NEWEST_TESTED_VERSION = 18
# Longer than a round trip takes, because the clocks are read at both ends of it.
MAX_CLOCK_DIFFERENCE_SECONDS = 5
# How many excess privileges a message lists.
MAX_PRIVILEGES = 8
NO_ADMIN = (
    "ORGCTX_ADMIN_DATABASE_URL names no separate login. Before migrations and loads, run doctor "
    "where it is set."
)


def check_database(url: str, setting: str, *, may_be_replica: bool = False) -> str:
    """Check that the database is reachable, has a supported version and encoding, and uses TLS."""
    with admin.connect(url, setting=setting) as connection:
        server = check_server(connection)
        address = connection.info.hostaddr.partition("%")[0]  # empty for a Unix socket
        is_local = not address or ip_address(address).is_loopback
        is_plain = not connection.pgconn.ssl_in_use and not is_local
    version = server["version"] // 10_000
    if server["is_replica"] and not may_be_replica:
        raise CheckWarning(
            f"{setting} leads to a replica, which is read-only and may lack the last decisions. "
            "Promote it, or use the primary (with several hosts: target_session_attrs=primary)."
        )
    if version > NEWEST_TESTED_VERSION:
        raise CheckWarning(
            f"PostgreSQL {version} is newer than the tested versions, {OLDEST_VERSION} to "
            f"{NEWEST_TESTED_VERSION}."
        )
    difference_seconds = abs(server["clock_ahead_seconds"])
    if difference_seconds > MAX_CLOCK_DIFFERENCE_SECONDS:
        raise CheckWarning(
            f"The server's clock and this machine's differ by {difference_seconds:.0f} s. Keys "
            "expire and data becomes stale by the server's clock. Synchronize both."
        )
    if is_plain:
        raise CheckWarning(
            "The connection is not encrypted. Add sslmode=verify-full (and sslrootcert) to "
            f"{setting}."
        )
    return f"PostgreSQL {version}, {server['encoding']}"


def check_schema(url: str, config: Config) -> str:
    """Check that the service sees every migration of this version, and can look up a key."""
    seconds = config.request_timeout_seconds
    with closing(_pool(url, config)) as pool:
        try:
            check_reading(pool, Deadline(seconds))
        except NotMigrated as error:
            if error.reason:
                raise mismatch(error.reason) from None
            raise CommandError("The schema is not current. Run `orgctx migrate`.") from None
    return "current"


def is_distributed(url: str) -> bool:
    """Return whether Citus distributes the database; False if it cannot be asked."""
    with suppress(CommandError, psycopg.Error), admin.connect(url) as connection:
        return db.is_distributed(connection)
    return False


def check_workers(config: Config) -> str:
    """Check that the coordinator reaches each worker of the Citus cluster."""
    with closing(_pool(config.database_url, config)) as pool:
        pool.query(LIST_MIGRATIONS, {}, Deadline(config.request_timeout_seconds))
        workers = list_workers(pool)
    if lost := [worker.name for worker in workers if worker.state != OK]:
        raise CommandError(
            f"The coordinator does not reach the Citus worker {', '.join(lost)}. Organizations "
            "with shards there get 503, and every load and decision fails, except that keys can be "
            "issued, changed and revoked. Start it, or promote its standby."
        )
    return f"{len(workers)} reachable"


def check_replica(url: str, config: Config) -> str:
    """Check that the URL leads to a replica of the service's database that does not lag too far."""
    description = check_database(url, "ORGCTX_DATABASE_READ_URL", may_be_replica=True)
    with ExitStack() as stack:
        primary, replica = (
            stack.enter_context(closing(_pool(address, config)))
            for address in (config.database_url, url)
        )
        started_at = monotonic()
        target = read_position(primary)
        while (position := read_position(replica)).bytes < target.bytes:
            if monotonic() - started_at > config.replica_max_lag_seconds:
                raise CommandError(
                    f"The replica lags by more than {config.replica_max_lag_seconds:g} s, so it "
                    "serves no request. See its log, and pg_stat_replication on the primary."
                )
            sleep(0.1)
        if not position.serves_for(target):
            raise CommandError("Not a streaming replica of the database of ORGCTX_DATABASE_URL.")
    check_schema(url, config)
    kind = "replica" if position.is_replica else "the primary itself"
    return f"{description}, {kind}, at most {monotonic() - started_at:.1f} s behind"


def check_statements(url: str, config: Config) -> str:
    """Check whether the server prepares statements, and say what prevents it."""
    seconds = config.request_timeout_seconds
    with closing(_pool(url, config)) as pool:
        pool.query(LIST_MIGRATIONS, {}, Deadline(seconds))
        if not config.prepares:
            return (
                "not prepared, because of ORGCTX_DATABASE_PREPARE; each transaction is configured"
            )
        if not pool.prepares:
            raise CheckWarning(
                "The pooler does not support prepared statements, so each statement is planned "
                "again. Use PgBouncer 1.21 or newer with max_prepared_statements above 0."
            )
        if pool.is_shared:
            return "prepared by a pooler; each transaction is configured"
    return "prepared"


def _pool(url: str, config: Config) -> Pool:
    seconds = config.request_timeout_seconds
    return Pool(url, size=1, timeout_seconds=seconds, prepares=config.prepares)


def _is_pooled(connection: Connection) -> bool:
    """Return whether a pooler lets another backend than the connection's run the statements."""
    server = run(connection, "cli/read_server", client_time=0)[0]
    return bool(server["backend_pid"] != connection.info.backend_pid)


def check_role(config: Config) -> str:
    """Check that the service reads as a role that has no other privilege."""
    with admin.connect(config.database_url, setting="ORGCTX_DATABASE_URL") as connection:
        rows = run(connection, "cli/read_privileges", role=READER_ROLE, new_login="orgctx_service")
    if not rows or not rows[0]["may_become"]:
        raise CommandError(
            "The service's login cannot read as orgctx_reader. Run `orgctx migrate`."
        )
    login, excess = rows[0]["login"], rows[0]["excess"]
    if excess:
        raise CommandError(f"orgctx_reader may {_first(excess)}. Revoke these privileges.")
    if excess := rows[0]["login_excess"]:
        new = rows[0]["new_login"]
        advice = as_superuser(
            [f"CREATE ROLE {new} LOGIN PASSWORD 'choose one';", f"GRANT orgctx_reader TO {new};"]
        )
        raise CommandError(
            f"The service connects as {login!r}, which may write: {_first(excess)}. "
            f"Use a separate login in ORGCTX_DATABASE_URL, such as {new!r}. {advice}"
        )
    return f"{login!r} reads as orgctx_reader; neither can write"


def check_desk(config: Config) -> str:
    """Check that the desk's login may decide, and has no other privilege."""
    setting = "ORGCTX_DESK_DATABASE_URL"
    if not config.desk_database_url:
        if not is_local(config):
            raise NotChecked(NO_DESK)
        try:
            check_login(config)
        except ConfigError as error:
            raise CommandError("; ".join(error.errors)) from error
        return f"the admin's login decides as {DESK_ROLE}: a trial on this machine"
    with admin.connect(config.desk_database_url, setting=setting) as connection:
        rows = run(connection, "cli/read_privileges", role=DESK_ROLE, new_login="orgctx_desk_login")
    how = f"Run `orgctx migrate` where {setting} is set."
    if not rows:
        raise CommandError(f"The role {DESK_ROLE} does not exist. {how}")
    login, new, excess = rows[0]["login"], rows[0]["new_login"], rows[0]["excess"]
    if login == login_of(config.database_url):
        raise CommandError(
            f"The service connects as {login!r}, too, and must not decide. Use a separate login in "
            f"{setting}, such as {new!r}."
        )
    if excess:
        raise CommandError(f"{DESK_ROLE} may {_first(excess)}. Revoke these privileges.")
    if excess := rows[0]["login_excess"]:
        raise CommandError(
            f"The desk connects as {login!r}, which may do more than decide: {_first(excess)}. "
            f"Use a separate login in {setting}, such as {new!r}, and run `orgctx migrate`."
        )
    if not rows[0]["may_become"]:
        raise CommandError(f"The desk's login cannot decide as {DESK_ROLE}. {how}")
    return f"{login!r} decides as {DESK_ROLE}, and may do nothing else"


def _first(privileges: list[str]) -> str:
    """Return the first privileges of a list as text."""
    rest_count = len(privileges) - MAX_PRIVILEGES
    rest = [f"{rest_count} more"] if rest_count > 0 else []
    return ", ".join(privileges[:MAX_PRIVILEGES] + rest)


def check_admin_database(config: Config) -> str:
    if config.admin_database_url == config.database_url:
        raise NotChecked(NO_ADMIN)
    return check_database(config.admin_database_url, "ORGCTX_ADMIN_DATABASE_URL")


def check_admin_rights(config: Config) -> str:
    """Check that the login of ORGCTX_ADMIN_DATABASE_URL may migrate and load.

    The service's login does not need these rights, and must not get them.
    """
    login, service = login_of(config.admin_database_url), login_of(config.database_url)
    if login == service:
        raise NotChecked(NO_ADMIN)
    with admin.connect(config.admin_database_url) as connection:
        desk = login_of(config.desk_database_url) if config.desk_database_url else None
        check_rights(connection, service or connection.info.user, desk)
        if _is_pooled(connection):
            raise CheckWarning(
                "ORGCTX_ADMIN_DATABASE_URL leads through a pooler. Use the address of the server: "
                "migrations and loads prepare statements and use temporary tables."
            )
    return f"{login!r} may migrate and load"


def check_connections(config: Config) -> str:
    """Check that the server accepts enough connections for this machine's workers."""
    with admin.connect(config.database_url, setting="ORGCTX_DATABASE_URL") as connection:
        if _is_pooled(connection):
            return "limited by a pooler"
        free_count = run(connection, "cli/count_connections")[0]["room"]
    worker_count = count_workers()
    # With replicas, each worker has another connection that asks for the primary's position.
    size = config.database_pool_size + (config.database_read_url != config.database_url)
    count = worker_count * size
    if count > free_count:
        raise CheckWarning(
            f"{worker_count} workers with ORGCTX_DATABASE_POOL_SIZE={config.database_pool_size} "
            f"may open {count} connections, but the server has only {free_count} left. Lower the "
            "pool size or WEB_CONCURRENCY, or raise max_connections."
        )
    return f"{worker_count} workers need {count} of {free_count} available connections"
