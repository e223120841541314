"""The page of an organization whose name is not approved."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.mcp.served import serve
from tests.page.browser import Visit
from tests.support import factories as make
from tests.support.deployment import Deployment

pytestmark = pytest.mark.system


def test_page_says_what_shows_the_name(chromium: Browser, own_acme: Deployment) -> None:
    withdraw = ("sources", "withdraw", "--organization", make.ACME, "--by", make.OWNER)
    key = own_acme.issue_key(make.ACME, make.OWNER)
    text = "Its name is in the profile source, which this key does not read."
    with serve(own_acme, key) as served:
        for is_named in (True, False):
            visit = Visit(chromium, f"http://127.0.0.1:{served.port}")
            visit.open()
            visit.enter(key)
            visit.page.get_by_role("heading", level=1).wait_for()
            assert visit.page.get_by_text(text).count() == (0 if is_named else 1)
            visit.close()
            assert own_acme.cli(*withdraw, make.KIND_SOURCES["profile"]).exit_code == 0
