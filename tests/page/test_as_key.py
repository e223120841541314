"""The page that runs as a key asks for no key, and requests nothing outside its path."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from orgctx.demo import identities
from tests.desk import running
from tests.desk.served import signed_in
from tests.page.browser import KEPT, UNFOLD, Open, Visit
from tests.page.walk import examples
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.service import Running

pytestmark = pytest.mark.system


@dataclass(frozen=True)
class Viewed:
    """A running desk, the member who signs in, and the secret of the key that is viewed."""

    deployment: Deployment
    origin: str
    member: tuple[object, object]  # the ids of the organization and of the user
    key: str

    def visit(self, opened: Open, **options: Any) -> Visit:
        seen = signed_in(opened, self.deployment, self.origin, *self.member, **options)
        newest = "SELECT id FROM api_keys ORDER BY created_at DESC LIMIT 1"
        ((key_id,),) = self.deployment.execute(newest)
        seen.base_url = f"{self.origin}/keys/{key_id}/see"
        seen.page.goto("about:blank")
        seen.requests.clear()
        return seen


@pytest.fixture(scope="module")
def harbor_view(harbor: Running, module_deployment: Deployment) -> Iterator[Viewed]:
    """The preview organization, as a key with all scopes."""
    statement = "UPDATE api_keys SET name = 'Research agent on the build server'"
    module_deployment.execute(statement)
    owner = (identities.ORGANIZATION_ID, identities.OWNER_ID)
    with running.desk(module_deployment) as (origin, _):
        yield Viewed(module_deployment, origin, owner, harbor.key)


@pytest.fixture(scope="module")
def acme_desk(acme: Deployment) -> Iterator[str]:
    with running.desk(acme) as (origin, _):
        yield origin


@pytest.fixture
def acme_view(acme: Deployment, acme_desk: str) -> Viewed:
    """Acme, as a key of MCP."""
    key = acme.issue_key(make.ACME, make.OWNER, access="mcp")
    return Viewed(acme, acme_desk, (make.ACME, make.OWNER), key)


def test_first_view_is_one_that_the_key_reads(
    opened: Open, acme: Deployment, acme_desk: str
) -> None:
    key = acme.issue_key(make.ACME, make.OWNER, ["x:read"])
    seen = Viewed(acme, acme_desk, (make.ACME, make.OWNER), key).visit(opened)
    seen.open()
    assert seen.page.inner_text(".view h1") == "People"
    assert not seen.page.locator(".trouble").count()
    assert seen.page.locator(".menu a").all_inner_texts() == ["People", "Mentions"]


def test_views_need_no_key(opened: Open, harbor_view: Viewed, axe: str) -> None:
    """No field for a key, no violation of axe's rules, nothing wider than the screen, no error."""
    seen = harbor_view.visit(opened)
    seen.open()
    addresses = list(examples(seen))
    assert len(addresses) > 9
    for address in ("", *addresses):
        seen.open(address)
        seen.page.evaluate(UNFOLD)
        seen.check(axe, address)
        assert not seen.page.locator("input[type=password], .strip, .quota").count(), address
        assert harbor_view.key not in seen.page.evaluate(KEPT), address
        assert "Research agent on the build server (octx_" in seen.page.inner_text(".viewed")
    assert {request.url.startswith(f"{seen.base_url}/") for request in seen.requests} == {True}
    assert not [request for request in seen.requests if "authorization" in request.headers]


def test_search_finds_records_and_opens_them(opened: Open, harbor_view: Viewed) -> None:
    seen = harbor_view.visit(opened)
    seen.open("#/explore/search?q=lamp")
    seen.page.wait_for_selector("mark")
    seen.page.locator('.view a[href^="#/explore/knowledge/"]').first.click()
    seen.settle()
    assert "/explore/knowledge/" in seen.page.url
    assert seen.page.inner_text(".view h1")
    seen.page.get_by_role("link", name="Back to the desk").click()
    seen.page.wait_for_url(f"{harbor_view.origin}/keys/*")


def test_areas_for_holders_of_the_key_are_closed(opened: Open, harbor_view: Viewed) -> None:
    """A key in the address is not used."""
    seen = harbor_view.visit(opened)
    for area in ("start", "connect", "reference", "toString"):
        seen.open(f"#/{area}")
        assert seen.page.inner_text("main h1") == "Page not found"
    seen.open(f"#/explore/people?key={harbor_view.key}")
    assert not [request for request in seen.requests if "authorization" in request.headers]


def test_key_of_tools_and_its_end(opened: Open, acme_view: Viewed) -> None:
    seen = acme_view.visit(opened)
    seen.open()
    assert "with MCP tools" in seen.page.inner_text(".viewed")
    assert not seen.page.locator(".trouble").count()
    key_id = seen.base_url.split("/")[-2]
    acme_view.deployment.cli("keys", "revoke", key_id, "--by", make.OWNER).done()
    seen.open("#/explore/people")
    assert "This key does not work" in seen.page.inner_text(".trouble")
    assert not seen.page.locator("main button").count()


def test_page_leads_to_the_sign_in_after_the_session(opened: Open, acme_view: Viewed) -> None:
    seen = acme_view.visit(opened)
    seen.open()
    who = ("--organization", make.ACME, "--for", make.OWNER)
    acme_view.deployment.cli("desk", "end", *who).done()
    seen.page.get_by_role("link", name="People").click()
    seen.page.wait_for_url(f"{acme_view.origin}/sign-in#**")
