"""/healthz and /readyz, for operators, without key and quota."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Blueprint, Response, current_app, g

from orgctx.errors import ApiError
from orgctx.http.recent import Recent
from orgctx.observability.logs import note_error
from orgctx.stores import schema
from orgctx.stores.db import NotGranted, NotMigrated
from orgctx.stores.deadline import Deadline

READY_SECONDS = 1.0

# No key has this digest.
NOBODYS_KEY = bytes(32)

# The fault of each check by its name, if it has one.
Found = dict[str, ApiError | None]

routes = Blueprint("health", __name__)


@routes.get("/healthz", provide_automatic_options=False)
def healthz() -> Response:
    """Answer that the process is up."""
    return _json({"status": "ok"}, 200)


@routes.get("/readyz", provide_automatic_options=False)
def readyz() -> Response:
    """200 if keys can be looked up and Redis answers; otherwise 503, naming the failure.

    The result is reused for a second, however many ask. Read replicas are listed in the order of
    the setting, but the service is ready without them: the primary then answers.
    """
    service = current_app.extensions["orgctx"]
    readiness: Recent[Found] = current_app.extensions["readiness"]
    found = readiness.get(lambda: examine(service, g.admission.deadline), READY_SECONDS)
    faults = [fault for fault in found.values() if fault]
    for fault in faults:
        note_error(fault)
    body: dict[str, Any] = {
        "status": "unready" if faults else "ready",
        "checks": {name: _told(fault) for name, fault in found.items()},
    }
    if service.replicas.all:
        body["replicas"] = [one.state for one in service.replicas.all]
    return _json(body, 503 if faults else 200)


def examine(service: Any, deadline: Deadline) -> Found:
    """Check in each store what a request needs."""
    service.replicas.watch()
    return {
        "database": _check(lambda: check_reading(service.pool, deadline)),
        "redis": _check(lambda: service.quota.ping(deadline)),
    }


def check_reading(pool: Any, deadline: Any) -> None:
    """Raise unless the database has every migration of this version, lets the service read all
    that they grant, and a key can be looked up as for a request: a restored database may have the
    tables, or some of them, without the rights."""
    applied = {row[0] for row in pool.query("gate/list_migrations", {}, deadline).rows}
    if {*schema.migrations()} - applied:
        raise NotMigrated
    if pool.query("gate/list_missing_grants", schema.granted(), deadline).rows:
        raise NotGranted
    pool.query("gate/find_key", {"key_hash": NOBODYS_KEY}, deadline)


def _check(check: Any) -> ApiError | None:
    try:
        check()
    except ApiError as error:
        return error
    return None


def _told(fault: ApiError | None) -> str:
    if isinstance(fault, NotMigrated):
        return "the schema or the reader's rights are not current; run `orgctx migrate`"
    return "does not answer" if fault else "ok"


def _json(body: dict[str, Any], status: int) -> Response:
    headers = {"Cache-Control": "no-store"}
    return Response(orjson.dumps(body), status, headers, mimetype="application/json")
