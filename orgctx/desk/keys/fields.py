"""The fields of the forms about keys."""

from __future__ import annotations

from itertools import chain
from typing import Any

from flask import request
from marshmallow import EXCLUDE, Schema, ValidationError, fields, validate, validates_schema

from orgctx.bundle.records import SOURCE_ID_LENGTH
from orgctx.clients import CLIENTS, works_with
from orgctx.decisions.keys import ACCESSES, LIFETIMES, LONGEST_NAME, is_name
from orgctx.desk.forms import check_id
from orgctx.operations.source_kinds import SCOPES

# Whether a key reads all sources, or chosen ones.
ALL, CHOSEN = "all", "chosen"
NAME = f"Use 1 to {LONGEST_NAME} printable characters without spaces at the ends, and no id or key."
# Fields that a form can send several times.
LISTS = ("scopes", "source_ids")
# How many sources a form offers.
MOST_SOURCES = 200

Values = dict[str, Any]


def _check_name(name: str) -> None:
    if not is_name(name):
        raise ValidationError(NAME)


class Rights(Schema):
    """What a member chooses for a key."""

    class Meta:
        unknown = EXCLUDE

    name = fields.String(required=True, validate=_check_name)
    access = fields.String(
        required=True,
        validate=validate.OneOf(ACCESSES, error="Choose one."),
        error_messages={"required": "Choose one."},
    )
    scopes = fields.List(
        fields.String(validate=validate.OneOf(SCOPES, error="Choose from the list.")),
        required=True,
        validate=validate.Length(min=1, error="Choose at least one."),
    )
    limit = fields.String(load_default=ALL, validate=validate.OneOf((ALL, CHOSEN)))
    source_ids = fields.List(fields.String(validate=lambda id_: check_id(id_, SOURCE_ID_LENGTH)))

    @validates_schema
    def check_sources(self, data: Values, **_: Any) -> None:
        if data["limit"] == CHOSEN and not data["source_ids"]:
            raise ValidationError("Choose at least one source.", "source_ids")


class NewKey(Rights):
    """What a member chooses for a new key. once: names the form, so that it issues one key."""

    once = fields.UUID(required=True)
    days = fields.Integer(required=True, validate=validate.OneOf(LIFETIMES, error="Choose one."))
    client = fields.String(
        required=True, validate=validate.OneOf(tuple(CLIENTS), error="Choose one.")
    )

    @validates_schema
    def check_client(self, data: Values, **_: Any) -> None:
        if not works_with(data["client"], data["access"]):
            raise ValidationError(
                f"{CLIENTS[data['client']].title} needs another access. Choose both, or another "
                "client.",
                "client",
            )


def sent() -> Values:
    """Return the fields of the form as they were sent."""
    form = request.form
    return {**form.to_dict(), **{name: form.getlist(name) for name in LISTS}}


def messages(error: ValidationError) -> dict[str, list[str]]:
    """Return what is wrong with each field."""
    return {
        # The messages about a list are nested by index.
        name: [*found] if isinstance(found, list) else [*chain.from_iterable(found.values())]
        for name, found in error.messages_dict.items()
    }


def as_values(key: Values) -> Values:
    """Return the fields of a form that shows the rights of a key."""
    return {
        "name": key["name"] or "",
        "access": key["access"],
        "scopes": key["scopes"],
        "limit": ALL if key["sources"] is None else CHOSEN,
        "source_ids": key["sources"] or [],
    }


def offered(rows: list[Values], chosen: list[str]) -> list[Values]:
    """Return the sources of a form: the chosen ones, and others up to MOST_SOURCES."""
    first = [row for row in rows if row["id"] in chosen]
    others = [row for row in rows if row["id"] not in chosen]
    shown = {row["id"] for row in (*first, *others[: max(0, MOST_SOURCES - len(first))])}
    return [row for row in rows if row["id"] in shown]
