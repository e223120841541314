"""/healthz and /readyz, for those who run the service: no key, no quota."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Any

import orjson
from flask import Blueprint, Response, current_app, g

from orgctx.errors import ApiError
from orgctx.stores.db import NotMigrated, sql_directory
from orgctx.stores.deadline import Deadline

READY_SECONDS = 1.0

routes = Blueprint("health", __name__)


@routes.get("/healthz", provide_automatic_options=False)
def healthz() -> Response:
    """The process is up."""
    return _json({"status": "ok"}, 200)


@routes.get("/readyz", provide_automatic_options=False)
def readyz() -> Response:
    """Database and Redis answer and the migrations are current; otherwise 503, saying which.

    What was found counts for a second, however many ask.
    """
    service = current_app.extensions["orgctx"]
    readiness: Readiness = current_app.extensions["readiness"]
    checks = readiness.checks(lambda: _examine(service, g.admission.deadline))
    ready = all(check == "ok" for check in checks.values())
    status = "ready" if ready else "unready"
    return _json({"status": status, "checks": checks}, 200 if ready else 503)


class Readiness:
    """What was found last. One asks the servers at a time; the others wait for what it finds."""

    def __init__(self) -> None:
        self._asking = Lock()
        self._found: dict[str, str] = {}
        self._until = 0.0

    def checks(self, examine: Callable[[], dict[str, str]]) -> dict[str, str]:
        """The outcome of each check, at most READY_SECONDS old."""
        with self._asking:
            if monotonic() >= self._until:
                self._found = examine()
                self._until = monotonic() + READY_SECONDS
            return self._found


def _examine(service: Any, deadline: Deadline) -> dict[str, str]:
    checks = {
        "database": _check(lambda: check_migrations(service.pool, deadline)),
        "redis": _check(lambda: service.quota.ping(deadline)),
    }
    if service.read_pool is not service.pool:
        checks["databaseRead"] = _check(lambda: check_migrations(service.read_pool, deadline))
    return checks


def migrations() -> set[str]:
    """The names of all migrations of this version."""
    return {path.stem for path in sql_directory().joinpath("schema").glob("*.sql")}


def check_migrations(pool: Any, deadline: Any) -> None:
    """Raise unless the database answers and holds every migration of this version."""
    applied = {row[0] for row in pool.query("gate/list_migrations", {}, deadline).rows}
    if migrations() - applied:
        raise NotMigrated


def _check(check: Any) -> str:
    try:
        check()
    except NotMigrated:
        return "migrations are not current; run `orgctx migrate`"
    except ApiError:
        return "does not answer"
    return "ok"


def _json(body: dict[str, Any], status: int) -> Response:
    headers = {"Cache-Control": "no-store"}
    return Response(orjson.dumps(body), status, headers, mimetype="application/json")
