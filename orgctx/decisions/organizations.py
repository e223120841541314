"""Create organizations, and add members to them."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID, uuid4, uuid5

from orgctx.decisions.audit import ADMIN_LOGIN, record
from orgctx.decisions.decision import Connection, Decision, DecisionRejected, run
from orgctx.schemas.formats import UUID_PATTERN

ROLES = ("owner", "admin", "member")
# The source of the organization's own name. It is not approved, like every new source.
PROFILE = "profile:main"
# No upper case, because slugs are compared exactly.
SLUG = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,198}[a-z0-9])?", re.ASCII)
# Namespace of the locks that serialize the creation of organizations with one slug.
SLUGS = UUID("f0a37b8e-3c0f-4b52-9f0c-5d0f6a5f2f1b")


def check_slug(slug: str) -> str:
    """Return the slug.

    Raises:
        DecisionRejected: it is not valid.
    """
    if not SLUG.fullmatch(slug) or UUID_PATTERN.fullmatch(slug):
        raise DecisionRejected(
            f"Invalid slug {slug!r}. Use 1 to 200 of a-z, 0-9, `.`, `_` and `-`, with a letter or "
            "digit at both ends."
        )
    return slug


def create(
    connection: Connection, *, slug: str, display_name: str, owner: str, command: str
) -> dict[str, Any]:
    """Create an organization with its owner and its profile source, in one transaction.

    The audit record names no member who decides, because there is none yet.

    Args:
        owner: the name of its first member.

    Returns:
        `id`, `slug`, `display_name` and `owner_id`.

    Raises:
        DecisionRejected: the slug is not valid, or an organization has it.
    """
    check_slug(slug)
    organization_id, owner_id = uuid4(), uuid4()
    with connection.transaction():
        run(connection, "lock_organization", organization_id=uuid5(SLUGS, slug))
        if run(connection, "find_organization", id=None, name=slug, by_name=False):
            raise DecisionRejected(
                f"Organization {slug!r} exists already. Nothing was changed. Choose another slug, "
                "or add members with `orgctx members add`."
            )
        common = {"organization_id": organization_id}
        run(connection, "create_organization", **common, slug=slug, display_name=display_name)
        run(connection, "add_member", **common, id=owner_id, display_name=owner, role="owner")
        run(connection, "create_profile", **common, id=PROFILE, label=display_name)
        after = {
            slug: {"display_name": display_name},
            str(owner_id): {"display_name": owner, "role": "owner"},
        }
        record(
            connection,
            organization_id,
            command=command,
            before={},
            after=after,
            authentication=ADMIN_LOGIN,
        )
    names = {"slug": slug, "display_name": display_name}
    return {"id": organization_id, **names, "owner_id": owner_id}


def add_member(decision: Decision, *, id_: UUID | None, name: str, role: str) -> dict[str, Any]:
    """Add a member. id_: None for a random one.

    Raises:
        DecisionRejected: the id or the name is taken, or somebody else than an owner adds an owner.
    """
    if role == "owner" and decision.role != "owner":
        raise DecisionRejected("Only an owner may add an owner. Pass one with --by.")
    decision.run("lock_organization")
    for row in decision.run("list_members"):
        is_same = row["id"] == id_ or (row["display_name"] or "").lower() == name.lower()
        if is_same and (row["id"] == id_ or row["role"] != "removed"):
            raise DecisionRejected(
                f"{name!r} is a member already: {row['display_name']}, {row['role']}, "
                f"{row['id']}. Nothing was changed."
            )
    member = {"id": id_ or uuid4(), "display_name": name, "role": role}
    decision.run("add_member", **member)
    decision.after[str(member["id"])] = {"display_name": name, "role": role}
    return member
