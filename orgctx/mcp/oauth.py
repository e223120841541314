"""Where clients look for OAuth after a key was rejected: say that a key is needed instead.

Some clients show the message to their user, others open /authorize in the user's browser.
"""

from typing import Any, NoReturn

from flask import Blueprint
from werkzeug.routing import Rule

from orgctx.errors import NotFound

PATHS = (
    "/.well-known",
    "/.well-known/<path:_>",
    "/api/mcp/.well-known/<path:_>",
    *(f"/{endpoint}" for endpoint in ("authorize", "token", "register")),
)
MESSAGE = (
    "There is no OAuth and no sign-in here: an owner or admin of the organization issues an API "
    "key with MCP access, by `orgctx keys issue` or in the desk, and the client sends it in the "
    "header `Authorization: Bearer <API_KEY>`."
)

routes = Blueprint("oauth", __name__)


@routes.record
def _route(state: Any) -> None:
    """Route every HTTP method to the view."""
    for path in PATHS:
        state.app.url_map.add(Rule(path, endpoint="oauth.reject"))


@routes.endpoint("oauth.reject")
def reject(_: str = "") -> NoReturn:
    """Answer 404 with the message."""
    raise NotFound(MESSAGE)
