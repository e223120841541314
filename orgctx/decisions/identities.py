"""Link members to the identities with which an OpenID Connect provider authenticates them."""

from __future__ import annotations

import re
from uuid import UUID

from orgctx.decisions.decision import AUTHORITIES, Decision, DecisionRejected

# ASCII only: lower case maps some other letters to ASCII, so that two addresses would be one.
EMAIL = re.compile(r"[!-?A-~]{1,64}@[0-9A-Za-z.-]{1,255}", re.ASCII)
SUBJECT = re.compile(r"(?P<issuer>https?://[!-\"$-~]{1,255})#(?P<subject>[!-~]{1,255})", re.ASCII)


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


def add(decision: Decision, user_id: UUID, kind: str, value: str) -> None:
    """Link an identity to a member. Only an owner does so for an owner.

    Raises:
        DecisionRejected: the member is not an owner or admin, or an owner while an admin decides,
            or the identity is linked already.
    """
    if _lock(decision, user_id) not in AUTHORITIES:
        raise DecisionRejected("Only owners and admins sign in to the desk. Nothing was changed.")
    for row in _linked(decision, kind, value):
        if row["role"] != "removed":
            raise DecisionRejected(
                f"{value!r} is linked to {row['display_name'] or row['id']} already. Nothing was "
                "changed. Remove it there first, with --remove."
            )
        decision.run("remove_identity", kind=kind, value=value)
        decision.before[str(row["id"])] = {kind: value}
    decision.run("add_identity", kind=kind, value=value, user_id=user_id)
    decision.after[str(user_id)] = {kind: value}


def remove(decision: Decision, user_id: UUID, kind: str, value: str) -> None:
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
    decision.run("remove_identity", kind=kind, value=value)
    decision.before[str(user_id)] = {kind: value}


def _lock(decision: Decision, user_id: UUID) -> str:
    """Let no other command change identities meanwhile. Returns the role of the member."""
    decision.run("lock_organization")
    (row,) = decision.run("find_members", user_id=user_id, name=None)
    if row["role"] == "owner" and decision.role != "owner":
        raise DecisionRejected("Only an owner may identify an owner. Pass one with --by.")
    return str(row["role"])


def _linked(decision: Decision, kind: str, value: str) -> list[dict[str, object]]:
    rows = decision.run("list_identities")
    return [row for row in rows if (row["kind"], row["value"]) == (kind, value)]
