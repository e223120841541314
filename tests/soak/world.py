"""The organizations of the soak: two that change between two versions and two that do not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from orgctx.exposure import SCOPES
from tests.support import factories as make
from tests.support import organizations as orgs
from tests.support.deployment import Deployment
from tests.support.factories import Record
from tests.support.organizations import AMBER, BASALT, COBALT, EMBER, Organization

CHANGING = (AMBER, BASALT)
# The only one with the ordinary plan, so its keys have the shipped limits.
ORDINARY = COBALT
ALL = (*CHANGING, ORDINARY, EMBER)
SWITCHED = make.KIND_SOURCES["telegram"]
GRANTS = {
    "everything": (SCOPES, "both"),
    "documents": (("context:read", "knowledge:read"), "both"),
    "REST, people": (("telegram:read", "x:read"), "api"),
}
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


class State(NamedTuple):
    """A state of a changing organization. is_approved: of its SWITCHED source."""

    version: int
    is_approved: bool


FIRST = State(0, True)
STATES = (FIRST, State(1, True), State(1, False), State(0, False))


def records(one: Organization, version: int = 0) -> list[Record]:
    """Return the records of an organization in a version."""
    found = [*orgs.records(one), *_fillers(one)]
    if one is not ORDINARY:
        found[0]["data"]["plan"] = "pro"
    return [*(_changed(record, one) for record in found), *_later(one)] if version else found


def bundle(one: Organization, version: int) -> bytes:
    """Return the records and deletions that change either version into this one."""
    gone = [] if version else [_delete(record) for record in _later(one)]
    lines = [orjson.dumps(record) for record in (*records(one, version), *gone)]
    return b"\n".join(lines) + b"\n"


def prepare(deployment: Deployment, folder: Path) -> None:
    """Load and approve the first state, and write a bundle for each version."""
    deployment.load(record for one in ALL for record in records(one))
    for one in ALL:
        if one is not EMBER:
            deployment.approve(one.id, make.OWNER, *make.KIND_SOURCES.values())
        for version in (0, 1):
            path(folder, one, version).write_bytes(bundle(one, version))


def path(folder: Path, one: Organization, version: int) -> Path:
    return folder / f"{one.marker}-{version}.jsonl"


def _changed(record: Record, one: Organization) -> Record:
    data: dict[str, Any] = dict(record["data"])
    for name in CHANGED.get(record["type"], ()):
        data[name] = data[name].replace(one.marker, f"{one.marker} anew") if data[name] else None
    if record["type"] == "source" and data["kind"] in FRESHER:
        data["updatedAt"] = LATER
    return record | {"data": data}


def _later(one: Organization) -> list[Record]:
    """Return the records that only the later version has."""
    text, own = f"Later {one.marker}", {"organization_id": one.id}
    found = [
        make.knowledge(f"later {n}", title=text, content=text, updatedAt=LATER, **own)
        for n in range(3)
    ]
    found += [make.message(1000 + n, text=text, sentAt=LATER, **own) for n in range(3)]
    found.append(make.asset(text, **own))
    mention = {"account": orgs.ACCOUNT, "text": text, "createdAt": LATER}
    return [*found, make.mention(900, **mention, **own)]


def _delete(record: Record) -> Record:
    data, chat = record["data"], {}
    if record["type"] == "telegram.message":
        chat = {"chatId": data["chatId"]}
    return make.delete(record["type"], data["id"], organization_id=record["organizationId"], **chat)


def _fillers(one: Organization) -> Iterator[Record]:
    text, own = f"Filler {one.marker}", {"organization_id": one.id}
    for number in range(FILLERS):
        yield make.knowledge(f"filler {number}", content=text, updatedAt=LONG_AGO, **own)
        yield make.message(100 + number, text=text, sentAt=LONG_AGO, **own)
