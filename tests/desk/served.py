"""A page of the desk that is signed in, and checks of its pages."""

import os
from pathlib import Path
from typing import Any

from tests.page.browser import UNFOLD, Open, Visit
from tests.support import factories as make
from tests.support.deployment import Deployment


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
