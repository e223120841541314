"""Records of the demo organization: its bundle, and what the importers read from its files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from orgctx.demo import identities as ids
from orgctx.importers import Existing, Report, StoredChat
from orgctx.importers.extra import importer

Record = dict[str, Any]

DATA = Path(__file__).parent / "data"
EXPORTED_AT = "2026-11-21T06:26:05Z"
LINKED_AT = datetime.fromisoformat("2026-05-01T12:00:00Z")

# Exports do not contain: creation time, public username, member count.
CHATS = {
    ids.DOCKSIDE_NUMBER: StoredChat(LINKED_AT, "harborlights_dockside", 27),
    ids.BEACON_NUMBER: StoredChat(LINKED_AT, "harborlights_beacon", 1204),
}


def records(report: Report | None = None) -> Iterator[Record]:
    """Yield all records, parents first. report: collects what the importers skipped."""
    bundle = [*map(orjson.loads, (DATA / "organization.jsonl").read_bytes().splitlines())]
    yield from bundle
    existing = Existing(_sources(bundle), {_chat_id(n): chat for n, chat in CHATS.items()})
    yield from _dated(_imported(existing, report or Report()))


def _chat_id(number: int) -> str:
    return str(ids.identity(f"telegram:channel{number}"))


def _imported(existing: Existing, report: Report) -> Iterator[Record]:
    common: dict[str, Any] = {
        "organization_id": str(ids.ORGANIZATION_ID),
        "report": report,
        "existing": existing,
    }
    telegram = importer("telegram")
    pages = sorted((DATA / "x").glob("*.json"))
    yield from importer("markdown")(DATA / "docs", source_id=ids.MANUAL, **common)
    yield from importer("assets")(DATA / "assets.csv", source_id=ids.FILES, **common)
    yield from telegram(DATA / "telegram/dockside.json", source_id=ids.DOCKSIDE, **common)
    yield from telegram(DATA / "telegram/beacon.json", source_id=ids.BEACON, **common)
    yield from importer("x")(pages, source_id=ids.MENTIONS, account=ids.X_ACCOUNT, **common)


def _dated(imported: Iterable[Record]) -> Iterator[Record]:
    """Set the dates of chats and drop sources, which the bundle contains.

    Importers take both from the modification time of the files: the time of installation.
    """
    for record in imported:
        if record["type"] == "telegram.chat":
            record["data"]["updatedAt"] = EXPORTED_AT
        if record["type"] != "source":
            yield record


def _sources(bundle: Iterable[Record]) -> dict[str, Record]:
    """Return the sources of the bundle in the form in which importers get stored ones."""
    absent = dict.fromkeys(("href", "staleAfterSeconds", "account"))
    return {
        record["sourceId"]: {
            **absent,
            **record["data"],
            "updatedAt": datetime.fromisoformat(record["data"]["updatedAt"]),
        }
        for record in bundle
        if record["type"] == "source"
    }
