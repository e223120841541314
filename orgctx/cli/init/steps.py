"""The steps of `orgctx init`. Each is one transaction, and is skipped if it was done before."""

from http import HTTPStatus
from typing import NamedTuple
from urllib.request import urlopen
from uuid import UUID

from orgctx.cli import admin, importing
from orgctx.cli.errors import CommandError
from orgctx.cli.init.answers import Answers
from orgctx.cli.organization.usage import mark_unused
from orgctx.cli.output import say
from orgctx.decisions import AUTHORITIES, find_members, knowledge
from orgctx.decisions import keys as key_decisions
from orgctx.decisions import organizations as organization_decisions
from orgctx.decisions import sources as source_decisions
from orgctx.decisions.findings import SECRET
from orgctx.decisions.preview import SUPPRESSIBLE, Preview, build_preview
from orgctx.imports import catalog
from orgctx.operations.source_kinds import needed_scopes
from orgctx.stores.db import Row, Tenant

ANSWER_SECONDS = 3


class Rights(NamedTuple):
    """The name and the rights of the key. scopes: empty for the scopes that its sources need."""

    name: str
    access: str
    scopes: list[str]
    days: int


def ensure_organization(answers: Answers) -> tuple[str, str, bool]:
    """Create the organization and its owner, unless they exist.

    Returns:
        the ids of both, and whether they were created.

    Raises:
        CommandError: the organization exists, and the owner may not decide for it.
    """
    with admin.writing() as connection:
        if not organization_decisions.find(connection, answers.slug):
            created = organization_decisions.create(
                connection,
                slug=answers.slug,
                display_name=answers.name,
                owner=answers.owner,
                command=admin.current_command(),
            )
            return str(created["id"]), str(created["owner_id"]), True
        tenant = admin.find_organization(connection, answers.slug)
        return str(tenant.organization_id), _authority(tenant, answers), False


def _authority(tenant: Tenant, answers: Answers) -> str:
    rows = find_members(tenant, name=answers.owner)
    authorities = [row for row in rows if row["role"] in AUTHORITIES]
    if len(authorities) != 1:
        raise CommandError(
            f"Organization {answers.slug!r} exists already, and {answers.owner!r} is not the name "
            "of exactly one of its owners and admins. Pass --owner with one of them, or choose "
            "another --slug."
        )
    return str(authorities[0]["user_id"])


def import_source(answers: Answers, organization_id: str, account: str | None) -> list[str]:
    """Import the path. Returns the ids of its sources."""
    options = {"account": account} if account else {}
    row = catalog.find(answers.kind)
    try:
        importing.run_import(
            row, [answers.path], options, organization=organization_id, source_id=answers.source_id
        )
    except importing.PartlyImported as error:
        say(error.format_message())
    return [row["id"] for row in importing.stored_sources(organization_id, answers.source_id)]


def preview_approval(organization_id: str, ids: list[str]) -> Preview:
    """Preview the approval of these sources and the organization's profile."""
    profile = [row["id"] for row in _sources(organization_id) if row["kind"] == "profile"]
    with admin.reading() as connection:
        return build_preview(Tenant(connection, UUID(organization_id)), [*ids, *profile])


def secret_documents(preview: Preview) -> list[str]:
    """Return the ids of documents and notes in which the scan found what looks like a secret."""
    return sorted({
        finding["id"]
        for finding in preview.findings
        if finding["check"] == SECRET and finding["kind"] in SUPPRESSIBLE
    })  # fmt: skip


def hide(organization_id: str, owner_id: str, ids: list[str], documents: list[str]) -> Preview:
    """Suppress documents, and preview the approval again."""
    with admin.deciding(owner_id, organization_id) as decision:
        knowledge.suppress(decision, documents)
    return preview_approval(organization_id, ids)


def answers(base_url: str) -> bool:
    """Return whether a service answers at an address."""
    try:
        with urlopen(f"{base_url}/healthz", timeout=ANSWER_SECONDS) as response:  # noqa: S310
            return bool(response.status == HTTPStatus.OK)
    except (OSError, ValueError):
        return False


def approve(organization_id: str, owner_id: str, preview: Preview) -> None:
    """Approve what was previewed, unless it has changed since."""
    with admin.deciding(owner_id, organization_id) as decision:
        decision.expect(preview.state)
        source_decisions.approve(decision, [*preview.state])


def ensure_key(organization_id: str, owner_id: str, ids: list[str], rights: Rights) -> Row:
    """Issue a key, unless an active one has the name.

    Returns:
        the key as `decisions.keys.issue` returns it, or the active one, without its secret.
    """
    with admin.reading() as connection:
        rows = key_decisions.listed(Tenant(connection, UUID(organization_id)))
    for row in rows:
        if row["state"] == "active" and row["name"] == rights.name:
            return row
    scopes = rights.scopes or needed_scopes(
        row["kind"] for row in _sources(organization_id) if row["id"] in ids
    )
    with admin.deciding(owner_id, organization_id) as decision:
        key = key_decisions.issue(
            decision, name=rights.name, access=rights.access, scopes=scopes, days=rights.days
        )
    mark_unused(key["organization_id"], key["id"])
    return key


def _sources(organization_id: str) -> list[Row]:
    return admin.read(organization_id, source_decisions.stored)
