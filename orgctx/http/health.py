"""/healthz and /readyz, for those who run the service: no key, no quota."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Blueprint, Response, current_app, g

from orgctx.errors import ApiError
from orgctx.stores.db import NotMigrated, sql_directory

routes = Blueprint("health", __name__)


@routes.get("/healthz", provide_automatic_options=False)
def healthz() -> Response:
    """The process is up."""
    return _json({"status": "ok"}, 200)


@routes.get("/readyz", provide_automatic_options=False)
def readyz() -> Response:
    """Database and Redis answer and the migrations are current; otherwise 503, saying which."""
    service = current_app.extensions["orgctx"]
    checks = {
        "database": _check(lambda: check_migrations(service.pool, g.admission.deadline)),
        "redis": _check(lambda: service.quota.ping(g.admission.deadline)),
    }
    if service.read_pool is not service.pool:
        checks["databaseRead"] = _check(
            lambda: check_migrations(service.read_pool, g.admission.deadline)
        )
    ready = all(check == "ok" for check in checks.values())
    status = "ready" if ready else "unready"
    return _json({"status": status, "checks": checks}, 200 if ready else 503)


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
