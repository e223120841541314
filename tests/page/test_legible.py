"""Whole words, known values, fields that a phone does not zoom, and no focus out of sight."""

from typing import Any

import pytest

from tests.page.browser import DESK, PHONE, Open
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


def test_phone_breaks_no_words_zooms_no_fields_and_has_no_tiny_text(
    explore: Open, harbor: Running
) -> None:
    phone = explore(harbor, "#/explore", viewport=PHONE, has_touch=True)
    for address in list(examples(phone)):
        phone.open(address)
        assert phone.page.evaluate(BROKEN) == [], address
        assert min(phone.page.evaluate(FONTS), default=99) >= SMALLEST_FIELD, address
        size, element = min(phone.page.evaluate(TEXTS))
        assert size >= SMALLEST_TEXT, (address, element)


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("is_open", [False, True], ids=["closed", "open"])
def test_bar_and_strip_hide_no_focus(
    explore: Open, harbor: Running, viewport: Any, is_open: bool
) -> None:
    seen = explore(harbor, "#/explore", viewport=viewport)
    for view in ("search", "knowledge", "people", "chats"):
        seen.open(f"#/explore/{view}")
        seen.page.wait_for_selector(".view a")
        if is_open:
            seen.page.locator(".strip summary").click()
        seen.page.evaluate("scrollTo(0, 0); document.querySelector('.views a').focus()")
        for key in 30 * ["Tab"] + 30 * ["Shift+Tab"]:
            seen.page.keyboard.press(key)
            assert seen.page.evaluate(HIDDEN) is None, (view, key)


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
