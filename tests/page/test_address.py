"""Without a base URL, the page shows the address in the browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from orgctx.clients import EXAMPLE
from tests.page.browser import Visit
from tests.support import service
from tests.support.deployment import Deployment
from tests.support.processes import free_port

pytestmark = pytest.mark.system


def test_configurations_contain_the_address_in_the_browser(
    chromium: Browser, deployment: Deployment
) -> None:
    port = free_port()
    settings = {"port": port, "bind": f"127.0.0.1:{port}", "base_url": ""}
    with service.serve(deployment, workers=1, **settings):
        seen = Visit(chromium, f"http://localhost:{port}")
        seen.open("#/connect/curl")
        text = seen.page.locator("main").inner_text()
        seen.close()
    assert text.count(f"http://localhost:{port}/api/mcp") == 2
    assert "127.0.0.1" not in text
    assert EXAMPLE not in text
