"""The organizations of the soak, and the states that two of them change between."""

from pathlib import Path
from typing import Any, NamedTuple

import orjson

from orgctx.operations.source_kinds import SCOPES
from tests.support import factories as make
from tests.support import organizations as orgs
from tests.support.deployment import Deployment
from tests.support.factories import Record
from tests.support.organizations import AMBER, BASALT, COBALT, EMBER, FLINT, Organization

CHANGING = (AMBER, BASALT)
# Is deleted, and loaded again with new keys.
DELETED = FLINT
ALL = (*CHANGING, COBALT, EMBER, DELETED)
SWITCHED = make.KIND_SOURCES["telegram"]
GRANTS = {
    "everything": (SCOPES, "both"),
    "documents": (("context:read", "knowledge:read"), "both"),
    "REST, people": (("telegram:read", "x:read"), "api"),
}
# The role of the admin, who issued keys.
ROLES = ("member", "admin")
VERSIONS = (0, 1)
LATER = "2026-03-01T08:00:00Z"
# Fields that the later version changes.
CHANGED = {
    "knowledge": ("title", "content"),
    "asset": ("name",),
    "telegram.chat": ("title",),
    "telegram.message": ("text",),
    "x.mention": ("text",),
    "source": ("description",),
}


class State(NamedTuple):
    """A state of a changing organization. is_approved: of its SWITCHED source."""

    version: int
    is_approved: bool


FIRST = State(0, True)
STATES = (FIRST, State(1, True), State(1, False), State(0, False))


def states(organization: Organization) -> tuple[State, ...]:
    """Return the states of an organization, the first of them also at the end."""
    return (*STATES, FIRST) if organization in CHANGING else (FIRST,)


def records(organization: Organization, version: int) -> list[Record]:
    """Return the records of an organization in a version."""
    first = [*orgs.records(organization)]
    if not version:
        return first
    text, owner = f"Later {organization.marker}", {"organization_id": organization.id}
    return [
        *(_changed(record, organization.marker) for record in first),
        make.knowledge("later", title=text, content=text, updatedAt=LATER, **owner),
        make.message(1000, text=text, sentAt=LATER, **owner),
        make.asset(text, **owner),
        make.mention(900, account=orgs.ACCOUNT, text=text, createdAt=LATER, **owner),
    ]


def _changed(record: Record, marker: str) -> Record:
    data: dict[str, Any] = dict(record["data"])
    for name in CHANGED.get(record["type"], ()):
        if data[name]:
            data[name] = data[name].replace(marker, f"{marker} anew")
    return record | {"data": data}


def bundle(organization: Organization, version: int) -> bytes:
    """Return the records and deletions that change any version into this one."""
    kept = records(organization, version)
    left = {orjson.dumps(deletion) for deletion in _deletions(kept)}
    stored = [each for number in VERSIONS for each in _deletions(records(organization, number))]
    # What a record belongs to is written before it, so it is deleted after it.
    gone = [line for line in map(orjson.dumps, reversed(stored)) if line not in left]
    return b"\n".join([*map(orjson.dumps, kept), *gone]) + b"\n"


def _deletions(records: list[Record]) -> list[Record]:
    """Return a deletion of each record that belongs to a source."""
    return [
        make.delete(
            record["type"], record["data"].get("id", record["sourceId"]),
            organization_id=record["organizationId"],
            **({"chatId": record["data"]["chatId"]} if "chatId" in record["data"] else {}),
        )
        for record in records if "sourceId" in record and record["type"] != "source"
    ]  # fmt: skip


def prepare(deployment: Deployment, folder: Path) -> None:
    """Load and approve the first state, and write the bundles of the changes to a folder."""
    for organization in ALL:
        for version in VERSIONS:
            path(folder, organization, version).write_bytes(bundle(organization, version))
        for role in ROLES:
            member = make.member(make.ADMIN, role, organization_id=organization.id)
            path(folder, organization, role).write_bytes(orjson.dumps(member))
        deployment.load(records(organization, 0))
        if organization.approved:
            deployment.approve(organization.id, make.OWNER, *approved(organization))


def approved(organization: Organization) -> list[str]:
    """Return the ids of the sources that the organization approved."""
    return [make.KIND_SOURCES[kind] for kind in organization.approved]


def path(folder: Path, organization: Organization, content: object) -> Path:
    """Return the bundle of a version, or of a role of the admin."""
    return folder / f"{organization.marker}-{content}.jsonl"
