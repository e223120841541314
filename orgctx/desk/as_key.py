"""See as a key: the explorer page with exactly what one key reads, without its secret.

The document names the key, so that the page asks for none. Its API is the service's own, in an
application whose gate takes the key from the path and needs no secret. A look is not a use of the
key: it is counted for the member and not for the key, and it is not recorded as a read.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from html import escape
from typing import Any, Protocol
from uuid import UUID

from flask import Blueprint, Flask, request
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from orgctx import app, rest
from orgctx.config.settings import Config
from orgctx.gate.admission import Admission, Gate
from orgctx.http import current
from orgctx.http.current import OWN_POLICY
from orgctx.page import routes as page
from orgctx.page.files import INDEX, list_files
from orgctx.stores.db import Tenant

PATH = "/keys/<uuid:key_id>/see"
# Members of the WSGI environment that let the gate admit a request.
KEY, MEMBER = "orgctx.desk.key", "orgctx.desk.member"

Key = dict[str, Any]


class Member(Protocol):
    """An owner or admin who is signed in."""

    @property
    def organization_id(self) -> UUID: ...

    @property
    def user_id(self) -> UUID: ...


class KeyGate(Gate):
    """Admits requests for the key in KEY, and counts them for the member in MEMBER.

    It counts API requests like files of the page.
    """

    def __init__(self, *stores: Any) -> None:
        super().__init__(*stores)
        # A cached caller is admitted by its secret, which nobody sends here.
        self.caller_cache = None

    def charge_ip(self, admission: Admission, environ: Mapping[str, Any]) -> None:
        self.charge_page(admission, environ)

    def address(self, environ: Mapping[str, Any]) -> str:
        member: Member = environ[MEMBER]
        return f"{member.organization_id}:{member.user_id}"

    def authenticate(self, admission: Admission, *_: object) -> tuple[int, int]:
        key: Key = current.request().environ[KEY]
        return self.identify(admission, key["key_hash"], key["access"])

    def charge_key(self, *_: object, **__: object) -> None:
        pass


def create_api(config: Config) -> Flask:
    """Create the application for the API and the files of the page; only `routes` may call it."""
    api = app.create_api(replace(config, audit_reads=""), KeyGate)
    api.extensions["orgctx"].quota.scopes.is_marking = False
    api.register_blueprint(page.routes)
    return api


def routes(
    api: Flask,
    member: Callable[[], Member],
    reading: Callable[[], AbstractContextManager[Tenant]],
    *,
    desk: str = "/keys",
) -> Blueprint:
    """Return the routes below PATH. The application must let only members reach them.

    Args:
        api: from `create_api`.
        member: returns who is signed in; other organizations' keys are not found.
        reading: opens a transaction of the member's organization that may read api_keys.
        desk: the path of the keys; the page links back to its key below it.
    """
    blueprint = Blueprint("as_key", __name__, url_prefix=PATH)

    def find(key_id: UUID) -> Key:
        with reading() as tenant:
            rows = tenant.run("desk/read_key_hash", id=key_id)
        if not rows:
            raise NotFound("Your organization has no key with this id.")
        return rows[0]

    def forward(**members: Any) -> Response:
        environ = request.environ | {MEMBER: member()} | members
        prefix, see, environ["PATH_INFO"] = environ["PATH_INFO"].partition("/see")
        environ["SCRIPT_NAME"] += prefix + see
        return Response.from_app(api.wsgi_app, environ, buffered=True)

    @blueprint.before_request
    def set_policy() -> None:
        request.environ[OWN_POLICY] = page.POLICY

    @blueprint.get("/", provide_automatic_options=False)
    def get_document(key_id: UUID) -> Response:
        """The page, which runs as the key."""
        body = document(find(key_id), api.extensions["orgctx"].config.base_url, f"{desk}/{key_id}")
        return Response(body, mimetype="text/html", headers={"Cache-Control": "no-store"})

    @blueprint.get("/page/<path:name>", provide_automatic_options=False)
    def get_file(**_: object) -> Response:
        """A file of the page, the same for all keys."""
        return forward()

    @blueprint.get(f"{rest.PREFIX}/<path:path>", provide_automatic_options=False)
    def get_data(key_id: UUID, **_: object) -> Response:
        """What the API answers to the key."""
        return forward(**{KEY: find(key_id)})

    return blueprint


def document(key: Key, base_url: str, desk: str) -> bytes:
    """Return the index of the page with a `meta` element about the key."""
    name = f"{key['name']} ({key['hint']}…)" if key["name"] else f"{key['hint']}…"
    members = {"content": name, "data-access": key["access"], "data-desk": desk}
    attributes = " ".join(f'{member}="{escape(value)}"' for member, value in members.items())
    meta = f'<meta name="orgctx-key" {attributes}>'
    return list_files(base_url)[INDEX].body.replace(b"</head>", f"  {meta}\n  </head>".encode(), 1)
