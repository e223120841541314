"""Accessible views, whole words, known values, and no focus out of sight, also on a phone."""

from itertools import product

import pytest

from tests.page.browser import KEPT, UNFOLD, Open
from tests.page.walk import examples
from tests.support import factories as make
from tests.support.deployment import Deployment
from tests.support.service import Running, serve

pytestmark = pytest.mark.system

SMALLEST_FIELD, SMALLEST_TEXT = 16, 12
# Words of tables whose letters are on several lines.
BROKEN = r"""() => {
    const broken = [];
    for (const cell of document.querySelectorAll("th, td")) {
        const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
            for (const word of walker.currentNode.data.matchAll(/[\p{L}\d]{2,20}/gu)) {
                const range = document.createRange();
                range.setStart(walker.currentNode, word.index);
                range.setEnd(walker.currentNode, word.index + word[0].length);
                const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
                if (new Set(tops).size > 1) broken.push(word[0]);
            }
        }
    }
    return broken;
}"""
FONTS = """() => [...document.querySelectorAll("input:not([type=checkbox]), select, textarea")]
    .map((field) => parseFloat(getComputedStyle(field).fontSize))"""
TEXTS = """() => [...document.querySelectorAll("body *")]
    .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
    .map((one) => [parseFloat(getComputedStyle(one).fontSize), one.outerHTML.slice(0, 80)])"""
# The element that has the focus behind the bar or the request strip; null if it is in sight. The
# end of a high one may be behind the strip.
HIDDEN = """() => {
    const stop = document.activeElement;
    if (stop === document.body || stop.closest(".bar, .strip, .skip")) return null;
    const place = (name) => document.querySelector(name).getBoundingClientRect();
    const { top, bottom } = stop.getBoundingClientRect();
    const [first, last] = [Math.max(0, place(".bar").bottom), place(".strip details").top];
    const isHigh = bottom - top > (last - first) / 2;
    const isSeen = top >= first - 1 && (isHigh ? top < last - 20 : bottom <= last + 1);
    return isSeen ? null : stop.outerHTML.slice(0, 80);
}"""


def test_views_are_accessible_and_legible_and_keep_the_key_private(
    visit: Open, harbor: Running, axe: str
) -> None:
    """No violation of axe's rules, nothing wider than the screen, no other host, no error. The
    key is in no address, store, log or attribute, and a reload forgets it. A phone breaks no
    words, zooms no fields and has no tiny text."""
    seen = visit(harbor)
    seen.open()
    seen.check(axe)
    seen.enter(harbor.key)
    addresses = list(examples(seen))
    assert len(addresses) > 12
    for address in addresses:
        seen.open(address)
        if address == "#/reference":
            seen.page.locator(".operation > summary").first.click()
            seen.page.wait_for_selector(".operation[open] .facts")
        seen.page.evaluate(UNFOLD)
        seen.check(axe, address)
        seen.dress("phone")
        assert seen.page.evaluate(BROKEN) == [], address
        assert min(seen.page.evaluate(FONTS), default=99) >= SMALLEST_FIELD, address
        size, element = min(seen.page.evaluate(TEXTS))
        assert size >= SMALLEST_TEXT, (address, element)
        seen.dress("light")
        assert harbor.key not in seen.page.evaluate(KEPT), address
        assert not seen.errors, address
    assert seen.hosts() == {f"127.0.0.1:{harbor.port}"}
    assert not [request.url for request in seen.requests if harbor.key in request.url]
    with_key = [request for request in seen.requests if harbor.key in str(request.headers)]
    assert {request.url.split("/")[3] for request in with_key} == {"api"}
    assert not [line for line in seen.console if harbor.key in line]
    seen.page.reload()
    assert seen.page.get_by_label("API key").count() <= 1
    assert not seen.page.locator(".who button").count()


def test_bar_and_strip_hide_no_focus(explore: Open, harbor: Running) -> None:
    seen = explore(harbor, "#/explore")
    for view in ("search", "knowledge", "people", "chats"):
        seen.open(f"#/explore/{view}")
        seen.page.wait_for_selector(".view a")
        for dress, is_open in product(("phone", "light"), (False, True)):
            seen.dress(dress)
            seen.page.locator(".strip details").evaluate(f"one => {{ one.open = {is_open:d} }}")
            seen.page.evaluate("scrollTo(0, 0); document.querySelector('.views a').focus()")
            for key in 30 * ["Tab"] + 30 * ["Shift+Tab"]:
                seen.page.keyboard.press(key)
                assert seen.page.evaluate(HIDDEN) is None, (view, dress, is_open, key)


def test_unknown_values_are_not_zero(explore: Open, deployment: Deployment) -> None:
    """Members and views that nobody counted are stored as 0. A small price is not 0 either."""
    uncounted = dict.fromkeys(("likes", "reposts", "replies", "quotes", "views"), 0)
    fees = make.token()["data"]["latestFees"] | {"priceUsd": 0.00000042}
    deployment.load_acme(
        *map(make.source, ("telegram", "x", "token")), make.chat(memberCount=0),
        make.token(latestFees=fees), make.mention(1, metrics=uncounted | {"likes": 3}),
        make.mention(2, metrics=uncounted),
    )  # fmt: skip
    with serve(deployment, deployment.issue_key(make.ACME, make.OWNER)) as served:
        seen = explore(served, "#/explore/mentions")
        posts = seen.page.locator(".posts > li")
        texts = {text.split()[-1]: text.split() for text in posts.all_inner_texts()}
        assert [texts[id_].count("unknown") for id_ in ("1", "2")] == [1, 5]
        assert texts["1"].count("0") == 3
        seen.open("#/explore/chats")
        assert "members\nunknown" in seen.page.inner_text(".figures")
        seen.open("#/explore/token")
        assert "0.00000042" in seen.page.inner_text(".figures")
