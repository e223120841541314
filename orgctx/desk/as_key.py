"""See as a key: the explorer page with exactly what one key reads, without its secret.

The document names the key, so that the page asks for none. Its API is the service's own, in an
application whose gate takes the key from the path. This is not a use of the key: requests count for
the member, not for the key, and are not recorded as reads.
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from flask import Blueprint, request
from markupsafe import Markup
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from orgctx import rest
from orgctx.desk.current import desk, member, reading
from orgctx.gate.admission import Admission, Gate
from orgctx.http.current import OWN_POLICY
from orgctx.page import routes as page
from orgctx.page.files import INDEX, list_files
from orgctx.stores.db import Row

META = Markup(
    '  <meta name="orgctx-key" content="{}" data-access="{}" data-scopes="{}" data-desk="/keys/{}">'
    "\n  </head>"
)
# Without scripts, the page has no way back.
BACK = '<main class="plain"><p><a href="/keys/{}">Back to the key</a></p></main></noscript>'
# In the WSGI environment: the row of the key, and for whom its requests count.
LOOK = "orgctx.desk.look"

routes = Blueprint("as_key", __name__, url_prefix="/keys/<uuid:key_id>/see")


class KeyGate(Gate):
    """Admits the requests of a LOOK, and counts them for the member who looks."""

    def address(self, environ: Mapping[str, Any]) -> str:
        return str(environ[LOOK][1])

    def admit(
        self, admission: Admission, environ: Mapping[str, Any], *_: object, **__: object
    ) -> None:
        self.charge_address(admission, environ, "page")
        key, _ = environ[LOOK]
        admission.key_hash, admission.access = key["key_hash"], key["access"]
        self.identify(admission)


@routes.get("/", provide_automatic_options=False)
def get_document(key_id: UUID) -> Response:
    """The index of the page with a `meta` element about the key, as which it runs."""
    request.environ[OWN_POLICY] = page.POLICY
    key = _find(key_id)
    name = f"{key['name']} ({key['hint']}…)" if key["name"] else f"{key['hint']}…"
    meta = META.format(name, key["access"], " ".join(key["scopes"]), key_id).encode()
    body = list_files(desk().config.base_url)[INDEX].body.replace(b"</head>", meta, 1)
    body = body.replace(b"</noscript>", BACK.format(key_id).encode(), 1)
    return Response(body, mimetype="text/html")


@routes.get("/page/<path:_>", provide_automatic_options=False)
@routes.get(f"{rest.PREFIX}/<path:_>", provide_automatic_options=False)
def get(key_id: UUID, **_: object) -> Response:
    """A file of the page, the same for all keys, or what the API answers to the key."""
    counted = f"{member().organization_id}:{member().user_id}"
    environ = {**request.environ, LOOK: (_find(key_id), counted)}
    prefix, see, environ["PATH_INFO"] = environ["PATH_INFO"].partition("/see")
    environ["SCRIPT_NAME"] += prefix + see
    return Response.from_app(desk().api.wsgi_app, environ, buffered=True)


def _find(key_id: UUID) -> Row:
    with reading() as tenant:
        for key in tenant.run("desk/read_key_hash", id=key_id):
            return key
    raise NotFound("Your organization has no key with this id.")
