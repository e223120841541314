"""The demo organization's records, which the importers make from its files."""

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
MAP = "Tours/Maps/causeway-map.pdf"
EXPORTED_AT = "2026-11-21T06:26:05Z"
LINKED_AT = datetime.fromisoformat("2026-05-01T12:00:00Z")

# Exports lack these facts about a chat.
CHATS = {
    ids.DOCKSIDE_NUMBER: StoredChat(LINKED_AT, "harborlights_dockside", 27),
    ids.BEACON_NUMBER: StoredChat(LINKED_AT, "harborlights_beacon", 1204),
}


def records(report: Report | None = None) -> Iterator[Record]:
    """All records, parents first. report: collects what the importers left out."""
    bundle = [*map(orjson.loads, (DATA / "organization.jsonl").read_bytes().splitlines())]
    yield from bundle
    existing = Existing(_sources(bundle), {_chat_id(n): chat for n, chat in CHATS.items()})
    yield from _dated(_imported(existing, report or Report()))


def map_id() -> str:
    """The id of the file from which a knowledge item is derived."""
    return str(ids.identity(f"{ids.FILES}:{MAP}"))


def _chat_id(number: int) -> str:
    return str(ids.identity(f"telegram:channel{number}"))


def _imported(existing: Existing, report: Report) -> Iterator[Record]:
    who: dict[str, Any] = {
        "organization_id": str(ids.ORGANIZATION_ID),
        "report": report,
        "existing": existing,
    }
    telegram = importer("telegram")
    pages = sorted((DATA / "x").glob("*.json"))
    yield from importer("markdown")(DATA / "docs", source_id=ids.MANUAL, **who)
    yield from importer("assets")(DATA / "assets.csv", source_id=ids.FILES, **who)
    yield from telegram(DATA / "telegram/dockside.json", source_id=ids.DOCKSIDE, **who)
    yield from telegram(DATA / "telegram/beacon.json", source_id=ids.BEACON, **who)
    yield from importer("x")(pages, source_id=ids.MENTIONS, account=ids.X_ACCOUNT, **who)


def _dated(imported: Iterable[Record]) -> Iterator[Record]:
    """Replace the dates of chats and drop the sources, which the bundle contains: importers take
    both dates from the files, which were written when the package was installed."""
    for record in imported:
        if record["type"] == "telegram.chat":
            record["data"]["updatedAt"] = EXPORTED_AT
        if record["type"] != "source":
            yield record


def _sources(bundle: Iterable[Record]) -> dict[str, Record]:
    """The sources as they would be stored."""
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
