"""GET / and its files: no key, no data, a limit of their own by IP address.

Unknown query parameters are ignored, because chat programs and mailers append some to links.
"""

from flask import Blueprint, Response, current_app, g, request

from orgctx.errors import NotFound
from orgctx.gate.admission import check_no_body
from orgctx.http.current import OWN_POLICY, compressed
from orgctx.page.files import INDEX, list_files

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


def _serve(name: str) -> Response:
    """Count the request for its address; return the file, or 304 if the client already has it."""
    service = current_app.extensions["orgctx"]
    check_no_body(request.environ)
    service.gate.charge_address(g.admission, request.environ, "page")
    file = list_files(service.config.base_url).get(name)
    if file is None:
        raise NotFound(f"The page has no file {name[:100]}.")
    request.environ[OWN_POLICY] = POLICY
    headers = {"Cache-Control": IMMUTABLE if file.is_immutable else REVALIDATED}
    return compressed(file.body, file.gzipped, file.etag, file.content_type, headers)
