"""Each decision of a form: what it says and records, its undo, older pages, and what is missing."""

from typing import Any, NamedTuple

import pytest

from tests.conftest import copy_of, template_with
from tests.desk.conftest import SignIn
from tests.support import factories as make
from tests.support.deployment import Deployment

HELD = make.knowledge_id("held")
SOURCE, DOCUMENT = "/source?id=docs:handbook", f"/documents/{make.knowledge_id()}"
PREVIEW, MEMBER = "/source/preview", f"/members/{make.MEMBER}"
RIGHTS = {"name": "laptop", "access": "api", "scopes": "context:read"}


class Form(NamedTuple):
    """A decision with a form. `{key}` in addresses is the page of a key."""

    command: str  # in the audit
    page: str
    form: str  # where the page sends it
    fields: dict[str, Any]  # what the member chooses
    done: str  # what the next page says
    can_undo: bool = True
    prepare: str = ""  # a statement


DECIDE = "/source/decide"
CLOSED = "UPDATE sources SET external = false"
EXCLUDED = "UPDATE sources SET included = false"
SUPPRESSED = (
    "INSERT INTO knowledge_suppressions (organization_id, knowledge_id, reason) "
    f"VALUES ('{make.ACME}', '{make.knowledge_id()}', 'suppressed')"
)
FORMS = [
    Form("sources withdraw", SOURCE, DECIDE, {"decision": "withdraw"}, "You withdrew Acme docs"),
    Form("sources exclude", SOURCE, DECIDE, {"decision": "exclude"}, "You excluded Acme docs"),
    Form(
        "sources approve", f"{PREVIEW}?decision=approve&source=docs:handbook", PREVIEW, {},
        "You approved Acme docs (keys: 1).", prepare=CLOSED,
    ),
    Form(
        "sources include", f"{PREVIEW}?decision=include&source=docs:handbook", PREVIEW, {},
        "You included Acme docs (keys: 1).", prepare=EXCLUDED,
    ),
    Form(
        "sources new-documents held", SOURCE, DECIDE, {"decision": "new-documents held"},
        "You held new documents of Acme docs",
    ),
    Form("knowledge suppress", DOCUMENT, DOCUMENT, {"decision": "suppress"}, "You suppressed"),
    Form(
        "knowledge restore", DOCUMENT, DOCUMENT, {"decision": "restore"}, "You restored",
        prepare=SUPPRESSED,
    ),
    Form(
        "knowledge release", "/documents?held=on", "/documents",
        {"decision": "release", "document": HELD, "confirmed": "yes"}, "You released",
    ),
    Form("keys change", "{key}/change", "{key}/change", RIGHTS, "You changed the key"),
    Form("keys revoke", "{key}", "{key}/revoke", {}, "You revoked the key", can_undo=False),
    Form("members role", MEMBER, MEMBER, {"role": "admin"}, "You changed Member (role: ", False),
    Form("members remove", MEMBER, MEMBER, {"role": "removed"}, "You removed Member (", False),
]  # fmt: skip


def fill(deployment: Deployment) -> None:
    """Acme with a key and a held document."""
    deployment.load_acme()
    deployment.issue_key("acme", make.OWNER)
    deployment.load([make.knowledge("held", title="Held", content=make.AWS)])


decisions_template = template_with(fill)
own_acme = copy_of("decisions_template", "function")


@pytest.mark.parametrize("row", FORMS, ids=lambda row: f"{row.command} on {row.page}")
def test_form_decides_what_its_page_showed(
    own_acme: Deployment, sign_in: SignIn, row: Form
) -> None:
    """Without the state of a page, or after another decision, it decides nothing."""
    if row.prepare:
        own_acme.execute(row.prepare)
    ((key_id,),) = own_acme.execute("SELECT id FROM api_keys")
    page, form = (path.format(key=f"/keys/{key_id}") for path in (row.page, row.form))
    owner, admin = sign_in(), sign_in(make.ADMIN)
    admin.get(page)
    older = admin.fields | row.fields
    without = {name: value for name, value in older.items() if not name.startswith("shown:")}
    before = own_acme.decided()
    assert admin.send(form, without).status_code == 409
    assert own_acme.decided() == before

    response = owner.decide(page, form, **row.fields)
    assert response.status_code == 303
    done = owner.text(response.location)
    assert row.done in done
    record = own_acme.cli("audit", "--json").json()[-1]
    assert (record["command"], record["authentication"]) == (row.command, "link")
    assert record["decidedBy"] == make.OWNER
    response = admin.send(form, older)
    assert response.status_code == 409
    assert "Nothing was changed." in response.text

    undo = f"/audit/{record['sequence']}/undo"
    assert (f'action="{undo}"' in done) == row.can_undo
    response = owner.post(undo)
    if row.can_undo:
        undone = owner.text(response.location)
        assert f"You undid no. {record['sequence']}: " in undone
        assert f'action="{undo}"' not in undone
        response = owner.post(undo)
        assert "was decided again by" in response.text
    assert response.status_code == 409


def test_notice_shows_a_decision_of_the_member_only(own_acme: Deployment, sign_in: SignIn) -> None:
    owner, admin = sign_in(), sign_in(make.ADMIN)
    address = owner.decide(SOURCE, DECIDE, decision="exclude").location
    assert "You excluded" in owner.text(address)
    assert "You excluded" not in admin.text(address)
    assert "Nothing was changed: it was so already." in owner.text("/?decided=0")


# Who may add and change whom


def test_member_is_added(own_acme: Deployment, sign_in: SignIn) -> None:
    owner, admin = sign_in(), sign_in(make.ADMIN)
    response = owner.post("/members", name=" Grace ", role="admin")
    assert "You added Grace (role: admin)." in owner.text(response.location)
    rows = own_acme.cli("members", "list", "--organization", "acme", "--json").json()
    assert [row["role"] for row in rows if row["displayName"] == "Grace"] == ["admin"]
    for fields, status in (
        ({"name": "grace", "role": "member"}, 409),
        ({"name": "Eve", "role": "king"}, 400),
        ({"name": "two\nlines", "role": "member"}, 400),
        ({"name": "", "role": "member"}, 400),
        # Commands would take it for an id.
        ({"name": make.MEMBER, "role": "member"}, 400),
        ({"name": "Eve", "role": "owner"}, 409),
    ):
        assert admin.post("/members", **fields).status_code == status
    assert "Eve" not in owner.text("/members")


def test_nobody_decides_above_the_own_role_or_about_the_last_owner(
    own_acme: Deployment, sign_in: SignIn
) -> None:
    key, admin = own_acme.issue_key("acme", make.ADMIN), sign_in(make.ADMIN)
    page = admin.text(f"/members/{make.ADMIN}")
    assert "1 key ends at the next request" in page
    assert key[:9] in page
    assert "Only an owner decides about an owner" in admin.text(f"/members/{make.OWNER}")
    assert "<option >owner" not in admin.text(f"/members/{make.MEMBER}")
    for browser, who, role, error in (
        (admin, make.OWNER, "member", "was not shown"),
        (admin, make.MEMBER, "owner", "Only an owner may"),
        (sign_in(), make.OWNER, "removed", "The last owner"),
    ):
        response = browser.decide(f"/members/{who}", role=role)
        assert response.status_code == 409
        assert error in response.text
