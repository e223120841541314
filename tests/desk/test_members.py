"""The view Members: who may add and change whom, and which keys end."""

from tests.desk.conftest import SignIn
from tests.support import factories as make
from tests.support.deployment import Deployment

ADMIN = f"/members/{make.ADMIN}"


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
    page = admin.text(ADMIN)
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
