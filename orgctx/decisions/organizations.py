"""Create organizations."""

import re
from typing import Any
from uuid import UUID, uuid4

from orgctx.decisions.audit_log import record
from orgctx.decisions.decision import DecisionRejected
from orgctx.schemas.formats import UUID_PATTERN
from orgctx.stores.db import Connection, Row, Tenant, run

# The source of the organization's own name. It is not approved, like every new source.
PROFILE = "profile:main"
# No upper case, because slugs are compared exactly.
SLUG = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,198}[a-z0-9])?", re.ASCII)
# Whoever gives an organization a slug locks this one first, as bundle/lock_organizations does.
ANY = UUID(int=0)


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
    tenant, owner_id = Tenant(connection, uuid4()), uuid4()
    with connection.transaction():
        Tenant(connection, ANY).lock_organization()
        if listed(connection, slug):
            raise DecisionRejected(
                f"Organization {slug!r} exists already. Nothing was changed. Add members with "
                "`orgctx members add`, or `orgctx organizations create` one with another slug."
            )
        names = {"slug": slug, "display_name": display_name}
        member = {"display_name": owner, "role": "owner"}
        tenant.run("decisions/create_organization", **names)
        tenant.run("decisions/add_member", id=owner_id, **member)
        tenant.run("decisions/create_profile", id=PROFILE, label=display_name)
        after = {slug: {"display_name": display_name}, str(owner_id): member}
        record(tenant, command=command, after=after)
    return {"id": tenant.organization_id, **names, "owner_id": owner_id}


def listed(
    connection: Connection, slug: str | None = None, *, id_: UUID | None = None
) -> list[Row]:
    """Return the columns of `decisions/list_organizations`; without a slug, of all."""
    return run(connection, "decisions/list_organizations", id=id_, slug=slug)
