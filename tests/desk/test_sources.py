"""The list of sources, and the page of one."""

import re
from html import unescape
from pathlib import Path

from werkzeug.test import TestResponse

from orgctx.desk.forms import PAGE_SIZE
from tests.desk.conftest import SignIn
from tests.support import factories as make
from tests.support.deployment import Deployment

ROOT = Path(__file__).parents[2]


def listed(response: TestResponse) -> list[str]:
    """The ids of the sources that a page lists."""
    return [unescape(id_) for id_ in re.findall(r'name="source" value="([^"]+)"', response.text)]


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
    assert len(listed(browser.get("/?state=not+approved&page=999"))) == PAGE_SIZE
    # An unknown filter is ignored, also by the links to further pages.
    page = browser.get("/?kind=%00&state=x&page=-1")
    assert len(listed(page)) == PAGE_SIZE
    assert 'href="/?page=2"' in page.text
    response = browser.decide(
        "/?term=Folder&page=3", "/source/decide", decision="exclude", source="docs:1060"
    )
    assert "term=Folder" in response.location
    assert "page=3" in response.location


def test_source_shows_facts_keys_and_records(own_acme: Deployment, sign_in: SignIn) -> None:
    own_acme.issue_key("acme", make.OWNER, ["x:read"])
    own_acme.issue_key("acme", make.OWNER, ["knowledge:read"])
    text = " ".join(sign_in().text("/source?id=docs:handbook").split())
    for expected in (
        "Acme docs", "Its documents", "knowledge:read",
        ", by <bdi>Owner", "Keys that read it", "Content of document 1.", "Document 1",
    ):  # fmt: skip
        assert expected in text
    assert text.count("<details") == 1


def test_form_with_the_longest_names_is_accepted(own_acme: Deployment, sign_in: SignIn) -> None:
    ids = [f"\N{SHIP}{number}".ljust(150, "\N{SHIP}") for number in range(PAGE_SIZE)]
    own_acme.load(make.source("docs", id_, label="\N{SHIP}" * 512) for id_ in ids)
    browser = sign_in()
    page = "/?kind=docs&term=%F0%9F%9A%A2"
    response = browser.decide(page, "/source/decide", decision="exclude", source=ids)
    assert response.status_code == 303
    response = browser.decide(page, "/source/decide", decision="include", source=ids)
    assert response.status_code == 400
    assert "Choose fewer at once" in response.text
