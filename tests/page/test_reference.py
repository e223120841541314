"""The reference: each operation of the OpenAPI document has an address, and is tried there."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.page.browser import KEPT, Open
from tests.support.service import Running

pytestmark = pytest.mark.system

OPEN = ".operation[open]"


def operations(served: Running) -> dict[str, Any]:
    """The operations of the served OpenAPI document by id."""
    paths = served.get("/api/v1/openapi.json").body["paths"].values()
    return {each["operationId"]: each for path in paths for each in path.values()}


def test_each_operation_has_an_address(visit: Open, harbor: Running) -> None:
    """The address opens the operation, and an operation that is opened shows its address."""
    seen = visit(harbor)
    described = operations(harbor)
    assert len(described) > 12
    for name in described.keys() - {"get_openapi"}:
        seen.open(f"#/reference/{name}")
        seen.page.wait_for_selector(f"{OPEN}[id$=-{name}]")
    seen.page.goto("about:blank")
    seen.open("#/reference/read_person")
    seen.page.wait_for_selector(f"{OPEN}[id$=-read_person]")
    assert seen.page.locator(OPEN).count() == 1
    seen.page.locator("[id$=-list_people] > summary").press("Enter")
    assert seen.page.evaluate("location.hash") == "#/reference/list_people"
    links = seen.page.locator('nav[aria-label="Operations"] a')
    addresses = set(links.evaluate_all("links => links.map(link => link.hash)"))
    # The document itself is not part of the catalog.
    assert addresses == {f"#/reference/{name}" for name in described if name != "get_openapi"}


def test_operation_is_tried_with_the_held_key(visit: Open, harbor: Running, axe: str) -> None:
    """Fill in a parameter and execute, by keyboard. The viewer never gets the key."""
    seen = visit(harbor)
    seen.open("#/reference/search_context")
    block = seen.page.locator(".operation[id$=-search_context]")
    block.get_by_label("q", exact=True).fill("lamp")
    execute(block)
    block.locator("text=Send the API key in the header").wait_for()
    seen.page.get_by_label("API key").fill(harbor.key)
    seen.page.get_by_role("button", name="Use key").press("Enter")
    # Once connected, the page moves the focus to the view; before that it would take it away.
    seen.page.wait_for_selector("main:focus")
    execute(block)
    block.locator("text=Lamp lit. Two flashes").first.wait_for()
    # The strip also shows the request that checks the key, which may be answered first.
    expect(seen.page.locator(".strip .path")).to_contain_text("/api/v1/search?q=lamp")
    assert harbor.key not in seen.page.evaluate(KEPT)
    seen.open("#/reference/list_knowledge")
    seen.page.wait_for_selector(f"{OPEN}[id$=-list_knowledge] select")
    for example in seen.page.locator(f"{OPEN} details > summary").all():
        example.press("Enter")
    seen.check(axe)
    assert seen.hosts() == {f"127.0.0.1:{harbor.port}"}


def execute(block: Any) -> None:
    block.get_by_role("button", name="Execute").press("Enter")
