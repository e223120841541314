"""A page of the desk that is signed in."""

from typing import Any

from tests.page.browser import Open, Visit
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
