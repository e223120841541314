"""The organizations of the soak, and the states that some of them change between."""

from collections.abc import Iterator
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
# Always has the ordinary plan, so its keys have the shipped limits.
ORDINARY = COBALT
# Changes between the plans. It approved no source.
UPGRADED = EMBER
# Is deleted, and loaded again with new keys.
DELETED = FLINT
ALL = (*CHANGING, ORDINARY, UPGRADED, DELETED)
SWITCHED = make.KIND_SOURCES["telegram"]
GRANTS = {
    "everything": (SCOPES, "both"),
    "documents": (("context:read", "knowledge:read"), "both"),
    "REST, people": (("telegram:read", "x:read"), "api"),
}
# The role of the admin, who issued keys.
ROLES = ("member", "admin")
PLANS = ("standard", "pro")
FILLERS = 200
LONG_AGO, LATER = "2025-01-01T00:00:00Z", "2026-03-01T08:00:00Z"
# Fields that the later version changes. Labels stay: answers join them with data read later.
CHANGED = {
    "knowledge": ("title", "content"),
    "asset": ("name",),
    "telegram.chat": ("title",),
    "telegram.message": ("text",),
    "x.mention": ("text",),
    "source": ("description",),
}
FRESHER = ("docs", "telegram", "x")


# In the last version the organization, its members and its sources are left.
EMPTY = 2
VERSIONS = (0, 1, EMPTY)


class State(NamedTuple):
    """A state of a changing organization. is_approved: of its SWITCHED source."""

    version: int
    is_approved: bool


FIRST = State(0, True)
STATES = (FIRST, State(1, True), State(1, False), State(0, False))
# What a request meets that read its key and sources before the organization was deleted, and its
# data after it. DELETED exposes no profile, because a search would still find it in this state.
GONE = State(EMPTY, True)


def states(organization: Organization) -> tuple[State, ...]:
    """Return the states of an organization, the first of them also at the end."""
    if organization in CHANGING:
        return (*STATES, FIRST)
    return (FIRST, GONE, FIRST) if organization is DELETED else (FIRST,)


def records(organization: Organization, version: int = 0) -> list[Record]:
    """Return the records of an organization in a version."""
    first = [*orgs.records(organization), *_fillers(organization)]
    if organization is not ORDINARY:
        first[0]["data"]["plan"] = "pro"
    if version == EMPTY:
        return [record for record in first if not _is_data(record)]
    if not version:
        return first
    return [*(_changed(record, organization) for record in first), *_later(organization)]


def bundle(organization: Organization, version: int) -> bytes:
    """Return the records and deletions that change any version into this one."""
    kept = records(organization, version)
    stored = {orjson.dumps(_delete(record)): None for each in VERSIONS
              for record in records(organization, each) if _is_data(record)}  # fmt: skip
    left = {orjson.dumps(_delete(record)) for record in kept}
    # What a record belongs to is written before it, so it is deleted after it.
    deletions = [line for line in reversed(stored) if line not in left]
    return b"\n".join([*map(orjson.dumps, kept), *deletions]) + b"\n"


def prepare(deployment: Deployment, folder: Path) -> None:
    """Load and approve the first state, and write a bundle for each version."""
    deployment.load(record for organization in ALL for record in records(organization))
    for organization in ALL:
        if organization.approved:
            deployment.approve(organization.id, make.OWNER, *approved(organization))
        for version in VERSIONS:
            path(folder, organization, version).write_bytes(bundle(organization, version))
        for role in ROLES:
            member = make.member(make.ADMIN, role, organization_id=organization.id)
            path(folder, organization, role).write_bytes(orjson.dumps(member))
    for plan in PLANS:
        record, *_ = records(UPGRADED)
        record["data"]["plan"] = plan
        path(folder, UPGRADED, plan).write_bytes(orjson.dumps(record))


def approved(organization: Organization) -> list[str]:
    """Return the ids of the sources that the organization approved."""
    return [make.KIND_SOURCES[kind] for kind in organization.approved]


def path(folder: Path, organization: Organization, content: object) -> Path:
    """Return the bundle of a version, of a role of the admin, or of a plan."""
    return folder / f"{organization.marker}-{content}.jsonl"


def _changed(record: Record, organization: Organization) -> Record:
    data: dict[str, Any] = dict(record["data"])
    marker = organization.marker
    for name in CHANGED.get(record["type"], ()):
        if data[name]:
            data[name] = data[name].replace(marker, f"{marker} anew")
    if record["type"] == "source" and data["kind"] in FRESHER:
        data["updatedAt"] = LATER
    return record | {"data": data}


def _later(organization: Organization) -> list[Record]:
    """Return the records that only the later version has."""
    text, owner = f"Later {organization.marker}", {"organization_id": organization.id}
    later = [
        make.knowledge(f"later {n}", title=text, content=text, updatedAt=LATER, **owner)
        for n in range(3)
    ]
    later += [make.message(1000 + n, text=text, sentAt=LATER, **owner) for n in range(3)]
    later.append(make.asset(text, **owner))
    mention = {"account": orgs.ACCOUNT, "text": text, "createdAt": LATER}
    return [*later, make.mention(900, **mention, **owner)]


def _is_data(record: Record) -> bool:
    """Whether a record belongs to a source."""
    return "sourceId" in record and record["type"] != "source"


def _delete(record: Record) -> Record:
    data, chat = record["data"], {}
    if record["type"] == "telegram.message":
        chat = {"chatId": data["chatId"]}
    # A source has one token.
    id_ = data.get("id", record.get("sourceId"))
    return make.delete(record["type"], id_, organization_id=record["organizationId"], **chat)


def _fillers(organization: Organization) -> Iterator[Record]:
    text, owner = f"Filler {organization.marker}", {"organization_id": organization.id}
    for number in range(FILLERS):
        yield make.knowledge(f"filler {number}", content=text, updatedAt=LONG_AGO, **owner)
        yield make.message(100 + number, text=text, sentAt=LONG_AGO, **owner)
