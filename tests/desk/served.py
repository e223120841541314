"""The desk in this process for a browser, and a page that is signed in."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from werkzeug.serving import make_server

from tests.desk.conftest import desk_of
from tests.page.browser import UNFOLD, Open, Visit
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.http_server import serving
from tests.support.processes import free_port


@contextmanager
def serve(deployment: Deployment) -> Iterator[str]:
    """Serve the desk while the block runs. Yields its address, for which cookies are secure."""
    port = free_port()
    url = f"http://localhost:{port}"
    with (
        desk_of(deployment, desk_url=url) as app,
        serving(make_server("localhost", port, app, threaded=True)),
    ):
        yield url


def signed_in(
    opened: Open,
    deployment: Deployment,
    url: str,
    organization: object = make.ACME,
    user_id: object = make.OWNER,
    **options: Any,
) -> Visit:
    """Open the desk with a link, by default as the owner of Acme. options: of the context."""
    who = ("--organization", organization, "--for", user_id, "--json")
    link = deployment.cli("desk", "invite", *who, ORGCTX_DESK_URL=url).json()["link"]
    visit = opened(url, **options)
    visit.page.goto(link)
    # A script sends the link, and the next page says whom it signs in.
    visit.page.get_by_role("button", name="Sign in").click()
    visit.page.wait_for_url(f"{url}/")
    return visit


def check_pages(visit: Visit, url: str, paths: dict[str, str], axe: str, dress: str) -> None:
    """Check each page by name, in one of DRESSES."""
    for name, path in paths.items():
        visit.page.goto(url + path)
        if dress == "right to left":
            visit.page.evaluate("document.dir = 'rtl'")
        visit.page.evaluate(UNFOLD)
        check(visit, axe, f"{name}-{dress}")
    assert visit.hosts() == {url.removeprefix("http://")}


def check(visit: Visit, axe: str, name: str) -> None:
    """Check a page. Takes its picture if ORGCTX_TEST_PICTURES names a folder, to look at."""
    if folder := os.environ.get("ORGCTX_TEST_PICTURES"):
        visit.page.screenshot(path=Path(folder) / f"{name.replace(' ', '-')}.png", full_page=True)
    visit.check(axe, name)
