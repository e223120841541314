"""The audit log: who decided what and when, with the state before and after."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from flask import Blueprint, Response, render_template, request, stream_with_context
from werkzeug.exceptions import BadRequest

from orgctx.decisions import audit_log
from orgctx.decisions.audit_log import Filters
from orgctx.desk.current import member
from orgctx.desk.database import reading

MAX_LENGTH = 200  # characters of a filter
# How many objects of a record are named beside it. `before` and `after` show all.
MOST_OBJECTS = 3
# What an object is called, if it has a name: a source, a knowledge item, a key.
NAMES = ("label", "title", "name")
TEXTS, DATES = ("member", "command", "object"), ("since", "until")

routes = Blueprint("audit", __name__)


@routes.get("/audit")
def list_all() -> str:
    """List audit records, newest first."""
    fields = _fields()
    before = request.args.get("before", type=_sequence)
    with reading() as connection:
        page = audit_log.page(connection, member().organization_id, _filters(fields), before=before)
    return render_template(
        "audit.html",
        page=page,
        fields=fields,
        before=before,
        changed=_changed,
        most_objects=MOST_OBJECTS,
    )


@routes.get("/audit.csv")
def as_csv() -> Response:
    """Return all records that the filters let through, as CSV."""
    filters, organization_id = _filters(_fields()), member().organization_id

    def lines() -> Iterator[str]:
        with reading() as connection:
            yield from audit_log.csv_lines(connection, organization_id, filters)

    return Response(
        stream_with_context(lines()),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": "attachment; filename=audit.csv"},
    )


def _changed(row: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the ids and names of the objects that a record changed."""
    objects = {**(row["before"] or {}), **(row["after"] or {})}
    return [
        (id_, next((str(value[name]) for name in NAMES if value.get(name)), ""))
        for id_, value in objects.items()
        # A member who signs in is named as the author already.
        if isinstance(value, dict) and id_ != str(row["decided_by"])
    ]


def _fields() -> dict[str, str]:
    """Return the filters of the address that are set."""
    fields = {name: request.args.get(name, "").strip() for name in (*TEXTS, *DATES)}
    if any(len(value) > MAX_LENGTH or "\0" in value for value in fields.values()):
        raise BadRequest(f"A filter has at most {MAX_LENGTH} characters, without NUL.")
    return {name: value for name, value in fields.items() if value}


def _filters(fields: dict[str, str]) -> Filters:
    values: dict[str, Any] = {name: fields[name] for name in TEXTS if name in fields}
    if "since" in fields:
        values["since"] = _day(fields["since"])
    if "until" in fields:
        # The last day is included.
        values["until"] = _day(fields["until"], days=1)
    return Filters(**values)


def _day(text: str, days: int = 0) -> datetime:
    try:
        return datetime.combine(date.fromisoformat(text), time(tzinfo=UTC)) + timedelta(days=days)
    except (ValueError, OverflowError):
        raise BadRequest("A date has the form 2026-01-31.") from None


def _sequence(text: str) -> int:
    """Return the sequence of a record. Raises ValueError if none can have it."""
    if not 0 < (sequence := int(text)) < 2**63:
        raise ValueError
    return sequence
