"""Add, promote, demote and remove members, and link them to identities of OpenID Connect."""

import re
from typing import Any
from uuid import UUID, uuid4

from orgctx.decisions.decision import (
    AUTHORITIES,
    Decision,
    DecisionRejected,
    list_members,
    lock_member,
    state_of,
)
from orgctx.decisions.keys import Key, listed
from orgctx.stores.db import Row, Tenant

# From the highest. A removed member has none of them.
ROLES = ("owner", "admin", "member")
REMOVED = "removed"

# ASCII only: lower case maps some other letters to ASCII, so that two addresses would be one.
EMAIL = re.compile(r"[!-?A-~]{1,64}@[0-9A-Za-z.-]{1,255}", re.ASCII)
SUBJECT = re.compile(r"(?P<issuer>https?://[!-\"$-~]{1,255})#(?P<subject>[!-~]{1,255})", re.ASCII)


def identities(tenant: Tenant) -> list[Row]:
    """Return the columns of `decisions/list_identities`."""
    return tenant.run("decisions/list_identities")


def find(tenant: Tenant, user_id: UUID) -> Row:
    """Return a listed member, not a removed one.

    Returns:
        the columns of `decisions/list_members`, and the keys that the member issued and that are
        neither revoked nor expired, newest first: `active` ones, and `ineligible` ones, which work
        again when the member may decide again.

    Raises:
        DecisionRejected: there is no such member.
    """
    for row in list_members(tenant, id_=user_id):
        if row["role"] != REMOVED:
            keys = [k for k in listed(tenant) if k["issuer_id"] == user_id]
            of_state = ("active", "ineligible")
            return row | {state: [k for k in keys if k["state"] == state] for state in of_state}
    raise DecisionRejected(f"The organization has no member {user_id}. Nothing was changed.")


def affected(member: Row, role: str) -> list[Key]:
    """Return the keys of a member of `find` that end, or work again, with another role."""
    may_decide = role in AUTHORITIES
    if may_decide == (member["role"] in AUTHORITIES):
        return []
    keys: list[Key] = member["ineligible" if may_decide else "active"]
    return keys


def state(member: Row) -> str:
    """Return the state of a listed member, for `Decision.expect`."""
    return state_of(_state_values(member))


def _state_values(member: Row) -> dict[str, Any]:
    return {"role": member["role"], "active keys": member["active_key_count"]}


def add(decision: Decision, *, name: str, role: str) -> dict[str, Any]:
    """Add a member.

    Raises:
        DecisionRejected: the name is taken, or somebody else than an owner adds an owner.
    """
    if role == "owner" and decision.role != "owner":
        raise DecisionRejected("Only an owner may add an owner.")
    decision.lock_organization()
    for row in list_members(decision):
        is_same = (row["display_name"] or "").lower() == name.lower()
        if is_same and row["role"] != REMOVED:
            raise DecisionRejected(
                f"{name!r} is a member already: {row['display_name']}, {row['role']}, "
                f"{row['id']}. Nothing was changed."
            )
    member = {"id": uuid4(), "display_name": name, "role": role}
    decision.run("decisions/add_member", **member)
    decision.after[str(member["id"])] = {"display_name": name, "role": role}
    return member


def change_role(decision: Decision, user_id: UUID, role: str) -> list[Key]:
    """Change the role of a member.

    Args:
        role: one of ROLES, or REMOVED to end the membership.

    Returns:
        the keys that end or work again with it.

    Raises:
        DecisionRejected: there is no such member, either role is above that of who decides, or no
            owner would be left.
    """
    decision.lock_organization()
    member = find(decision, user_id)
    decision.check(str(user_id), _state_values(member), member["display_name"])
    old_role = member["role"]
    if "owner" in (old_role, role) and decision.role != "owner":
        raise DecisionRejected("Only an owner may change an owner, or make one.")
    roles = [row["role"] for row in list_members(decision)]
    if old_role == "owner" != role and roles.count("owner") == 1:
        raise DecisionRejected(
            "The last owner can be neither demoted nor removed. Make another member owner first."
        )
    if role != old_role:
        decision.run("decisions/change_role", user_id=user_id, role=role)
        if old_role not in AUTHORITIES:
            # No session or link from before a demotion begins again.
            sign_out(decision, user_id)
        named = {"display_name": member["display_name"]}
        decision.before[str(user_id)] = {**named, "role": old_role}
        decision.after[str(user_id)] = {**named, "role": role}
    return affected(member, role)


def sign_out(tenant: Tenant, user_id: UUID) -> None:
    """End all sessions of a member at the desk, and all links that were not opened."""
    # The first locks the member. The second has a later time than every sign-in that had the lock.
    for _ in range(2):
        tenant.run("decisions/sign_out", user_id=user_id)


def parse(*, email: str | None, subject: str | None) -> tuple[str, str]:
    """Return the kind and the stored value of the one identity that is given.

    Args:
        email: an address, in any case.
        subject: the issuer, `#` and the subject.

    Raises:
        DecisionRejected: it is not valid.
    """
    if email is not None:
        if not EMAIL.fullmatch(email):
            raise DecisionRejected(
                f"Invalid e-mail address {email!r}. Use ASCII, or pass --subject."
            )
        return "email", email.lower()
    if not SUBJECT.fullmatch(subject or ""):
        raise DecisionRejected(
            f"Invalid subject {subject!r}. Pass the issuer and the subject, such as "
            "https://login.example.com#248289761001."
        )
    return "subject", str(subject)


def identify(decision: Decision, user_id: UUID, kind: str, value: str) -> None:
    """Link an identity to a member. Only an owner does so for an owner.

    Raises:
        DecisionRejected: the member is not an owner or admin, or an owner while an admin decides,
            or the identity is linked already.
    """
    if _lock(decision, user_id) not in AUTHORITIES:
        raise DecisionRejected("Only owners and admins sign in to the desk. Nothing was changed.")
    for row in _linked(decision, kind, value):
        if row["role"] != REMOVED:
            raise DecisionRejected(
                f"{value!r} is linked to {row['display_name'] or row['id']} already. Nothing was "
                "changed. Remove it there first, with --remove."
            )
        decision.run("decisions/remove_identity", kind=kind, value=value)
        decision.before[str(row["id"])] = {kind: value}
    decision.run("decisions/add_identity", kind=kind, value=value, user_id=user_id)
    decision.after[str(user_id)] = {kind: value}


def forget_identity(decision: Decision, user_id: UUID, kind: str, value: str) -> None:
    """Remove an identity from a member. Only an owner does so for an owner.

    Raises:
        DecisionRejected: the member is an owner while an admin decides, or does not have the
            identity.
    """
    _lock(decision, user_id)
    if not any(row["id"] == user_id for row in _linked(decision, kind, value)):
        raise DecisionRejected(
            f"{value!r} is not linked to {user_id}. Nothing was changed. "
            "See `orgctx members identities`."
        )
    decision.run("decisions/remove_identity", kind=kind, value=value)
    decision.before[str(user_id)] = {kind: value}


def _lock(decision: Decision, user_id: UUID) -> str | None:
    """Let no other command change identities meanwhile. Returns the role, as `lock_member` does."""
    decision.lock_organization()
    role = lock_member(decision, user_id)
    if role == "owner" and decision.role != "owner":
        raise DecisionRejected("Only an owner may identify an owner.")
    return role


def _linked(decision: Decision, kind: str, value: str) -> list[Row]:
    return [row for row in identities(decision) if (row["kind"], row["value"]) == (kind, value)]
