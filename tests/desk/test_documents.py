"""Documents at the desk: find, read, suppress and restore them."""

import re
from html import escape

import pytest

from tests.desk.conftest import Browser, SignIn
from tests.support import factories as make
from tests.support.deployment import Deployment

NAME = "A plan"
ID = make.knowledge_id(NAME)
PATH = f"/documents/{ID}"
HOSTILE = "<script>alert(1)</script> \u202eevil\u202c \U000e0041"


@pytest.fixture(scope="module", autouse=True)
def loaded(acme: Deployment) -> None:
    """An archived document of two segments, and more than a page."""
    content = f"First words.\n{HOSTILE}\n" + "😀" * 15_000 + "the last word"
    acme.load([
        make.knowledge(NAME, title="Plan \u202ex", content=content, archived=True),
        *(make.knowledge(f"harbor {number}", content="harbor") for number in range(51)),
    ])  # fmt: skip


def test_documents_are_found_by_their_text(reader: Browser) -> None:
    """Text is literal, in the title or the content, also across lines."""
    for query, is_found in (
        ("q=the+last+WORD", True), ("q=pLAN", True), ("q=words.+<script>", True), ("q=rs", True),
        ("q=nothing+like+it", False), ("source=docs:handbook&q=plan", True),
        ("source=notes:team", False), ("suppressed=on", False),
        # An unknown source is ignored.
        ("source=docs:nowhere&q=plan", True), ("source=%00&q=plan", True),
    ):  # fmt: skip
        assert (PATH in reader.text(f"/documents?{query}")) == is_found, query
    pages = [reader.text(f"/documents?q=harbor&page={page}") for page in (1, 2)]
    assert [page.count('href="/documents/docs:') for page in pages] == [50, 1]


def test_text_is_read_in_segments_and_at_a_place(reader: Browser) -> None:
    first = reader.text(PATH)
    assert "the last word" not in first
    (start,) = re.findall(rf"{PATH}\?from=(\d+)", first)
    last = reader.text(f"{PATH}?from={start}")
    assert "the last word" in last
    assert first.count("😀") + last.count("😀") == 15_000
    place = reader.text(f"{PATH}?offset=6")
    assert place.index("First ") < place.index('id="place"') < place.index("words.")


def test_document_of_another_text_is_not_suppressed(own_acme: Deployment, sign_in: SignIn) -> None:
    browser, path = sign_in(), f"/documents/{make.knowledge_id()}"
    browser.get(path)
    own_acme.load([make.knowledge(1, content="Other words")])
    assert browser.send(path, browser.fields | {"decision": "suppress"}).status_code == 409
    assert browser.decide(path, decision="suppress").status_code == 303
    assert path in browser.text("/documents?suppressed=on")


# It ends shortly before the next secret.
LONGER = "\n".join((
    "-----BEGIN PRIVATE" + " KEY-----", *["MHcCAQEE" * 8] * 50, "Q0FERUVG",
    "-----END PRIVATE KEY-----",
))  # fmt: skip


def test_waiting_documents_are_released_and_suppressed(
    own_acme: Deployment, sign_in: SignIn
) -> None:
    names = ["one", "two", "three"]
    own_acme.load([
        make.knowledge(name, title=f"Keys {name}", content=f"{LONGER} Key {name}: {make.AWS}.")
        for name in names
    ])  # fmt: skip
    browser, ids = sign_in(), [make.knowledge_id(name) for name in names]
    assert "3 waiting" in browser.text("/")
    path = "/documents?held=on&source=docs:handbook"
    page = browser.text(path)
    assert page.count("secret: AWS Access Key") == 3
    assert "Key one: AKIA****" in page
    assert not [part for part in (make.AWS, "MHcC", "Q0FE") if part in page]
    form = "/documents?source=docs:handbook&held=on"
    assert f'action="{escape(form)}"' in page
    response = browser.decide(path, form, decision="suppress", document=ids[2:])
    assert response.location.startswith(form)
    # What would release a secret asks.
    for decision in ("restore", "release"):
        question = browser.decide(path, form, decision=decision, document=ids[:2]).text
        assert [f"Keys {name}</a>" in question for name in names] == [True, True, False]
        assert question.count("secret: AWS Access Key") == 2
        assert make.AWS not in question
    assert browser.send(form, browser.fields | {"confirmed": "yes"}).location.startswith(form)
    hidden = own_acme.execute("SELECT knowledge_id, reason FROM knowledge_suppressions ORDER BY 2")
    assert hidden == [(ids[2], "secret"), (ids[2], "suppressed")]
    page = f"/documents/{ids[2]}"
    assert "Hold new documents of this source" in browser.text(page)
    assert "It then waits for a release." in browser.text(page)
    assert 'value="release"' not in browser.text(page)
    restored = browser.decide(page, decision="restore").location
    assert "You restored Keys three (still waits for a release)." in browser.text(restored)
    assert "Keys three" in browser.decide(page, decision="release").text
    assert browser.decide(page, decision="suppress").status_code == 303
    held = browser.decide(page, "/source/decide", decision="new-documents held")
    assert held.status_code == 303
    own_acme.load([make.knowledge("late", content="Late.")])
    assert "Late." in browser.text("/documents?held=on")
