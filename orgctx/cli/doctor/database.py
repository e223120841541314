"""Check PostgreSQL: its version, the logins' privileges, and room for the pools."""

from __future__ import annotations

from contextlib import ExitStack, closing
from ipaddress import ip_address
from time import monotonic, sleep

from orgctx.cli import admin
from orgctx.cli.database.migrations import OLDEST_VERSION, check_rights, check_server, login_of
from orgctx.cli.doctor import Warned
from orgctx.cli.doctor.machine import count_workers
from orgctx.cli.errors import CommandError
from orgctx.config.settings import Config
from orgctx.http.health import check_reading
from orgctx.stores.db import NotMigrated, Pool
from orgctx.stores.deadline import Deadline
from orgctx.stores.positions import ask

NEWEST_VERSION = 18
# A larger difference is not caused by the delay of the answer.
CLOCK_SECONDS = 5


def check_database(url: str, setting: str, *, may_follow: bool = False) -> str:
    """The database answers, has a supported version and encoding, and uses TLS.

    may_follow: whether it may be a replica.
    """
    with admin.connect(url, setting=setting) as connection:
        server = check_server(connection)
        is_open = not connection.pgconn.ssl_in_use and not _is_local(connection.info.hostaddr)
    version = server["version"] // 10_000
    if server["is_replica"] and not may_follow:
        raise Warned(
            f"{setting} leads to a replica, which takes no load and may lack the last decisions: "
            "promote it, or name the primary (of several hosts with target_session_attrs=primary)"
        )
    if version > NEWEST_VERSION:
        raise Warned(
            f"PostgreSQL {version} is newer than those tried, {OLDEST_VERSION} to {NEWEST_VERSION}"
        )
    if abs(server["clock_ahead_seconds"]) > CLOCK_SECONDS:
        raise Warned(
            f"its clock and this machine's are {abs(server['clock_ahead_seconds']):.0f} s apart: "
            "keys expire and data turns stale by its clock; synchronize both"
        )
    if is_open:
        raise Warned(
            f"the connection is not encrypted: add sslmode=verify-full (and sslrootcert) to "
            f"{setting}"
        )
    return f"PostgreSQL {version}, {server['encoding']}"


def _is_local(address: str) -> bool:
    """Whether the connection stays on this machine. address: empty for a socket."""
    return not address or ip_address(address.partition("%")[0]).is_loopback


def check_schema(url: str, config: Config) -> str:
    """The service sees every migration of this version, and can look a key up."""
    seconds = config.request_timeout_seconds
    with closing(_pool(url, config)) as pool:
        try:
            check_reading(pool, Deadline(seconds))
        except NotMigrated:
            raise CommandError("not current: run `orgctx migrate`") from None
    return "current"


def check_replica(url: str, config: Config) -> str:
    """It is a replica of the service's database, current, and has what that wrote before."""
    answer = check_database(url, "ORGCTX_DATABASE_READ_URL", may_follow=True)
    with ExitStack() as stack:
        primary, replica = (
            stack.enter_context(closing(_pool(one, config))) for one in (config.database_url, url)
        )
        began = monotonic()
        position = ask(primary)
        while (found := ask(replica)).bytes < position.bytes:
            if monotonic() - began > config.replica_max_lag_seconds:
                raise CommandError(
                    f"lags by more than {config.replica_max_lag_seconds:g} s, so it serves no "
                    "request: see its log, and pg_stat_replication on the primary"
                )
            sleep(0.1)
        if not found.serves_for(position):
            raise CommandError("is no streaming replica of ORGCTX_DATABASE_URL's database")
    check_schema(url, config)
    kind = "replica" if found.is_replica else "the primary itself"
    return f"{answer}, {kind}, at most {monotonic() - began:.1f} s behind"


def check_statements(url: str, config: Config) -> str:
    """Statements are prepared, unless the setting or a pooler forbids it."""
    seconds = config.request_timeout_seconds
    with closing(_pool(url, config)) as pool:
        pool.query("gate/list_migrations", {}, Deadline(seconds))
        if not config.prepares:
            return "not prepared, as ORGCTX_DATABASE_PREPARE says; each transaction is configured"
        if not pool.prepares:
            raise Warned(
                "they go through a pooler that does not keep prepared statements, so each is "
                "planned again: PgBouncer keeps them from 1.21 on with max_prepared_statements "
                "above 0"
            )
        if pool.is_shared:
            return "prepared by a pooler; each transaction is configured"
    return "prepared"


def _pool(url: str, config: Config) -> Pool:
    seconds = config.request_timeout_seconds
    return Pool(url, size=1, timeout_seconds=seconds, prepares=config.prepares)


def _is_pooled(connection: admin.Connection) -> bool:
    """Whether statements run in another process than the one that the server named at first."""
    server = admin.run(connection, "read_server", client_time=0)[0]
    return bool(server["backend_pid"] != connection.info.backend_pid)


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


def check_admin_rights(config: Config) -> str:
    """The admin's login may migrate and load."""
    with admin.connect(config.admin_database_url) as connection:
        login = connection.info.user
        check_rights(connection, login_of(config.database_url) or login)
        if _is_pooled(connection):
            raise Warned(
                "ORGCTX_ADMIN_DATABASE_URL leads through a pooler: name the server itself, because "
                "migrations and loads prepare statements and use temporary tables"
            )
    return f"{login!r} may migrate and load"


def check_connections(config: Config) -> str:
    """The server has room for the pools of this machine's workers."""
    with admin.connect(config.database_url, setting="ORGCTX_DATABASE_URL") as connection:
        if _is_pooled(connection):
            return "shared with others by a pooler, whose pool decides"
        room = admin.run(connection, "count_connections")[0]["room"]
    workers = count_workers()
    # If there are replicas, one more asks for the primary's position.
    size = config.database_pool_size + (config.database_read_url != config.database_url)
    needed = workers * size
    if needed > room:
        raise Warned(
            f"{workers} workers with ORGCTX_DATABASE_POOL_SIZE={config.database_pool_size} may "
            f"open {needed} connections, and the server has room for {room}: lower it or "
            "WEB_CONCURRENCY, or raise max_connections"
        )
    return f"{needed} connections of this machine's {workers} workers fit into {room}"
