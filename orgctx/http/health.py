"""/healthz and /readyz, for operators, without key and quota."""

from __future__ import annotations

from typing import Any, NamedTuple

import orjson
from flask import Blueprint, Response, current_app, g

from orgctx.errors import RETRY_SECONDS, ApiError
from orgctx.http.recent import Recent
from orgctx.observability.logs import note_error
from orgctx.stores import sample_values, schema
from orgctx.stores.db import NotGranted, NotMigrated
from orgctx.stores.deadline import Deadline
from orgctx.stores.workers import Worker, list_workers

READY_SECONDS = 1.0

# No key has this hash.
NO_KEY_HASH = bytes(32)

# The error of each check by its name, if it failed.
Checks = dict[str, ApiError | None]


class Examination(NamedTuple):
    checks: Checks
    workers: list[Worker]  # of a Citus cluster; if one is lost, the others still serve


routes = Blueprint("health", __name__)


@routes.get("/healthz", provide_automatic_options=False)
def healthz() -> Response:
    """Respond that the process is up."""
    return _json({"status": "ok"}, 200)


@routes.get("/readyz", provide_automatic_options=False)
def readyz() -> Response:
    """Respond 200 if keys can be looked up and Redis counts requests, else 503 with the failure.

    The result is reused for a second. Read replicas are listed in the order of the setting, and
    the workers of a Citus cluster by age. A lost one does not make the service unready: without a
    replica, requests read from the primary, and a lost worker affects only its organizations.
    """
    service = current_app.extensions["orgctx"]
    readiness: Recent[Examination] = current_app.extensions["readiness"]
    checks, workers = readiness.get(lambda: examine(service, g.admission.deadline), READY_SECONDS)
    errors = [error for error in checks.values() if error]
    for error in errors:
        note_error(error)
    body: dict[str, Any] = {
        "status": "unready" if errors else "ready",
        "checks": {name: _message(error) for name, error in checks.items()},
    }
    if service.replicas.all:
        body["replicas"] = [replica.state for replica in service.replicas.all]
    if workers:
        body["workers"] = [worker.state for worker in workers]
    return _json(body, 503 if errors else 200)


def examine(service: Any, deadline: Deadline) -> Examination:
    """Check whether each store is ready to serve requests."""
    service.replicas.watch()
    checks = {
        "database": _check(lambda: check_reading(service.pool, deadline)),
        "redis": _check(lambda: service.quota.check(deadline)),
    }
    if service.reads:
        checks["reads"] = _check(service.reads.check)
    return Examination(checks, [] if checks["database"] else list_workers(service.pool))


def check_reading(pool: Any, deadline: Any) -> None:
    """Raise ApiError unless the schema is current, the reading role has its privileges, values of
    each type are read unchanged, and a key can be looked up.

    A restored database may have some or all tables without their privileges.
    """
    applied, missing = pool.query_all(
        [("gate/list_migrations", {}), ("gate/list_missing_grants", schema.granted())], deadline
    )
    if {*schema.migrations()} - {name for (name,) in applied.rows}:
        raise NotMigrated
    if missing.rows:
        raise NotGranted
    sample_values.check(pool, deadline)
    pool.query("gate/find_key", {"key_hash": NO_KEY_HASH}, deadline)


def _check(check: Any) -> ApiError | None:
    try:
        check()
    except ApiError as error:
        return error
    return None


def _message(error: ApiError | None) -> str:
    if isinstance(error, NotMigrated):
        return "the schema or the reader's privileges are not current; run `orgctx migrate`"
    return reason(error) if error else "ok"


def reason(error: ApiError) -> str:
    """Return what is wrong with a store: one of a few texts, because it labels a metric."""
    if isinstance(error, NotMigrated):
        return "not migrated"
    return getattr(error, "reason", "") or "unreachable"


def _json(body: dict[str, Any], status: int) -> Response:
    headers = {"Cache-Control": "no-store"}
    if status == 503:
        headers["Retry-After"] = str(RETRY_SECONDS)
    return Response(orjson.dumps(body), status, headers, mimetype="application/json")
