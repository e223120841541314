"""GET /, its files and security.txt: no key, no data, a limit of their own by IP address.

Unknown query parameters are ignored, because chat programs and mailers append some to links.
"""

from typing import Any

from flask import Blueprint, Response, current_app, g, request

from orgctx.errors import NotFound
from orgctx.gate.admission import check_no_body
from orgctx.http.current import OWN_POLICY, compressed
from orgctx.page.files import INDEX, SECURITY_PATH, File, list_files, security_txt

# The page loads only its own files, and calls this API.
POLICY = "; ".join(
    (
        "default-src 'none'",
        *(f"{kind}-src 'self'" for kind in ("script", "style", "img", "connect")),
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
REVALIDATED = "public, no-cache"
IMMUTABLE = "public, max-age=31536000, immutable"

routes = Blueprint("page", __name__)


@routes.get("/", provide_automatic_options=False)
def get_page() -> Response:
    """The page itself."""
    return _serve(INDEX)


@routes.get("/page/<path:name>", provide_automatic_options=False)
def get_page_file(name: str) -> Response:
    """One of its files."""
    return _serve(name)


@routes.get(SECURITY_PATH, provide_automatic_options=False)
def get_security_txt() -> Response:
    """Whom to tell about a weakness, if the operator has set it."""
    config = _admit().config
    if not config.security_contact:
        raise NotFound("The operator of this service has published no security contact.")
    contact, expires_at = config.security_contact, config.security_expires_at
    return _respond(security_txt(contact, expires_at, config.base_url))


def _admit() -> Any:
    """Count the request for its address, and return the service."""
    service = current_app.extensions["orgctx"]
    check_no_body(request.environ)
    service.gate.charge_page(g.admission, request.environ)
    return service


def _serve(name: str) -> Response:
    """Return the file, or 304 if the client already has it."""
    service = _admit()
    file = list_files(service.config.base_url).get(name)
    if file is None:
        raise NotFound(f"The page has no file {name[:100]}.")
    return _respond(file)


def _respond(file: File) -> Response:
    request.environ[OWN_POLICY] = POLICY
    headers = {"Cache-Control": IMMUTABLE if file.is_immutable else REVALIDATED}
    return compressed(file.body, file.gzipped, file.etag, file.content_type, headers)
