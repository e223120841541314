"""The audit log at the desk."""

import re
from pathlib import Path

import pytest
from flask import Flask

from tests.desk.conftest import Browser, SignIn, link_of
from tests.support import factories as make
from tests.support.deployment import Deployment

INSERT = """
    INSERT INTO audit (organization_id, command, before, after)
    SELECT %s, 'load', '{}', jsonb_build_object('number', n) FROM generate_series(1, 120) AS n
"""
RIGHTS = ("--access", "both", "--expires-in-days", "30")


@pytest.fixture(scope="module", autouse=True)
def member_signed_in(module_desk: Flask, acme: Deployment) -> None:
    fields = {"secret": link_of(acme), "confirmed": "yes"}
    assert Browser(module_desk).send("/sign-in", fields).status_code == 303


def test_audit_says_in_sentences_who_decided_what_and_how(reader: Browser) -> None:
    text = " ".join(reader.text("/audit").split())
    first, *others = sorted(f"Acme {kind}" for kind in make.KIND_SOURCES)
    everything = f"{first}, {others[0]}, {others[1]} and {len(others) - 2} more"
    for words in (everything, "</bdi> <bdi>signed in</bdi>", "by link", "<bdi>Owner</bdi>"):
        assert words in text


def test_audit_says_what_commands_did(
    sign_in: SignIn, own_acme: Deployment, tmp_path: Path
) -> None:
    (tmp_path / "handbook").mkdir()
    (tmp_path / "handbook/a.md").write_text("# A")
    for command in (
        ("import", "markdown", tmp_path / "handbook", *make.WHO[:2], "--source", "docs:new"),
        ("keys", "issue", "--name", "old", "--scope", "context:read", *RIGHTS, *make.WHO),
        ("keys", "rotate", "old", *make.WHO),
        ("sources", "delete", "docs:new", "--yes", *make.WHO),
    ):
        own_acme.cli(*command).done()
    text = " ".join(re.sub("<[^>]*>", "", sign_in().text("/audit")).split())
    loaded = "ran `import markdown` of handbook: knowledge and source (created 1)"
    for words in (loaded, "replaced the key old", "deleted handbook"):
        assert words in text


def test_audit_is_filtered(reader: Browser) -> None:
    nothing = "No decision matches"
    for query, shown in (
        ("command=sources+approve", "notes:team"),
        ("object=ME+NOT", "notes:team"),
        (f"member={make.OWNER}", "notes:team"),
        # The form then shows "Everybody" and "Everything".
        ("member=nobody&command=nothing", "notes:team"),
        ("object=nobody", nothing),
    ):
        text = reader.text(f"/audit?{query}").partition("<ol")[2]
        assert shown in text, query
        assert (nothing in text) == (shown is nothing)


def test_audit_has_pages(sign_in: SignIn, own_acme: Deployment) -> None:
    """They join to the log of the organization, although more is recorded meanwhile."""
    browser, address, numbers = sign_in(), "/audit", list[str]()
    for organization in (make.uuid("other"), make.ACME):
        own_acme.execute(INSERT, [organization])
    while address:
        page = browser.text(address)
        numbers += re.findall(r"&#34;number&#34;: (\d+)", page)
        address = page.partition('rel="next" href="')[2].partition('"')[0]
        own_acme.execute(INSERT, [make.ACME])
    assert numbers == [str(number) for number in range(120, 0, -1)]
    assert "docs:handbook" in page
