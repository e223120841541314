"""The view Members: roles, removal, and the keys that end with them."""

import pytest

from tests.desk.conftest import SignIn
from tests.support import factories as make
from tests.support.deployment import Deployment

ADMIN = f"/members/{make.ADMIN}"


@pytest.mark.parametrize(
    ("role", "done"), [("member", "You made Admin member."), ("removed", "You removed Admin.")]
)
def test_keys_and_sessions_end_with_the_role(
    own_acme: Deployment, sign_in: SignIn, role: str, done: str
) -> None:
    key = own_acme.issue_key("acme", make.ADMIN)
    owner, admin = sign_in(), sign_in(make.ADMIN)
    page = owner.text(ADMIN)
    assert "1 key ends at the next request" in page
    assert key[:9] in page
    response = owner.decide(ADMIN, role=role)
    assert done in owner.text(response.location)
    assert admin.get("/members").status_code == 303
    record = own_acme.cli("audit", "--json").json()[-1]
    assert (record["decidedBy"], record["authentication"]) == (make.OWNER, "link")
    assert record["after"] == {make.ADMIN: {"display_name": "Admin", "role": role}}


def test_member_is_added(own_acme: Deployment, sign_in: SignIn) -> None:
    owner, admin = sign_in(), sign_in(make.ADMIN)
    response = owner.post("/members", name=" Grace ", role="admin")
    assert "You added Grace as admin." in owner.text(response.location)
    rows = own_acme.cli("members", "list", "--organization", "acme", "--json").json()
    assert [row["role"] for row in rows if row["displayName"] == "Grace"] == ["admin"]
    for fields, status in (
        ({"name": "grace", "role": "member"}, 409),
        ({"name": "Eve", "role": "king"}, 400),
        ({"name": "two\nlines", "role": "member"}, 400),
        ({"name": "", "role": "member"}, 400),
        ({"name": "Eve", "role": "owner"}, 409),
    ):
        assert admin.post("/members", **fields).status_code == status
    assert "Eve" not in owner.text("/members")


def test_nobody_decides_above_the_own_role_or_about_the_last_owner(sign_in: SignIn) -> None:
    admin = sign_in(make.ADMIN)
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
    assert admin.post(ADMIN, role="king").status_code == 400
    assert admin.get(f"/members/{make.uuid('stranger')}").status_code == 404


def test_decision_on_an_older_page_is_rejected(own_acme: Deployment, sign_in: SignIn) -> None:
    owner = sign_in()
    owner.get(ADMIN)
    own_acme.issue_key("acme", make.ADMIN)
    response = owner.decide(ADMIN, load=False, role="removed")
    assert response.status_code == 409
    assert "active keys 0 -&gt; 1" in response.text
