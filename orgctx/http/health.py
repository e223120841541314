"""/healthz and /readyz, for operators, without key and quota."""

from collections.abc import Callable
from functools import cache
from logging import WARNING
from threading import Lock
from time import monotonic
from typing import Any, Generic, NamedTuple, TypeVar

import orjson
from flask import Blueprint, Response, current_app, g

from orgctx.errors import RETRY_SECONDS, ApiError, RequestTimeout
from orgctx.gate.admission import find_key
from orgctx.observability.logs import log_server, note_error
from orgctx.resources.catalog import RESOURCES
from orgctx.stores import db
from orgctx.stores.deadline import Deadline

T = TypeVar("T")


class Recent(Generic[T]):
    """The most recent value. One thread at a time computes it; others wait for that value."""

    def __init__(self) -> None:
        self._computing = Lock()
        # The value, and when it expires in monotonic seconds.
        self._value: tuple[T, float] | None = None

    def get(self, compute: Callable[[], T], seconds: float) -> T:
        """Return a value that is at most `seconds` old. Raises what `compute` raises."""
        with self._computing:
            if self._value is None or monotonic() >= self._value[1]:
                self._value = compute(), monotonic() + seconds
            return self._value[0]


READY_SECONDS = 1.0
# Redis answers in milliseconds. A probe that waited for one that hangs would not learn why.
REDIS_SECONDS = 2.0

# No key has this hash.
NO_KEY_HASH = bytes(32)

# The error of each check by its name, if it failed.
Checks = dict[str, ApiError | None]


class Examination(NamedTuple):
    checks: Checks
    newer: str  # the last migration, if a newer release applied it


routes = Blueprint("health", __name__)


@routes.get("/healthz", provide_automatic_options=False)
def healthz() -> Response:
    """Respond that the process is up."""
    return _json({"status": "ok"}, 200)


@routes.get("/readyz", provide_automatic_options=False)
def readyz() -> Response:
    """Respond 200 if keys can be looked up and Redis counts requests, else 503 with the failure.

    The result is reused for a second. Read replicas are listed in the order of the setting. A lost
    one does not make the service unready, because requests then read from the primary, and neither
    does a lost worker of Citus, which affects only its organizations. `newerMigration` is the last
    migration of a newer release, as during an update of several hosts.
    """
    service = current_app.extensions["orgctx"]
    readiness: Recent[Examination] = current_app.extensions["readiness"]
    checks, newer = readiness.get(lambda: examine(service, g.admission.deadline), READY_SECONDS)
    errors = [error for error in checks.values() if error]
    for error in errors:
        note_error(error)
    body: dict[str, Any] = {
        "status": "unready" if errors else "ready",
        "checks": {name: _message(error) for name, error in checks.items()},
    }
    if newer:
        body["newerMigration"] = newer
    if service.replicas.all:
        body["replicas"] = [replica.state for replica in service.replicas.all]
    return _json(body, 503 if errors else 200)


def examine(service: Any, deadline: Deadline) -> Examination:
    """Check whether each store is ready to serve requests."""
    service.replicas.check()
    newer = ""

    def check_database() -> None:
        nonlocal newer
        newer = check_reading(service.pool, deadline)

    checks = {
        "database": _check(check_database),
        "redis": _check(lambda: service.quota.check(Deadline(min(deadline.left(), REDIS_SECONDS)))),
    }
    if service.read_log:
        checks["reads"] = _check(service.read_log.check)
    if newer:
        _log_newer(newer)
    return Examination(checks, newer)


@cache
def _log_newer(migration: str) -> None:
    """Write one line for the life of the process."""
    log_server(WARNING, f"The schema is of a newer release: {migration} is applied.")


def check_reading(pool: Any, deadline: Deadline) -> str:
    """Raise ApiError unless the schema is that of this release or a newer one, the reading role has
    its privileges, a key can be looked up, the login can connect, and every statement fits the
    tables.

    A restored database may have some or all tables without their privileges. Returns the last
    migration if a newer release applied it, else "".
    """
    applied, missing = pool.query_all(
        [(db.LIST_MIGRATIONS, {}), ("http/list_missing_grants", db.granted())], deadline
    )
    names = dict(applied.rows)
    if why := db.misfit(names):
        raise db.NotMigrated(reason=why)
    last = db.migrations()[-1]
    if last not in names or missing.rows:
        raise db.NotMigrated
    pool.query(*find_key(NO_KEY_HASH), deadline)
    pool.check_login(deadline, statements())
    newest = max(names)
    return newest if newest > last else ""


@cache
def statements() -> list[str]:
    """Return the names of all statements of the resources."""
    folders = {resource.name for resource in RESOURCES}
    return [name for name in db.statements() if name.split("/")[0] in folders]


def _check(check: Callable[[], object]) -> ApiError | None:
    try:
        check()
    except ApiError as error:
        return error
    return None


def _message(error: ApiError | None) -> str:
    if isinstance(error, db.NotMigrated):
        if error.reason:
            return f"the database does not match its list of migrations ({error.reason})"
        return "the schema or the reader's privileges are not current; run `orgctx migrate`"
    return reason(error) if error else "ok"


def reason(error: ApiError) -> str:
    """Return what is wrong with a store: one of a few texts, because it labels a metric."""
    if isinstance(error, db.NotMigrated):
        return "migrations differ" if error.reason else "not migrated"
    if isinstance(error, RequestTimeout):
        return "no answer in time"
    return getattr(error, "reason", "") or "unreachable"


def _json(body: dict[str, Any], status: int) -> Response:
    headers = {"Cache-Control": "no-store"}
    if status == 503:
        headers["Retry-After"] = str(RETRY_SECONDS)
    return Response(orjson.dumps(body), status, headers, mimetype="application/json")
