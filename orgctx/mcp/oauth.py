"""Where clients look for OAuth after a key was rejected: say that a key is needed instead.

Some clients show the JSON to their user, others open /authorize in the user's browser.
"""

from html import escape
from typing import Any

from flask import Blueprint, Response
from werkzeug.routing import Rule

from orgctx.errors import NotFound
from orgctx.http import current

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
PAGE = f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>An API key is needed</title>
<h1>An API key is needed</h1>
<p>{escape(MESSAGE)}</p>
</html>
"""

routes = Blueprint("oauth", __name__)


@routes.record
def _route(state: Any) -> None:
    """Route every HTTP method to the view."""
    for path in PATHS:
        state.app.url_map.add(Rule(path, endpoint="oauth.reject"))


@routes.endpoint("oauth.reject")
def reject(_: str = "") -> Response:
    """Answer 404 with the message, as a page for browsers."""
    accepted = current.request().accept_mimetypes
    if accepted["text/html"] <= accepted["application/json"]:
        raise NotFound(MESSAGE)
    headers = {"Cache-Control": "no-store"}
    return Response(PAGE, 404, headers, content_type="text/html; charset=utf-8")
