"""The files of the desk: its own, and the style of the service's page.

Each name contains a hash of the content, so that browsers may keep a file.
"""

from functools import cache
from hashlib import sha256
from importlib.resources import files

from flask import Blueprint, Response, url_for
from werkzeug.exceptions import NotFound

from orgctx.desk.guard import public
from orgctx.page.files import CONTENT_TYPES, File, read_bundle
from orgctx.page.routes import IMMUTABLE

routes = Blueprint("page_files", __name__)


@routes.get("/files/<name>")
@public
def get_file(name: str) -> Response:
    """One file."""
    file = _files().get(name)
    if file is None:
        raise NotFound(f"The desk has no file {name[:100]}.")
    return Response(file.body, content_type=file.content_type, headers={"Cache-Control": IMMUTABLE})


def address(name: str) -> str:
    """Return the address of a file of `static`, or of the page's `style.css`."""
    return url_for("page_files.get_file", name=_names()[name])


@cache
def _names() -> dict[str, str]:
    """Return the name of each file with its hash, by the name without it."""
    return {f"{name.rpartition('-')[0]}.{name.rpartition('.')[2]}": name for name in _files()}


@cache
def _files() -> dict[str, File]:
    desk_files = [
        File(f"{path.name.partition('.')[0]}-{_hash(body)}.{path.name.rpartition('.')[2]}", body)
        for path in files("orgctx.desk").joinpath("static").iterdir()
        if path.name.rpartition(".")[2] in CONTENT_TYPES
        for body in [path.read_bytes()]
    ]
    shared = [file for name, file in read_bundle().items() if name.startswith(("style-", "icon"))]
    return {file.name: file for file in (*desk_files, *shared)}


def _hash(body: bytes) -> str:
    return sha256(body).hexdigest()[:8]
