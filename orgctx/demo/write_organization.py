"""Write the bundle: the organization, its sources, notes, token and derived records.

Everything is invented. `scripts/` holds the texts of the notes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from orgctx.demo.identities import (
    BEACON,
    BOARD,
    DEMO_ADMIN_ID,
    DOCKSIDE,
    FILES,
    MANUAL,
    MENTIONS,
    NOTES,
    ORGANIZATION_ID,
    OWNER_ID,
    PROFILE,
    TOKEN,
    TOKEN_ADDRESS,
    X_ACCOUNT,
    identity,
)

Record = dict[str, Any]

SCRIPTS = Path(__file__).parent / "scripts"
NOTE_LABELS = {"team": "Team notes", "answer": "Answers"}

FOUNDED = "2023-04-04T18:30:00Z"
COLLECTED = "2026-11-20T18:00:00Z"

MEMBERS = (
    (OWNER_ID, "Ines Marrow", "owner"),
    (DEMO_ADMIN_ID, "Demo keeper", "admin"),
    (identity("member:mira"), "Mira Oduya", "admin"),
    (identity("member:jonas"), "Jonas Lind", "member"),
    (identity("member:eleni"), "Ελένη Μαύρου", "member"),
    (identity("member:old-keeper"), "Walter Thorne", "removed"),
)

# id: (kind, label, description, other members)
YEAR_SECONDS = 365 * 86_400
SOURCES: dict[str, tuple[str, str, str, Record]] = {
    MANUAL: ("docs", "Keeper's manual", "The cooperative's handbook, from a folder of files.", {}),
    BOARD: (
        "docs",
        "Board papers",
        "Deliberately not approved for external reading: nothing of it is in any answer.",
        {},
    ),
    NOTES: (
        "notes",
        "Crew notes",
        "What the crew wrote down, and answers they agreed on.",
        {"staleAfterSeconds": YEAR_SECONDS},
    ),
    FILES: (
        "assets",
        "Shared drive",
        "Names and sizes of files. Never their contents.",
        {"staleAfterSeconds": YEAR_SECONDS},
    ),
    PROFILE: ("profile", "Organization profile", "Who Harbor Lights Cooperative is.", {}),
    TOKEN: (
        "token",
        "Lantern token (rehearsal)",
        "A rehearsal on an isolated development fork. All its numbers are invented.",
        {"status": "synthetic", "account": TOKEN_ADDRESS},
    ),
    MENTIONS: (
        "x",
        f"Mentions of @{X_ACCOUNT}",
        "Collected posts. The collector paused, so that you see what stale looks like.",
        {"account": X_ACCOUNT, "staleAfterSeconds": 900, "updatedAt": "2026-11-19T09:30:00Z"},
    ),
    DOCKSIDE: ("telegram", "Dockside", "The crew's chat, from a Telegram Desktop export.", {}),
    BEACON: ("telegram", "Beacon", "The announcement channel, from a Telegram export.", {}),
}

# The head of a note in a script: `== name source visibility [archived] time title`.
HEAD = re.compile(r"^== (\S+) (\S+) (public|team)( archived)? (\S+Z) (.+)$", re.MULTILINE)


def records(map_id: str) -> Iterator[Record]:
    """All records, parents first. map_id: id of the file from which an item is derived."""
    identity_members = {"displayName": "Harbor Lights Cooperative", "slug": "harbor-lights"}
    times = {"createdAt": FOUNDED, "updatedAt": "2026-11-18T16:40:00Z"}
    yield _record("organization", {**identity_members, **times, "preview": True})
    for id_, name, role in MEMBERS:
        yield _record("member", {"id": str(id_), "displayName": name, "role": role})
    for source_id, (kind, label, description, members) in SOURCES.items():
        fresh = {"status": "current", "updatedAt": COLLECTED}
        words = {"kind": kind, "label": label, "description": description}
        yield _record("source", {**words, **fresh, **members}, source_id)
    yield from _written("notes", NOTES, "note")
    yield from _written("board", BOARD, "docs")
    yield from _derived(map_id)
    yield _record("token", TOKEN_SNAPSHOT, TOKEN)


def _record(type_: str, data: Record, source_id: str | None = None) -> Record:
    whole: Record = {"type": type_, "organizationId": str(ORGANIZATION_ID)}
    return whole | ({"sourceId": source_id} if source_id else {}) | {"data": data}


def _knowledge(source_id: str, id_: str, source: str, title: str, **members: Any) -> Record:
    defaults = {
        "contentFormat": "markdown",
        "visibility": "public",
        "archived": False,
        "sourceStatus": "current",
        "sourceLabel": SOURCES[source_id][1],
        "sourceHref": None,
        "createdAt": members["updatedAt"],
    }
    return _record(
        "knowledge", {"id": id_, "source": source, "title": title, **defaults, **members}, source_id
    )


def _script(name: str) -> str:
    return (SCRIPTS / f"{name}.txt").read_text("utf-8")


def _written(script: str, source_id: str, prefix: str) -> Iterator[Record]:
    """The notes or papers in a script."""
    _, *parts = HEAD.split(_script(script))
    while parts:
        name, source, visibility, archived, at, title, content, *parts = parts
        members = {"visibility": visibility, "archived": bool(archived), "updatedAt": at}
        if source in NOTE_LABELS:
            members["sourceLabel"] = NOTE_LABELS[source]
        id_ = f"{prefix}:{identity(f'{script}:{name}')}"
        yield _knowledge(source_id, id_, source, title, content=content.strip(), **members)


def _derived(map_id: str) -> Iterator[Record]:
    yield _knowledge(
        PROFILE,
        f"profile:{identity('profile')}",
        "profile",
        "Harbor Lights Cooperative",
        sourceStatus="reference",
        updatedAt="2026-11-18T16:40:00Z",
        content=_script("profile"),
    )
    yield _knowledge(
        TOKEN,
        f"chain:{TOKEN_ADDRESS}",
        "chain",
        "Lantern (LNTRN), a rehearsal",
        sourceStatus="reference",
        updatedAt="2026-11-01T12:00:00Z",
        content=_script("token"),
    )
    yield _knowledge(
        FILES,
        f"assets:{map_id}",
        "assets",
        "Map of the causeway, in words",
        contentFormat="plain_text",
        updatedAt="2026-10-06T15:45:00Z",
        content=_script("map"),
    )


TOKEN_SNAPSHOT: Record = {
    "token": {
        "address": TOKEN_ADDRESS,
        "chainId": 31337,
        "protocol": "pons",
        "name": "Lantern",
        "symbol": "LNTRN",
        "pool": "0x" + "5ea1" * 10,
        "poolId": None,
        "pairedToken": None,
        "deployer": "0x" + "1903" * 10,
        "logoUrl": "https://harborlights.example/lantern.svg",
    },
    "index": {
        "indexedTo": 18_710_404,
        "indexedAt": COLLECTED,
        "nextSyncAt": "2026-11-20T18:05:00Z",
        "state": "ready",
    },
    "holders": {"count": 48, "trackedBalanceRaw": "1903000000000000000000"},
    "latestFees": {
        "takenAt": COLLECTED,
        "priceUsd": 0.0042,
        "ethUsd": 3120.5,
        "unclaimedEth": 0.0,
        "unclaimedToken": 12.5,
    },
    "latestTradeAt": "2026-11-20T16:12:09Z",
    "sources": {
        "transfers": {"updatedAt": COLLECTED, "status": "synthetic", "note": "Development fork."},
        "fees": {"updatedAt": "2026-11-18T18:00:00Z", "status": "stale"},
    },
}
