"""The list of sources, the page of one, and what a member decides about them."""

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from orgctx.decisions.sources import DECISIONS
from orgctx.desk.forms import PAGE_SIZE
from tests.desk.conftest import Browser, SignIn
from tests.support import factories as make
from tests.support.deployment import Deployment

HIDDEN_FIELD = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')
ROOT = Path(__file__).parents[2]


def fields(response: TestResponse) -> dict[str, Any]:
    """The hidden fields of a page; those that repeat have a list of their different values."""
    values: dict[str, list[str]] = {}
    for name, value in HIDDEN_FIELD.findall(response.text):
        values.setdefault(unescape(name), []).append(unescape(value))
    unique = {name: [*dict.fromkeys(listed)] for name, listed in values.items()}
    return {name: value if len(value) > 1 else value[0] for name, value in unique.items()}


def listed(response: TestResponse) -> list[str]:
    """The ids of the sources that a page lists."""
    return [unescape(id_) for id_ in re.findall(r'name="source" value="([^"]+)"', response.text)]


def decide(browser: Browser, name: str, *ids: str, **more: str) -> TestResponse:
    """Load the list, choose sources, and press a button."""
    shown = fields(browser.get("/"))
    return browser.post("/source/decide", decision=name, source=[*ids], **shown | more)


def state_of(deployment: Deployment, id_: str) -> tuple[bool, bool]:
    """Whether a source is approved, and whether it is included."""
    ((external, included),) = deployment.execute(
        "SELECT external, included FROM sources WHERE organization_id = %s AND id = %s",
        (make.ACME, id_),
    )
    return external, included


def test_list_shows_status_freshness_counts_and_decisions(
    own_acme: Deployment, sign_in: SignIn
) -> None:
    own_acme.execute(
        "UPDATE sources SET external = false, updated_at = '2026-01-02T03:04:00Z', "
        "stale_after_seconds = 7200 WHERE id = 'docs:handbook'"
    )
    page = sign_in().get("/?kind=docs")
    row = " ".join(page.text[page.text.index("<tbody>") :].split())
    assert listed(page) == ["docs:handbook"]
    for text in (
        "Acme docs", ">2026-01-02 03:04 UTC<", "stale after 2 hours", "1 record<", "not approved",
        ">included<", 'class="status tone-stale"', 'd="M8 2.5 14 13H2Z"',
    ):  # fmt: skip
        assert text in row


def test_status_has_the_shapes_of_the_explorer_page() -> None:
    shape = re.compile(r"<((?:circle|path) [^>]+?) ?/>")
    component = (ROOT / "orgctx/page/static/components.js").read_text()
    template = (ROOT / "orgctx/desk/templates/parts.html").read_text()
    assert set(shape.findall(template)) == set(shape.findall(component))


def test_list_has_filters_and_bounded_pages(own_acme: Deployment, sign_in: SignIn) -> None:
    own_acme.execute(
        "INSERT INTO sources (organization_id, id, kind, label, description, status) "
        "SELECT organization_id, format('docs:%%s', n), 'docs', format('Folder %%s', n), '', "
        "'current' FROM sources, generate_series(1000, 2999) AS n WHERE id = 'docs:handbook' "
        "AND organization_id = %s",
        (make.ACME,),
    )
    browser = sign_in()
    pages = [browser.get(f"/?kind=docs&page={page}") for page in (1, 80, 81, 999)]
    assert [len(listed(page)) for page in pages] == [PAGE_SIZE, PAGE_SIZE, 1, 1]
    assert "Page 81 of 81" in pages[-1].text
    assert "2,001 sources of 2,0" in pages[0].text
    assert len(pages[0].data) < 100_000
    assert listed(browser.get("/?term=FOLDER+1042")) == ["docs:1042"]
    assert "docs:1042" not in listed(browser.get("/?state=readable"))
    assert listed(browser.get("/?state=excluded")) == []
    assert len(listed(browser.get("/?state=not+approved&page=2"))) == PAGE_SIZE
    # Values that do not exist filter nothing.
    assert len(listed(browser.get("/?kind=%00&state=x&page=-1"))) == PAGE_SIZE


@pytest.mark.parametrize(
    ("name", "expected"), [("withdraw", (False, True)), ("exclude", (True, False))]
)
def test_several_sources_are_closed_after_a_look_and_opened_by_undo(
    own_acme: Deployment, sign_in: SignIn, name: str, expected: tuple[bool, bool]
) -> None:
    own_acme.issue_key("acme", make.OWNER)
    browser = sign_in()

    def states() -> list[tuple[bool, bool]]:
        return [state_of(own_acme, id_) for id_ in ("docs:handbook", "notes:team", "x:main")]

    page = browser.get(decide(browser, name, "docs:handbook", "notes:team").location)
    assert states() == [(True, True)] * 3
    assert f"loses 2 sources and still reads {len(make.KIND_SOURCES) - 2} sources" in page.text
    done = browser.get(browser.post("/source/preview", **fields(page)).location)
    verb = "withdrew" if name == "withdraw" else "excluded"
    assert f"You {verb} Acme docs and Acme notes from 1 key." in done.text
    assert states() == [expected, expected, (True, True)]
    (address,) = re.findall(r'action="(/audit/\d+/undo)"', done.text)
    record = own_acme.cli("audit", "--json").json()[-1]
    assert (record["command"], record["authentication"]) == (f"sources {name}", "link")
    assert record["decidedBy"] == make.OWNER
    undone = browser.get(browser.post(address).location).text
    assert states() == [(True, True)] * 3
    assert f"to undo no. {record['sequence']}" in undone
    # The audit offers to undo the last decision about a source only.
    assert f'action="{address}"' not in undone
    assert f'action="/audit/{record["sequence"] + 1}/undo"' in undone
    response = browser.post(address)
    assert response.status_code == 409
    assert "was decided again by" in response.text


def test_nothing_is_decided_without_a_source(sign_in: SignIn) -> None:
    browser = sign_in()
    for name in DECISIONS:
        response = decide(browser, name)
        assert (response.status_code, "Tick a source first." in response.text) == (409, True)


def test_decision_on_an_older_page_is_rejected(own_acme: Deployment, sign_in: SignIn) -> None:
    """No owner undoes what another one decided meanwhile."""
    owner, admin = sign_in(), sign_in(make.ADMIN)
    old = fields(owner.get("/"))
    assert decide(admin, "exclude", "docs:handbook").status_code == 303
    # The list did not show what the sources contain, so a load changes nothing that it showed.
    own_acme.load([make.knowledge(2)])
    response = owner.post("/source/decide", decision="exclude", source="docs:handbook", **old)
    assert response.status_code == 409
    assert "shown: included true -&gt; false; last decided by Admin" in response.text
    old.pop("shown:notes:team")
    response = owner.post("/source/decide", decision="withdraw", source="notes:team", **old)
    assert response.status_code == 409
    assert "Acme notes was not shown" in response.text
    assert state_of(own_acme, "notes:team") == (True, True)


def test_source_shows_facts_keys_and_records(own_acme: Deployment, sign_in: SignIn) -> None:
    own_acme.issue_key("acme", make.OWNER, ["x:read"])
    own_acme.issue_key("acme", make.OWNER, ["knowledge:read"])
    browser = sign_in()
    text = " ".join(browser.get("/source?id=docs:handbook").text.split())
    for expected in (
        "Acme docs", "Its documents", "knowledge:read",
        ", by <bdi>Owner", "Keys that read it", "Content of document 1.", "Document 1",
    ):  # fmt: skip
        assert expected in text
    assert text.count("<details") == 1
    response = browser.post("/source/decide", decision="exclude", **fields(browser.get(
        "/source?id=docs:handbook")))  # fmt: skip
    page = browser.get(response.location).text
    assert "You excluded Acme docs" in page
    assert "Keys that would read it, once" in page


def test_impossible_ids_are_not_found(sign_in: SignIn) -> None:
    for id_ in ("", "%00", "a" * 201):
        assert sign_in().get(f"/source?id={id_}").status_code == 404
        path = f"/source/preview?decision=approve&source={id_}"
        assert sign_in().get(path).status_code == 404


def test_form_with_the_longest_names_is_accepted(own_acme: Deployment, sign_in: SignIn) -> None:
    ids = [f"\N{SHIP}{number}".ljust(150, "\N{SHIP}") for number in range(PAGE_SIZE)]
    own_acme.load(make.source("docs", id_, label="\N{SHIP}" * 512) for id_ in ids)
    browser = sign_in()
    shown = fields(browser.get("/?kind=docs&term=%F0%9F%9A%A2"))
    shown |= fields(browser.get("/?kind=docs"))
    for decision in ("exclude", "approve"):
        response = browser.post("/source/decide", decision=decision, source=ids, **shown)
        assert response.status_code == 400
        assert "Choose fewer at once" in response.text
    response = browser.post("/source/decide", decision="exclude", source=[*ids, "x:main"], **shown)
    assert "Choose at most" in response.text
