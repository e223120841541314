"""Issue a key, and show a secret once.

The secret is only in the answer to the form: it is never in an address, a session, a log or a
table. The id of the key is derived from an id in the form, so that a browser that sends the form
again does not issue a second key.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4, uuid5

from flask import make_response, render_template
from flask.typing import ResponseReturnValue
from marshmallow import ValidationError

from orgctx.clients import CLIENTS, configuration, install_link
from orgctx.config.settings import DEFAULT_BASE_URL
from orgctx.decisions import keys
from orgctx.desk.current import desk, member
from orgctx.desk.database import deciding
from orgctx.desk.keys import reach
from orgctx.desk.keys.fields import ALL, CHOSEN, NewKey, Values, messages, offered, sent
from orgctx.desk.keys.routes import routes
from orgctx.desk.keys.usage import mark_unused

FIRST_VALUES = {"access": "both", "limit": ALL, "days": "30", "client": next(iter(CLIENTS))}


@routes.get("/issue")
def show_issue() -> str:
    """Show the form to issue a key."""
    return _form(FIRST_VALUES, {})


@routes.post("/issue")
def issue() -> ResponseReturnValue:
    """Issue a key, and show its secret."""
    try:
        values: Values = NewKey().load(sent())
    except ValidationError as error:
        return _form(sent(), messages(error)), 400
    with deciding("keys issue") as decision:
        key = keys.issue(
            decision,
            name=values["name"],
            access=values["access"],
            scopes=values["scopes"],
            days=values["days"],
            source_ids=values["source_ids"] if values["limit"] == CHOSEN else None,
            key_id=id_of(values["once"]),
        )
        unreadable = keys.unreadable(decision, key)
        # If Redis is not available, no key is issued.
        mark_unused(key["id"])
        return show_secret(key, values["client"], unreadable=unreadable)


def id_of(form: UUID) -> UUID:
    """Derive the id of a form's key, so that no form can name a key of another organization."""
    return uuid5(member().organization_id, str(form))


def show_secret(key: keys.Key, client: str, **shown: Any) -> ResponseReturnValue:
    """Return the page with the secret of a new key, and the configuration of a client.

    Call it before the transaction ends, so that a key is stored only if its secret can be shown.

    Args:
        client: a key of CLIENTS; empty for none.
        shown: other variables of the template.
    """
    if client:
        base_url = desk().config.base_url or DEFAULT_BASE_URL
        shown["client"] = CLIENTS[client]
        shown["configuration"] = configuration(client, base_url)
        shown["install_link"] = install_link(client, base_url)
    return make_response(render_template("keys/secret.html", key=key, **shown))


def _form(values: Values, errors: dict[str, Any]) -> str:
    scopes, sources = reach.choices()
    return render_template(
        "keys/issue.html",
        values=values,
        errors=errors,
        scopes=scopes,
        accesses=keys.ACCESSES,
        sources=offered(sources, values.get("source_ids", [])),
        source_count=len(sources),
        lifetimes=keys.LIFETIMES,
        clients=CLIENTS,
        once=uuid4(),
    )
