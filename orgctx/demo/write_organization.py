"""Write the bundle: the organization, its sources, notes, token and derived records.

Everything is invented. `scripts/` contains the texts of the notes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from orgctx.demo import identities as ids

Record = dict[str, Any]

SCRIPTS = Path(__file__).parent / "scripts"
NOTE_LABELS = {"team": "Team notes", "answer": "Answers"}

FOUNDED = "2023-04-04T18:30:00Z"
COLLECTED = "2026-11-20T18:00:00Z"

MEMBERS = (
    (ids.OWNER_ID, "Ines Marrow", "owner"),
    (ids.DEMO_ADMIN_ID, "Demo keeper", "admin"),
    (ids.identity("member:mira"), "Mira Oduya", "admin"),
    (ids.identity("member:jonas"), "Jonas Lind", "member"),
    (ids.identity("member:eleni"), "Ελένη Μαύρου", "member"),
    (ids.identity("member:old-keeper"), "Walter Thorne", "removed"),
)

YEAR_SECONDS = 365 * 86_400
# id: (kind, label, description, other fields)
SOURCES: dict[str, tuple[str, str, str, Record]] = {
    ids.MANUAL: (
        "docs",
        "Keeper's manual",
        "The cooperative's handbook, from a folder of files.",
        {},
    ),
    ids.BOARD: (
        "docs",
        "Board papers",
        "Deliberately not approved for external reading: nothing of it is in any answer.",
        {},
    ),
    ids.NOTES: (
        "notes",
        "Crew notes",
        "What the crew wrote down, and answers they agreed on.",
        {"staleAfterSeconds": YEAR_SECONDS},
    ),
    ids.FILES: (
        "assets",
        "Shared drive",
        "Names and sizes of files. Never their contents.",
        {"staleAfterSeconds": YEAR_SECONDS},
    ),
    ids.PROFILE: ("profile", "Organization profile", "Who Harbor Lights Cooperative is.", {}),
    ids.TOKEN: (
        "token",
        "Lantern token (rehearsal)",
        "A rehearsal on an isolated development fork. All its numbers are invented.",
        {"status": "synthetic", "account": ids.TOKEN_ADDRESS},
    ),
    ids.MENTIONS: (
        "x",
        f"Mentions of @{ids.X_ACCOUNT}",
        "Collected posts. The collector paused, so that you see what stale looks like.",
        {"account": ids.X_ACCOUNT, "staleAfterSeconds": 900, "updatedAt": "2026-11-19T09:30:00Z"},
    ),
    ids.DOCKSIDE: ("telegram", "Dockside", "The crew's chat, from a Telegram Desktop export.", {}),
    ids.BEACON: ("telegram", "Beacon", "The announcement channel, from a Telegram export.", {}),
}

# The first line of a note: `== name source visibility [archived] time title`.
HEADING = re.compile(r"^== (\S+) (\S+) (public|team)( archived)? (\S+Z) (.+)$", re.MULTILINE)


def records(map_id: str) -> Iterator[Record]:
    """Yield all records, parents first. map_id: the id of the file that an item describes."""
    names = {"displayName": "Harbor Lights Cooperative", "slug": "harbor-lights"}
    times = {"createdAt": FOUNDED, "updatedAt": "2026-11-18T16:40:00Z"}
    yield _record("organization", {**names, **times, "preview": True})
    for id_, name, role in MEMBERS:
        yield _record("member", {"id": str(id_), "displayName": name, "role": role})
    for source_id, (kind, label, description, fields) in SOURCES.items():
        freshness = {"status": "current", "updatedAt": COLLECTED}
        texts = {"kind": kind, "label": label, "description": description}
        yield _record("source", {**texts, **freshness, **fields}, source_id)
    yield from _items("notes", ids.NOTES, "note")
    yield from _items("board", ids.BOARD, "docs")
    yield from _single_items(map_id)
    yield _record("token", TOKEN_SNAPSHOT, ids.TOKEN)


def _record(type_: str, data: Record, source_id: str | None = None) -> Record:
    record: Record = {"type": type_, "organizationId": str(ids.ORGANIZATION_ID)}
    return record | ({"sourceId": source_id} if source_id else {}) | {"data": data}


def _knowledge(source_id: str, id_: str, source: str, title: str, **fields: Any) -> Record:
    defaults = {
        "contentFormat": "markdown",
        "visibility": "public",
        "archived": False,
        "sourceStatus": "current",
        "sourceLabel": SOURCES[source_id][1],
        "sourceHref": None,
        "createdAt": fields["updatedAt"],
    }
    return _record(
        "knowledge", {"id": id_, "source": source, "title": title, **defaults, **fields}, source_id
    )


def _script(name: str) -> str:
    return (SCRIPTS / f"{name}.txt").read_text("utf-8")


def _items(script: str, source_id: str, prefix: str) -> Iterator[Record]:
    """Yield the notes or documents of a script."""
    _, *parts = HEADING.split(_script(script))
    while parts:
        name, source, visibility, archived, time, title, content, *parts = parts
        fields = {"visibility": visibility, "archived": bool(archived), "updatedAt": time}
        if source in NOTE_LABELS:
            fields["sourceLabel"] = NOTE_LABELS[source]
        id_ = f"{prefix}:{ids.identity(f'{script}:{name}')}"
        yield _knowledge(source_id, id_, source, title, content=content.strip(), **fields)


def _single_items(map_id: str) -> Iterator[Record]:
    yield _knowledge(
        ids.PROFILE,
        f"profile:{ids.identity('profile')}",
        "profile",
        "Harbor Lights Cooperative",
        sourceStatus="reference",
        updatedAt="2026-11-18T16:40:00Z",
        content=_script("profile"),
    )
    yield _knowledge(
        ids.TOKEN,
        f"chain:{ids.TOKEN_ADDRESS}",
        "chain",
        "Lantern (LNTRN), a rehearsal",
        sourceStatus="reference",
        updatedAt="2026-11-01T12:00:00Z",
        content=_script("token"),
    )
    yield _knowledge(
        ids.FILES,
        f"assets:{map_id}",
        "assets",
        "Map of the causeway, in words",
        contentFormat="plain_text",
        updatedAt="2026-10-06T15:45:00Z",
        content=_script("map"),
    )


TOKEN_SNAPSHOT: Record = {
    "token": {
        "address": ids.TOKEN_ADDRESS,
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
