"""The page loads little, a reload nothing but the document, and its bundle is what npm builds."""

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from tests.page.browser import Open, Visit, install
from tests.support.deployment import Deployment
from tests.support.service import Running

pytestmark = pytest.mark.system
ROOT = Path(__file__).parents[2]
MOST_REQUESTS, MOST_BYTES = 12, 100 * 1024
COUNTER = "orgctx:quota:page:127.0.0.1"


def test_bundle_is_what_the_sources_give(tmp_path: Path) -> None:
    folder = ROOT / "deploy/page"
    install(folder)
    subprocess.run(["node", "build.js", str(tmp_path)], cwd=folder, check=True)
    committed = ROOT / "orgctx/page/bundle"
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {path.name for path in committed.iterdir()}, "run `make page`"
    for name in names:
        assert (tmp_path / name).read_bytes() == (committed / name).read_bytes(), "run `make page`"


@contextmanager
def transfers(seen: Visit) -> Iterator[dict[str, float]]:
    """The bytes that came over the network, by request, while the block runs."""
    session, sizes = seen.context.new_cdp_session(seen.page), dict[str, float]()
    cached = set()
    session.on("Network.requestServedFromCache", lambda event: cached.add(event["requestId"]))

    def respond(event: Any) -> None:
        if not event["response"].get("fromDiskCache") and event["requestId"] not in cached:
            sizes[event["requestId"]] = 0

    def finish(event: Any) -> None:
        if event["requestId"] in sizes:
            sizes[event["requestId"]] = event["encodedDataLength"]

    session.on("Network.responseReceived", respond)
    session.on("Network.loadingFinished", finish)
    session.send("Network.enable")
    yield sizes
    session.detach()


@pytest.mark.parametrize("address", ["", "#/connect", "#/reference", "#/explore/search?q=lamp"])
def test_first_view_is_small_and_a_reload_loads_only_the_document(
    visit: Open, harbor: Running, address: str
) -> None:
    """A reload of the reference also asks whether the OpenAPI document has changed."""
    seen = visit(harbor)
    with transfers(seen) as first:
        seen.open(address)
        seen.page.wait_for_load_state("networkidle")
    assert 3 < len(first) < MOST_REQUESTS
    assert 10_000 < sum(first.values()) < MOST_BYTES
    with transfers(seen) as again:
        seen.page.reload()
        seen.settle()
        seen.page.wait_for_load_state("networkidle")
    assert len(again) == 1 + (address == "#/reference")


def test_readiness_is_shown_on_request(visit: Open, harbor: Running) -> None:
    seen = visit(harbor)
    seen.open()
    seen.page.get_by_role("button", name="Is the service ready?").click()
    seen.page.locator(".readiness", has_text="Ready").wait_for()


def test_typing_fetches_no_file(
    explore: Open, harbor: Running, module_deployment: Deployment
) -> None:
    """Each letter changes the address, for which Chromium asks for the icon again. The counter of
    the page counts what the browser tells nobody."""
    seen = explore(harbor, "#/explore/search")
    redis = Redis.from_url(module_deployment.redis_url)
    box = seen.page.get_by_label("Search all sources")
    # What the first search fetches is not of each letter.
    for term in ("harbor", "lamp"):
        counted = redis.get(COUNTER)
        box.fill("")
        box.press_sequentially(term, delay=20)
        seen.page.locator("mark", has_text=re.compile(f"^{term}$", re.IGNORECASE)).first.wait_for()
        seen.page.wait_for_load_state("networkidle")
    assert counted
    assert redis.get(COUNTER) in (counted, None)
    redis.close()


def test_page_ignores_parameters_that_it_does_not_know(visit: Open, harbor: Running) -> None:
    seen = visit(harbor)
    seen.page.goto(f"{seen.base_url}/?fbclid=x#/explore/people?q=mira&fbclid=x")
    seen.enter(harbor.key)
    seen.page.wait_for_selector(".people mark")
